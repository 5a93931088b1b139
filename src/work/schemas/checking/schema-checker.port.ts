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

/** Applies JSON Schemas of draft 2020-12. `format` is an annotation, as the draft has it. */
export abstract class SchemaChecker {
  /**
   * The first 100 problems of a value, in the order of the schema. Callers take turns.
   * @param caller  the principal that asks
   * @throws InvalidArgumentError `schema_invalid` for a schema that can't be used, `schema_too_costly` if the check takes
   *   longer than `MAX_CHECK_MS` or too much memory
   */
  abstract problemsOf(caller: string, schema: CheckedSchema, value: unknown): Promise<SchemaProblem[]>;
  abstract close(): Promise<void>;
}
