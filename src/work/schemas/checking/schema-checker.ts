import { BackendUnavailableError, InvalidArgumentError } from '../../../core/errors.js';
import { RequestThread } from '../../../core/threads/request-thread.js';

export interface SchemaTask {
  readonly schema: CheckedSchema;
  readonly value: unknown;
}

/** `invalid` says why the schema can't be used. */
export type SchemaAnswer = { readonly problems: readonly SchemaProblem[] } | { readonly invalid: string };

/** A place in a value that does not fit a schema. */
export interface SchemaProblem {
  /** JSON Pointer (RFC 6901); empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** A JSON Schema: an object, or true or false. */
export type CheckedSchema = Readonly<Record<string, unknown>> | boolean;

/** Longest time of one check (ms). A pattern or a reference can make a check take years. */
export const MAX_CHECK_MS = 1_000;

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

/** Applies JSON Schemas of draft 2020-12. `format` is an annotation, as the draft has it. */
export class SchemaChecker {
  private readonly thread = new RequestThread<SchemaAnswer>({
    script: 'schema-worker.cjs',
    data: {},
    memory: MEMORY,
    first: { schema: true, value: null },
    startMs: START_MS,
    limitMs: MAX_CHECK_MS,
    notStarted,
  });

  /**
   * The first 100 problems of a value, in the order of the schema. Callers take turns.
   * @param caller  the principal that asks
   * @throws InvalidArgumentError `schema_invalid` for a schema that can't be used, `schema_too_costly` if the check takes
   *   longer than `MAX_CHECK_MS` or too much memory
   */
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
