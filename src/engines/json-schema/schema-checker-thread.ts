import { callSignal } from '../../core/call-signal.js';
import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';
import {
  type CheckedSchema,
  MAX_CHECK_MS,
  SchemaChecker,
  type SchemaProblem,
} from '../../core/ports/work/schema-checker.port.js';
import { endThread, type GatedThread, startThread } from '../gated-thread.js';
import type { SchemaAnswer } from './schema-task.js';

/** Time to start the thread, which does not count as time of a check (ms). */
const START_MS = 5_000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

function tooCostly(): InvalidArgumentError {
  return new InvalidArgumentError('The check was ended: it took more than a second, or more than 64 MB.', {
    reason: 'schema_too_costly',
    hint: 'Simplify the patterns and references of the schema, or send a smaller value.',
  });
}

function notStarted(): BackendUnavailableError {
  return new BackendUnavailableError('The thread that checks schemas did not start.', {
    reason: 'schema_checker_lost',
    hint: 'Try again; the thread restarts.',
  });
}

function invalidSchema(why: string): InvalidArgumentError {
  return new InvalidArgumentError(`The schema can't be used: ${why}.`, {
    reason: 'schema_invalid',
    hint: 'Send a JSON Schema of draft 2020-12 that refers to nothing outside itself.',
  });
}

/** The answer of a thread; null if it ended or took too long. */
function answered({ worker }: GatedThread, message: object, limitMs: number): Promise<SchemaAnswer | null> {
  return new Promise((resolve) => {
    const end = (answer: SchemaAnswer | null): void => {
      clearTimeout(timer);
      worker.off('message', end).off('exit', lose).off('error', lose);
      worker.unref();
      resolve(answer);
    };
    const lose = (): void => end(null);
    const timer = setTimeout(lose, limitMs);
    worker.on('message', end).on('exit', lose).on('error', lose);
    worker.ref();
    worker.postMessage(message);
  });
}

/**
 * Applies schemas with ajv in a thread of its own, one after the other. The thread is ended when a check takes too long,
 * and starts again with the next one: neither a pattern nor a reference can hold up the server.
 */
export class SchemaCheckerThread extends SchemaChecker {
  private thread: GatedThread | null = null;
  private last: Promise<unknown> = Promise.resolve();

  problemsOf(schema: CheckedSchema, value: unknown): Promise<SchemaProblem[]> {
    const signal = callSignal();
    const mine = this.last.then(() => {
      // What was cancelled while it waited does not delay the others.
      signal?.throwIfAborted();
      return this.check(schema, value);
    });
    this.last = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    if (thread) await endThread(thread);
  }

  private async check(schema: CheckedSchema, value: unknown): Promise<SchemaProblem[]> {
    const thread = this.thread ?? (await this.start());
    const answer = await answered(thread, { schema, value }, MAX_CHECK_MS);
    if (answer === null) {
      this.thread = null;
      await thread.worker.terminate();
      throw tooCostly();
    }
    if ('invalid' in answer) throw invalidSchema(answer.invalid);
    return [...answer.problems];
  }

  private async start(): Promise<GatedThread> {
    const thread = startThread('schema-worker.cjs', {}, MEMORY);
    thread.worker.on('error', () => undefined);
    if (await answered(thread, { schema: true, value: null }, START_MS)) return (this.thread = thread);
    await thread.worker.terminate();
    throw notStarted();
  }
}
