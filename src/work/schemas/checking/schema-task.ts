import type { CheckedSchema, SchemaProblem } from './schema-checker.port.js';

export interface SchemaTask {
  readonly schema: CheckedSchema;
  readonly value: unknown;
}

/** `invalid` says why the schema can't be used. */
export type SchemaAnswer = { readonly problems: readonly SchemaProblem[] } | { readonly invalid: string };
