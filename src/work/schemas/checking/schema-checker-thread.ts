import { BackendUnavailableError, InvalidArgumentError } from '../../../core/errors.js';
import {
  type CheckedSchema,
  MAX_CHECK_MS,
  SchemaChecker,
  type SchemaProblem,
} from './schema-checker.port.js';
import { RequestThread } from '../../../core/threads/request-thread.js';
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

/** Applies schemas with ajv in a thread of its own: neither a pattern nor a reference can hold up the server. */
export class SchemaCheckerThread extends SchemaChecker {
  private readonly thread = new RequestThread<SchemaAnswer>({
    script: 'schema-worker.cjs',
    data: {},
    memory: MEMORY,
    first: { schema: true, value: null },
    startMs: START_MS,
    limitMs: MAX_CHECK_MS,
    notStarted,
  });

  async problemsOf(caller: string, schema: CheckedSchema, value: unknown): Promise<SchemaProblem[]> {
    const answer = await this.thread.ask(caller, { schema, value });
    if (answer === null) throw tooCostly();
    if ('invalid' in answer) throw invalidSchema(answer.invalid);
    return [...answer.problems];
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
