import { z } from 'zod';
import { ENTITY_TYPES, NODE_LABELS, type Relation, RELATIONS } from '../../core/graph-model.js';
import type { GraphNode } from '../../core/ports/graph-store.port.js';
import { LIMIT_REASONS } from '../../core/reply.js';
import { clipText } from '../../text/clip-text.js';

const MAX_ID_BYTES = 1_024;

export const idSchema = z
  .string()
  .min(1)
  .max(MAX_ID_BYTES)
  .refine((id) => Buffer.byteLength(id) <= MAX_ID_BYTES, `Expected at most ${MAX_ID_BYTES} bytes`);
export const idsSchema = (most: number) => z.array(idSchema).min(1).max(most);

export const relationsSchema = z.array(z.enum(RELATIONS)).max(RELATIONS.length).optional();

const isRelation = (name: string): name is Relation => (RELATIONS as readonly string[]).includes(name);

/** The same without an enum in the schema: agents have already read the names in `graph.expand`. */
export const relationNamesSchema = z
  .array(
    z
      .string()
      .max(32)
      .refine(isRelation, `Expected one of ${RELATIONS.join(', ')}`),
  )
  .max(RELATIONS.length)
  .optional();

export const labelsSchema = z.array(z.enum(ENTITY_TYPES)).max(ENTITY_TYPES.length).optional();

export const cursorSchema = z.string().min(1).max(512).nullable().optional();
export const pageSizeSchema = z.int().min(1).max(100).default(25);

/** Ends every graph reply. */
export const statusShape = {
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  /** Items that are too long for any reply. */
  skipped: z.int().optional(),
  not_found: z.array(z.string()).optional(),
  hint: z.string().optional(),
} as const;
export type GraphStatus = z.output<z.ZodObject<typeof statusShape>>;

/** A node without its text. */
export const nodeSchema = z.strictObject({
  id: z.string(),
  label: z.enum(NODE_LABELS),
  title: z.string(),
  level: z.int().optional(),
  tokens: z.int().optional(),
  doc_tag: z.string().optional(),
  anchor: z.string().optional(),
  sections: z.int().optional(),
  distance: z.int().optional(),
  snippet: z.string().optional(),
});
export type NodeOutput = z.output<typeof nodeSchema>;

/** The fields that `graph.describe` can return. */
const NODE_FIELDS = ['id', 'label', 'title', 'level', 'tokens', 'doc_tag', 'anchor', 'sections'] as const;
export const fieldsSchema = z.array(z.enum(NODE_FIELDS)).min(1).max(NODE_FIELDS.length).optional();

/** A node with the requested fields. */
export const describedSchema = nodeSchema.partial({ label: true, title: true });
export type DescribedNode = z.output<typeof describedSchema>;

/** Keeps the chosen fields, the id, and the snippet, which is requested separately. */
export function project(node: NodeOutput, fields: readonly string[] | undefined): DescribedNode {
  if (!fields) return node;
  const kept = ['id', 'snippet', ...fields];
  const entries = Object.entries(node).filter(([name]) => kept.includes(name));
  return { ...Object.fromEntries(entries), id: node.id };
}

/** A node as tools return it; empty fields are left out. @param maxChars  of its snippet */
export function toOutput(node: GraphNode, maxChars = 0): NodeOutput {
  const { id, label, title, level, tokens, docTag, anchor, sections, snippet } = node;
  return {
    id,
    label,
    title,
    ...(level === null || level === 0 ? {} : { level }),
    ...(tokens === 0 ? {} : { tokens }),
    ...(docTag === null ? {} : { doc_tag: docTag }),
    ...(anchor === null ? {} : { anchor }),
    ...(sections === null ? {} : { sections }),
    ...(snippet === null || maxChars === 0 ? {} : { snippet: clipText(snippet, maxChars) }),
  };
}
