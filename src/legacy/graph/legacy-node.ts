import { InvalidArgumentError } from '../../core/errors.js';
import type { GraphNode } from '../../core/ports/graph-store.port.js';

/** A node as the older graph tools tell it. */
export interface LegacyNode {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly level: number | null;
  readonly tokens: number;
  readonly doc_tag: string | null;
  readonly anchor: string | null;
}

const FIELDS = ['id', 'label', 'title', 'level', 'tokens', 'doc_tag', 'anchor'] as const;
type Field = (typeof FIELDS)[number];
const DEFAULT_FIELDS: readonly Field[] = ['id', 'label', 'title', 'tokens', 'doc_tag'];

/** Sections and headings had one label then. */
export function labelOf({ label }: GraphNode): string {
  return label === 'Section' || label === 'Heading' ? 'Chunk' : label;
}

export function toLegacyNode(node: GraphNode): LegacyNode {
  const { id, title, level, tokens, docTag, anchor } = node;
  return { id, label: labelOf(node), title, level, tokens, doc_tag: docTag, anchor };
}

const isField = (name: string): name is Field => FIELDS.some((field) => field === name);

/** Which fields to show. @throws InvalidArgumentError for one that may not be shown */
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

/** A node with these fields, in their order. */
export function projectNode(node: GraphNode, fields: readonly Field[]): Partial<LegacyNode> {
  const whole = toLegacyNode(node);
  return Object.fromEntries(fields.map((field) => [field, whole[field]]));
}
