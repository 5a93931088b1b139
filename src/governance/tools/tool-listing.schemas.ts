import { z } from 'zod';
import { limitShape } from '../../mcp/schema.js';
import { SAFETY_CLASSES } from '../../mcp/tool-class.js';

/** Tools of one page. */
export const MAX_LISTED_TOOLS = 50;

const entryShape = {
  name: z.string(),
  title: z.string(),
  version: z.string(),
  safety: z.enum(SAFETY_CLASSES),
  provider: z.string(),
};

export const listToolsInput = z.strictObject({
  namespace: z.string().min(1).max(64).optional().describe('Only tools of this namespace, such as kb.'),
  limit: z.int().min(1).max(MAX_LISTED_TOOLS).default(MAX_LISTED_TOOLS),
  cursor: z.string().min(1).max(512).nullable().optional(),
});

export const listToolsOutput = z.strictObject({
  /** Sorted by name. */
  tools: z.array(z.strictObject(entryShape)),
  /** Of all pages. */
  total: z.int(),
  ...limitShape,
  next_cursor: z.string().nullable(),
  /** Tools whose entries are too long for any reply. */
  skipped: z.int().optional(),
});
export type ToolListing = z.output<typeof listToolsOutput>;

export const describeToolInput = z.strictObject({
  name: z.string().min(1).max(128).describe('As tool.list names it.'),
});

/** Schemas also come from providers, so any JSON is allowed. */
const jsonSchema = z.record(z.string(), z.unknown());

export const describeToolOutput = z.strictObject({
  ...entryShape,
  namespace: z.string(),
  description: z.string(),
  permission: z.string(),
  mounts: z.array(z.string()),
  /** An agent needs all of them. */
  capabilities: z.array(z.string()),
  /**
   * The decision about a call that sees everything that the caller may see, at this time. `approver` is who approves
   * calls; null if they need no approval.
   */
  policy: z.strictObject({ effect: z.string(), rule: z.string(), approver: z.string().nullable() }),
  budget: z.strictObject({ bytes: z.int(), tokens: z.int() }),
  /** SHA-256 in hex over the canonical JSON of both schemas. */
  schema_hash: z.string(),
  /** Null if it is too long for this reply. */
  input_schema: jsonSchema.nullable(),
  /** Null if the tool has none, or if it is too long for this reply. */
  output_schema: jsonSchema.nullable(),
  /** True if the description is clipped or a schema is left out. */
  ...limitShape,
});
export type ToolDescription = z.output<typeof describeToolOutput>;
