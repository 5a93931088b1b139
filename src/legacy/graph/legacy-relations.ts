import { InvalidArgumentError } from '../../core/errors.js';
import { RELATIONS } from '../../core/graph-model.js';
import type { Relation } from '../../core/graph-model.js';

/** An older name and the relation that is behind it. */
export interface RelationRule {
  readonly name: string;
  readonly relation: Relation;
  /** Whether the name reads the relation from its end to its start. */
  readonly isReversed: boolean;
}

/** Names under which relations of ours were known, too. */
const ALIASES: readonly RelationRule[] = [
  { name: 'CHILD_OF', relation: 'PARENT_OF', isReversed: true },
  { name: 'PARENT_HEADING', relation: 'PARENT_OF', isReversed: true },
  { name: 'NEXT', relation: 'NEXT_CHUNK', isReversed: false },
];

/** Our own names come first, so that an edge that has two names is told by ours. */
const RULES: readonly RelationRule[] = [
  ...RELATIONS.map((relation) => ({ name: relation, relation, isReversed: false })),
  ...ALIASES,
];

/** Names that were allowed and that no index of ours has edges for: they match nothing. */
const NEVER_WRITTEN: readonly string[] = [
  'ANSWERED_AS',
  'EXECUTES',
  'FOCUSED_ON',
  'HAS_CITATION',
  'HAS_PARAMETER',
  'HAS_QUERY',
  'IN_CHUNK',
  'IN_SECTION',
  'MENTIONED_IN',
  'RESOLVES',
  'RETRIEVED',
  'SUPPORTED_BY',
];

/** The 23 names that the older graph tools take. */
export const LEGACY_RELATIONS: readonly string[] = [
  ...RULES.map(({ name }) => name),
  ...NEVER_WRITTEN,
].toSorted();

/** Rules of these names; `null` means all of them. @throws InvalidArgumentError for a name that was never allowed */
export function readRelations(names: readonly string[] | null): readonly RelationRule[] {
  if (!names) return RULES;
  const unknown = names.filter((name) => !LEGACY_RELATIONS.includes(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`Unknown relationship types: ${unknown.slice(0, 5).join(', ')}.`, {
      reason: 'unknown_relation',
      hint: `Use ${LEGACY_RELATIONS.join(', ')}.`,
    });
  }
  return RULES.filter(({ name }) => names.includes(name));
}
