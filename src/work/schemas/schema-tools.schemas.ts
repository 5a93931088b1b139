import { z } from 'zod';
import { limitShape } from '../../mcp/schema.js';
import { jsonSchema } from '../fields.schemas.js';
import { cursorSchema, pageShape } from '../list-pages.js';

export const MAX_LISTED_SCHEMAS = 50;
/** Largest schema or value, in UTF-8 bytes of JSON. */
export const MAX_JSON_BYTES = 65_536;

const COMPATIBILITIES = ['backward', 'none'] as const;

const name = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/)
  .min(1)
  .max(128);
const version = z.int().min(1).max(1_000_000).nullable().optional();
const json = jsonSchema(MAX_JSON_BYTES);

/** A schema that later values are held to. */
export const heldSchemaInput = z.strictObject({
  name: name.describe('A registered schema.'),
  version: version.describe('Default: the latest at this time.'),
});
export const heldSchemaOutput = z.strictObject({ name: z.string(), version: z.int() });

export const registerSchemaInput = z.strictObject({
  name: name.describe('Letters, digits, `.`, `_` and `-`.'),
  schema_json: json.describe('A JSON Schema of draft 2020-12, as JSON text.'),
  description: z.string().max(500).default(''),
  compatibility: z
    .enum(COMPATIBILITIES)
    .default('backward')
    .describe('backward: what fits the latest version must fit the new one.'),
});

export const registeredSchemaOutput = z.strictObject({
  name: z.string(),
  version: z.int(),
  /** SHA-256 in hex over the canonical JSON of the schema. */
  hash: z.string(),
  /** False if the latest version is the same schema. */
  is_new: z.boolean(),
});
export type RegisteredSchema = z.output<typeof registeredSchemaOutput>;

export const validateInput = z.strictObject({
  name: name.describe('A registered schema.'),
  version: version.describe('Default: the latest.'),
  value_json: json.describe('The value to check, as JSON text.'),
});

export const validatedOutput = z.strictObject({
  name: z.string(),
  version: z.int(),
  is_valid: z.boolean(),
  /** `path` is a JSON Pointer, empty for the whole value. At most 100. */
  problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  ...limitShape,
  skipped: z.int().optional(),
});
export type Validated = z.output<typeof validatedOutput>;

export const getSchemaInput = z.strictObject({
  name: name.describe('A registered schema.'),
  version: version.describe('Default: the latest.'),
});

const factsShape = {
  name: z.string(),
  version: z.int(),
  hash: z.string(),
  description: z.string(),
  registered_by: z.string(),
  /** ISO-8601, UTC. */
  registered_at: z.string(),
};

export const gotSchemaOutput = z.strictObject({
  ...factsShape,
  latest_version: z.int(),
  schema_json: z.string(),
});
export type GotSchema = z.output<typeof gotSchemaOutput>;

export const listSchemasInput = z.strictObject({
  limit: z.int().min(1).max(MAX_LISTED_SCHEMAS).default(MAX_LISTED_SCHEMAS),
  cursor: cursorSchema,
});

export const schemaListOutput = z.strictObject({
  /** The latest versions, by name. */
  schemas: z.array(z.strictObject(factsShape)),
  ...pageShape,
});
export type SchemaList = z.output<typeof schemaListOutput>;
