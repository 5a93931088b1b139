import { InvalidArgumentError } from '../../core/errors.js';
import type { GraphNode } from '../../core/ports/graph-store.port.js';
import { type LegacyNode, legacyNodeSchema } from '../legacy.schemas.js';

const FIELDS = legacyNodeSchema.keyof().options;
type Field = (typeof FIELDS)[number];
export const DEFAULT_FIELDS: readonly Field[] = ['id', 'label', 'title', 'tokens', 'doc_tag'];

/** The older tools had one label for sections and headings. */
export function labelOf({ label }: GraphNode): string {
  return label === 'Section' || label === 'Heading' ? 'Chunk' : label;
}

export function toLegacyNode(node: GraphNode): LegacyNode {
  const { id, title, level, tokens, docTag, anchor } = node;
  return { id, label: labelOf(node), title, level, tokens, doc_tag: docTag, anchor };
}

const isField = (name: string): name is Field => FIELDS.some((field) => field === name);

/** The fields to show. @throws InvalidArgumentError for a field that may not be shown */
export function readFields(names: readonly string[] | null): readonly Field[] {
  if (!names || names.length === 0) return DEFAULT_FIELDS;
  const fields = [...new Set(names)];
  if (fields.every(isField)) return fields;
  const unknown = fields.filter((name) => !isField(name)).slice(0, 5);
  throw new InvalidArgumentError(`Unknown fields: ${unknown.join(', ')}.`, {
    reason: 'projection_violation',
    hint: `Use ${FIELDS.join(', ')}.`,
  });
}

/** The given fields of a node, in their order. */
export function projectNode(node: GraphNode, fields: readonly Field[]): Partial<LegacyNode> {
  const whole = toLegacyNode(node);
  return Object.fromEntries(fields.map((field) => [field, whole[field]]));
}
