import { z } from 'zod';
import { ENTITY_TYPES, NODE_LABELS, type Relation, RELATIONS } from '../core/graph-model.js';
import type { GraphNode } from '../core/ports/graph-store.port.js';
import { limitShape } from '../mcp/schema.js';
import { scopeSchema } from '../scope/scope.schema.js';
import { clipText } from '../text/span.js';

const MAX_ID_BYTES = 1_024;

const idSchema = z
  .string()
  .min(1)
  .max(MAX_ID_BYTES)
  .refine((id) => Buffer.byteLength(id) <= MAX_ID_BYTES, `Expected at most ${MAX_ID_BYTES} bytes`);
const idsSchema = (most: number) => z.array(idSchema).min(1).max(most);

const relationsSchema = z.array(z.enum(RELATIONS)).max(RELATIONS.length).optional();

const isRelation = (name: string): name is Relation => (RELATIONS as readonly string[]).includes(name);

/** `relationsSchema` without the enum in its JSON Schema, to save tokens: `graph.expand` already lists the names. */
const relationNamesSchema = z
  .array(
    z
      .string()
      .max(32)
      .refine(isRelation, `Expected one of ${RELATIONS.join(', ')}`),
  )
  .max(RELATIONS.length)
  .optional();

const labelsSchema = z.array(z.enum(ENTITY_TYPES)).max(ENTITY_TYPES.length).optional();

const cursorSchema = z.string().min(1).max(512).nullable().optional();
const pageSizeSchema = z.int().min(1).max(100).default(25);
const scope = scopeSchema.optional();

/** The last fields of every graph reply. */
const statusShape = {
  ...limitShape,
  /** Items that are too long for any reply. */
  skipped: z.int().optional(),
  not_found: z.array(z.string()).optional(),
  hint: z.string().optional(),
} as const;
export type GraphStatus = z.output<z.ZodObject<typeof statusShape>>;

const nodeSchema = z.strictObject({
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
const fieldsSchema = z.array(z.enum(NODE_FIELDS)).min(1).max(NODE_FIELDS.length).optional();

const describedSchema = nodeSchema.partial({ label: true, title: true });
export type DescribedNode = z.output<typeof describedSchema>;

export const describeInput = z.strictObject({
  node_ids: idsSchema(50),
  fields: fieldsSchema,
  include_snippet: z.boolean().default(false),
  scope,
});
export type DescribeInput = z.output<typeof describeInput>;
export const describeOutput = z.strictObject({ nodes: z.array(describedSchema), ...statusShape });
export type DescribeOutput = z.output<typeof describeOutput>;

export const entitiesInput = z.strictObject({
  section_ids: idsSchema(10),
  labels: labelsSchema,
  max_per_section: z.int().min(1).max(50).default(20),
  scope,
});
export type EntitiesInput = z.output<typeof entitiesInput>;
export const entitiesOutput = z.strictObject({
  results: z.array(
    z.strictObject({
      section_id: z.string(),
      entities: z.array(
        z.strictObject({
          id: z.string(),
          label: z.string(),
          name: z.string(),
          mentions: z.int(),
          sections: z.int(),
        }),
      ),
    }),
  ),
  ...statusShape,
});
export type EntitiesOutput = z.output<typeof entitiesOutput>;

export const expandInput = z.strictObject({
  node_ids: idsSchema(10).describe('Ids, document paths or entity names.'),
  rel_types: relationsSchema,
  direction: z.enum(['in', 'out', 'both']).default('both'),
  max_hops: z.int().min(1).max(3).default(1),
  include_snippet: z.boolean().default(false),
  cursor: cursorSchema,
  page_size: pageSizeSchema,
  scope,
});
export type ExpandInput = z.output<typeof expandInput>;
export const expandOutput = z.strictObject({
  nodes: z.array(nodeSchema),
  edges: z.array(z.strictObject({ src: z.string(), dst: z.string(), type: z.enum(RELATIONS) })),
  next_cursor: z.string().nullable(),
  ...statusShape,
});
export type ExpandOutput = z.output<typeof expandOutput>;

export const pathsInput = z.strictObject({
  a_ids: idsSchema(5),
  b_ids: idsSchema(5),
  rel_types: relationNamesSchema,
  max_hops: z.int().min(1).max(5).default(2),
  max_paths: z.int().min(1).max(50).default(10),
  cursor: cursorSchema,
  scope,
});
export type PathsInput = z.output<typeof pathsInput>;
export const pathsOutput = z.strictObject({
  paths: z.array(
    z.strictObject({ nodes: z.array(z.string()), types: z.array(z.enum(RELATIONS)), length: z.int() }),
  ),
  next_cursor: z.string().nullable(),
  ...statusShape,
});
export type PathsOutput = z.output<typeof pathsOutput>;

export const childrenInput = z.strictObject({
  parent_id: idSchema.describe('A section or heading id, or a document path.'),
  cursor: cursorSchema,
  page_size: pageSizeSchema,
  scope,
});
export type ChildrenInput = z.output<typeof childrenInput>;
export const childrenOutput = z.strictObject({
  children: z.array(nodeSchema),
  next_cursor: z.string().nullable(),
  ...statusShape,
});
export type ChildrenOutput = z.output<typeof childrenOutput>;

export const parentsInput = z.strictObject({ section_ids: idsSchema(25), scope });
export type ParentsInput = z.output<typeof parentsInput>;
export const parentsOutput = z.strictObject({
  results: z.array(
    z.strictObject({
      section_id: z.string(),
      parent_id: z.string().nullable(),
      parent_title: z.string().nullable(),
      ancestors: z.array(z.strictObject({ id: z.string(), title: z.string() })),
    }),
  ),
  ...statusShape,
});
export type ParentsOutput = z.output<typeof parentsOutput>;

export const sectionsInput = z.strictObject({
  entity_ids: idsSchema(10).describe('Ids or names.'),
  max_per: z.int().min(1).max(50).default(20),
  scope,
});
export type SectionsInput = z.output<typeof sectionsInput>;
export const sectionsOutput = z.strictObject({
  results: z.array(
    z.strictObject({
      entity_id: z.string(),
      name: z.string(),
      total: z.int(),
      sections: z.array(z.strictObject({ section_id: z.string(), title: z.string(), mentions: z.int() })),
    }),
  ),
  ...statusShape,
});
export type SectionsOutput = z.output<typeof sectionsOutput>;

/** Keeps the requested fields, the id, and the snippet, which has its own argument. */
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
