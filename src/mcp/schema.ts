import { z } from 'zod';
import { LIMIT_REASONS } from '../core/reply.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The fields of a result that a limit on its size may reduce. */
export const limitShape = { partial: z.boolean(), limit_reason: z.enum(LIMIT_REASONS) };

const TARGET = 'draft-2020-12' as const;

type Node = Record<string, unknown>;

/**
 * Keywords that some model API rejects in a tool's parameters. OpenAI's strict mode: `default` and string lengths
 * (openai-node, helpers.md); Gemini: formats and patterns; google-genai's `mcp_to_gemini_tool` fails on
 * `additionalProperties: false`. Arguments are still checked against the tool's complete schema.
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
/** Larger upper bounds, and minima of 0 and 1, don't help agents and are not listed. */
const LARGEST_LISTED_ITEMS = 50;
const LARGEST_LISTED_NUMBER = 1_000_000;

/** Replaces a union by its last part that is not null, its widest. Null means the same as an absent field. */
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
  if (Number(node['maxItems']) > LARGEST_LISTED_ITEMS) delete node['maxItems'];
  if (Number(node['maximum']) > LARGEST_LISTED_NUMBER) delete node['maximum'];
}

/** Keeps the default: clients of older contracts read it from the schema. */
function simplifyWithDefault(node: Node): void {
  const { default: value } = node;
  simplify(node);
  if (value !== undefined && value !== null) node['default'] = value;
}

/**
 * The listed JSON Schema of a tool's input: the subset that OpenAI's strict mode, Gemini and Anthropic accept. It is as
 * short as possible, since every agent reads it in every conversation.
 * @param withDefaults  list each default with its field; otherwise the tool's description states them
 */
export function inputJsonSchema(schema: z.ZodType, withDefaults = false): JsonSchema {
  const change = withDefaults ? simplifyWithDefault : simplify;
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: TARGET,
    io: 'input',
    override: ({ jsonSchema }) => change(jsonSchema),
  });
  const listed = Object.entries(Object(json.properties)).filter(([, field]) => !Object(field).isUnlisted);
  return json.properties ? { ...json, properties: Object.fromEntries(listed) } : json;
}

const NOT_IN_OUTPUT = [...REFUSED, 'description', 'enum', 'const', 'minimum', 'maximum', 'not', 'required'];

function keepTypesAndNames(node: Node): void {
  const { anyOf } = node;
  if (Array.isArray(anyOf) && typeof anyOf[0]?.type === 'string' && anyOf[1]?.type === 'null') {
    delete node['anyOf'];
    Object.assign(node, anyOf[0], { type: [anyOf[0].type, 'null'] });
  }
  for (const keyword of NOT_IN_OUTPUT) delete node[keyword];
}

/** A short schema of the error envelope; its `code`, `message` and `details` are the same for all tools. */
const FAILURE: JsonSchema = { properties: { error: { type: 'object' } }, required: ['error'] };

function requiredFields({ shape }: z.ZodObject): string[] {
  return Object.entries<z.ZodType>(shape).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [] : [name],
  );
}

/**
 * The listed JSON Schema of a tool's result: types and names only. 2025-era clients also validate errors against it and
 * require an object at the root, so it allows both.
 */
export function outputJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...success } = z.toJSONSchema(schema, {
    target: TARGET,
    io: 'output',
    override: ({ jsonSchema }) => keepTypesAndNames(jsonSchema),
  });
  // The required fields distinguish a result from an error.
  const required = schema instanceof z.ZodObject ? requiredFields(schema) : [];
  return { type: 'object', anyOf: [{ ...success, required }, FAILURE] };
}

/** The fields of the response envelope around every result. */
const ENVELOPE = {
  refs: { type: 'array', items: { type: 'object' } },
  warnings: { type: 'array', items: { type: 'string' } },
  tool_call_id: { type: 'string' },
} as const;

/** The listed JSON Schema of a result in the response envelope, for successful and for failed calls. */
export function envelopeJsonSchema(schema: z.ZodType): JsonSchema {
  const { anyOf } = outputJsonSchema(schema);
  const status = { type: 'string' };
  const [data] = Array.isArray(anyOf) ? anyOf : [];
  const forms = [{ data }, { error: { type: 'object' } }].map((form) => ({
    properties: { status, ...form, ...ENVELOPE },
    required: ['status', ...Object.keys(form), ...Object.keys(ENVELOPE)],
  }));
  return { type: 'object', anyOf: forms };
}
