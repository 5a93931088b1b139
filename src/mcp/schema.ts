import type { StandardSchemaV1 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ERROR_CODES } from '../errors.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

const TARGET = 'draft-2020-12' as const;

/** What every failed call carries. */
export const errorEnvelopeSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

/** Defaults that anybody expects of what may be left out. */
const PLAIN_DEFAULTS = ['false', '{}', '[]'];

/** `string or null` in one node; and no word on what is checked anyway and steers nobody. */
function shorten({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  const { anyOf, minLength, minItems } = jsonSchema;
  if (minLength === 1) delete jsonSchema['minLength'];
  if (minItems === 1) delete jsonSchema['minItems'];
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return;
  if (typeof anyOf[0].type !== 'string') return;
  delete jsonSchema['anyOf'];
  Object.assign(jsonSchema, anyOf[0], { type: [anyOf[0].type, 'null'] });
}

function shortenMore(node: { readonly jsonSchema: Record<string, unknown> }): void {
  shorten(node);
  const { jsonSchema } = node;
  if (PLAIN_DEFAULTS.includes(JSON.stringify(jsonSchema['default']))) delete jsonSchema['default'];
}

/**
 * The JSON Schema of what a tool takes, as short as it can be said: every agent reads it in every conversation.
 * @param withDefaults  whether plain defaults are told, too, as older contracts have them
 */
export function inputJsonSchema(schema: z.ZodType, withDefaults = false): JsonSchema {
  const override = withDefaults ? shorten : shortenMore;
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: TARGET, io: 'input', override });
  return json;
}

/**
 * The JSON Schema of what a tool returns. 2025-era clients validate errors against it as well and want an object at
 * the root, so it admits both.
 */
export function outputJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...success } = z.toJSONSchema(schema, { target: TARGET, io: 'output' });
  const { $schema: _, ...failure } = z.toJSONSchema(errorEnvelopeSchema, { target: TARGET, io: 'output' });
  return { $schema, type: 'object', anyOf: [success, failure] };
}

/**
 * What mcp-nest is told that our tools take. It validates before guards run and answers in words of its own, so
 * validation is left to our pipeline; and our strategy describes the tools itself.
 */
export const ANYTHING: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'pith', validate: (value: unknown) => ({ value }) },
};
