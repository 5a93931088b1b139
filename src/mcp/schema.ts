import type { StandardSchemaV1 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ERROR_CODES } from '../core/errors.js';

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

type Node = Record<string, unknown>;

/**
 * Keywords that some model API refuses in a tool's parameters. OpenAI's strict mode: `default` and lengths of strings
 * (openai-node, helpers.md); Gemini: formats and patterns; google-genai's `mcp_to_gemini_tool` fails on
 * `additionalProperties: false`. Calls are checked against the tool's own schema all the same.
 */
const REFUSED = [
  'additionalProperties',
  'default',
  'format',
  'minLength',
  'maxLength',
  'pattern',
  'propertyNames',
];
/** Bounds beyond these, and minima of 0 and 1, steer no agent. */
const STEERING_ITEMS = 50;
const STEERING_NUMBER = 1_000_000;

/** A union as its widest part, the last that is not null: null says the same as leaving the field out. */
function withoutUnion(node: Node): void {
  for (let { anyOf } = node; Array.isArray(anyOf); anyOf = node['anyOf']) {
    const parts: readonly Node[] = anyOf;
    delete node['anyOf'];
    Object.assign(node, parts.filter(({ type }) => type !== 'null').at(-1));
  }
}

function simplify(node: Node): void {
  withoutUnion(node);
  for (const keyword of REFUSED) delete node[keyword];
  if (node['minItems'] === 1) delete node['minItems'];
  if (node['minimum'] === 0 || node['minimum'] === 1) delete node['minimum'];
  if (Number(node['maxItems']) > STEERING_ITEMS) delete node['maxItems'];
  if (Number(node['maximum']) > STEERING_NUMBER) delete node['maximum'];
}

/** The same with the default in the description, since older contracts state every default. */
function simplifyWithDefault(node: Node): void {
  const { default: value, description } = node;
  simplify(node);
  if (value === undefined || value === null) return;
  const told = `Default: ${JSON.stringify(value)}.`;
  node['description'] = typeof description === 'string' ? `${description} ${told}` : told;
}

/**
 * The JSON Schema of a tool's input as it is listed: the subset that OpenAI's strict mode, Gemini and Anthropic take, and
 * as short as it can be, since every agent reads it in every conversation.
 * @param withDefaults  whether each field says its default; else the tool's description does
 */
export function inputJsonSchema(schema: z.ZodType, withDefaults = false): JsonSchema {
  const change = withDefaults ? simplifyWithDefault : simplify;
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: TARGET,
    io: 'input',
    override: ({ jsonSchema }) => change(jsonSchema),
  });
  return json;
}

const SAID_ELSEWHERE = [...REFUSED, 'description', 'enum', 'const', 'minimum', 'maximum', 'not', 'required'];

/** Keeps only types and names. */
function bare(node: Node): void {
  const { anyOf } = node;
  if (Array.isArray(anyOf) && typeof anyOf[0]?.type === 'string' && anyOf[1]?.type === 'null') {
    delete node['anyOf'];
    Object.assign(node, anyOf[0], { type: [anyOf[0].type, 'null'] });
  }
  for (const keyword of SAID_ELSEWHERE) delete node[keyword];
}

/** The error envelope, in short: `code`, `message` and `details` are the same for all tools. */
const FAILURE: JsonSchema = { properties: { error: { type: 'object' } }, required: ['error'] };

function requiredOf({ shape }: z.ZodObject): string[] {
  return Object.entries<z.ZodType>(shape).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : [name],
  );
}

/**
 * The JSON Schema of a tool's result: types and names. 2025-era clients validate errors against it as well and want an
 * object at the root, so it admits both.
 */
export function outputJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...success } = z.toJSONSchema(schema, {
    target: TARGET,
    io: 'output',
    override: ({ jsonSchema }) => bare(jsonSchema),
  });
  // The required fields distinguish a result from an error.
  const required = schema instanceof z.ZodObject ? requiredOf(schema) : [];
  return { type: 'object', anyOf: [{ ...success, required }, FAILURE] };
}

/**
 * What mcp-nest is told that our tools take. It validates before guards run and answers in words of its own, so
 * validation is left to our pipeline; and our strategy describes the tools itself.
 */
export const ANYTHING: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'pith', validate: (value: unknown) => ({ value }) },
};
