import { InvalidArgumentError } from '../../core/errors.js';
import { type Relation, RELATIONS } from '../../core/graph-model.js';

/** An older name and its relation. */
export interface RelationRule {
  readonly name: string;
  readonly relation: Relation;
  /** True if the name reads the relation from its end to its start. */
  readonly isReversed: boolean;
}

/** Further older names of current relations. */
const ALIASES: readonly RelationRule[] = [
  { name: 'CHILD_OF', relation: 'PARENT_OF', isReversed: true },
  { name: 'PARENT_HEADING', relation: 'PARENT_OF', isReversed: true },
  { name: 'NEXT', relation: 'NEXT_CHUNK', isReversed: false },
];

/** The current names come first, so an edge with two names gets the current one. */
const RULES: readonly RelationRule[] = [
  ...RELATIONS.map((relation) => ({ name: relation, relation, isReversed: false })),
  ...ALIASES,
];

/** Names that were allowed but that no index has edges for. They match nothing. */
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

/** The 23 names that the older graph tools accept. */
const LEGACY_RELATIONS: readonly string[] = [...RULES.map(({ name }) => name), ...NEVER_WRITTEN].toSorted();

/** The rules of these names; `null` means all rules. @throws InvalidArgumentError for a name that was never allowed */
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
