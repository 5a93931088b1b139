import type { Relation } from '../../core/graph-model.js';
import type { NodeKind } from '../../core/node-id.js';
import { type BoundedWay, LINKS_EACH, MENTIONS_EACH } from '../../graph/hubs.js';

/** How to get from a node to its neighbours by one relation or two. */
export interface Way extends BoundedWay {
  readonly from: NodeKind;
  readonly to: NodeKind;
  readonly isOutward: boolean;
  /**
   * Selects `id`, `name`, `position`, `weight` and `tells` of the neighbours of row `?1`. `tells` is the relation of a
   * link, or whether a mention is a definition. Rows are not grouped, so that LIMIT can end the query early. So a
   * neighbour may occur several times.
   */
  readonly sql: string;
  /** Selects the neighbours of row `?1` without a scope check; null for ways that never lead to very many. */
  readonly crowd: string | null;
}

/** Both directions of a relation, each as an SQL statement. */
interface Pair {
  readonly relations: readonly Relation[];
  /** Source and target of the relation. */
  readonly between: readonly [NodeKind, NodeKind];
  readonly rowsEach?: number;
  readonly out: string;
  readonly into: string;
  /** `Way.crowd` of the inward way. */
  readonly crowd?: string | null;
}

function waysOf({ relations, between, rowsEach = 1, out, into, crowd = null }: Pair): Way[] {
  const [source, target] = between;
  return [
    { relations, rowsEach, from: source, to: target, isOutward: true, sql: out, crowd: null },
    { relations, rowsEach, from: target, to: source, isOutward: false, sql: into, crowd },
  ];
}

const placeWith = (weight: string, tells: string): string =>
  `SELECT p.id, p.node_id AS name, p.position, ${weight} AS weight, ${tells} AS tells`;
const documentWith = (tells: string): string =>
  `SELECT d.id, d.path AS name, 0 AS position, 1 AS weight, ${tells} AS tells`;

const PLACE = placeWith('1', 'NULL');
const DOCUMENT = `${documentWith('NULL')} FROM graph_place p JOIN document d ON d.id = p.document_id WHERE p.id = ?1`;
const LINKED_PLACE = `${placeWith('1', 'l.relation')} FROM graph_link l JOIN graph_place p`;
const LINKED_DOCUMENT = `${documentWith('l.relation')} FROM graph_link l JOIN document d`;
const LINKS = { relations: ['REFERENCES', 'RELATED_TO'], rowsEach: LINKS_EACH } as const;
const MENTIONS = { relations: ['MENTIONS', 'DEFINES'], rowsEach: MENTIONS_EACH } as const;

/** A title named in a text is an entity only if the title is visible: otherwise it would reveal a hidden document. */
export const OWNED = ` AND (m.source <> 1 OR EXISTS (
  SELECT 1 FROM graph_mention o JOIN graph_place p ON p.id = o.place_id JOIN document d ON d.id = p.document_id
  WHERE o.entity_id = m.entity_id AND o.source = 2 {visible}))`;

/** Places of sections have ids above 0; headings without text have ids below 0. */
const nextSection = (isNext: boolean): string => `${PLACE} FROM graph_place own
  JOIN graph_place p ON p.document_id = own.document_id AND p.position ${isNext ? '>' : '<'} own.position AND p.id > 0
  WHERE own.id = ?1 AND own.id > 0
  ORDER BY p.position ${isNext ? 'ASC' : 'DESC'} LIMIT 1`;

/**
 * Each way starts from a visible node. With a scope, `{visible}` is replaced by the conditions for row `d` at the way's
 * end, `{ofDocument}` by the join with that row, and `{owned}` by `OWNED`; without a scope, all three are empty.
 */
const PAIRS: readonly Pair[] = [
  {
    relations: ['HAS_CHUNK'],
    between: ['document', 'place'],
    out: `${PLACE} FROM graph_place p WHERE p.document_id = ?1`,
    into: DOCUMENT,
  },
  {
    relations: ['NEXT_CHUNK'],
    between: ['place', 'place'],
    out: nextSection(true),
    into: nextSection(false),
  },
  {
    relations: ['PARENT_OF'],
    between: ['document', 'place'],
    out: `${PLACE} FROM graph_place p WHERE p.document_id = ?1 AND p.parent_id IS NULL`,
    into: `${DOCUMENT} AND p.parent_id IS NULL`,
  },
  {
    relations: ['PARENT_OF'],
    between: ['place', 'place'],
    out: `${PLACE} FROM graph_place p WHERE p.parent_id = ?1`,
    into: `${PLACE} FROM graph_place own JOIN graph_place p ON p.id = own.parent_id WHERE own.id = ?1`,
  },
  {
    relations: ['CONTAINS_STEP'],
    between: ['place', 'step'],
    out: `SELECT t.id, p.node_id AS name, t.number AS position, 1 AS weight, NULL AS tells
      FROM graph_step t JOIN graph_place p ON p.id = t.place_id WHERE t.place_id = ?1`,
    into: `${PLACE} FROM graph_step t JOIN graph_place p ON p.id = t.place_id WHERE t.id = ?1`,
  },
  {
    ...LINKS,
    between: ['place', 'place'],
    out: `${LINKED_PLACE} ON p.id = l.target_place_id{ofDocument} WHERE l.place_id = ?1 AND p.id <> ?1 {visible}`,
    into: `${LINKED_PLACE} ON p.id = l.place_id{ofDocument} WHERE l.target_place_id = ?1 AND p.id <> ?1 {visible}`,
    crowd: 'SELECT DISTINCT place_id, relation FROM graph_link WHERE target_place_id = ?1',
  },
  {
    ...LINKS,
    between: ['place', 'document'],
    out: `${LINKED_DOCUMENT} ON d.id = l.target_document_id
      WHERE l.place_id = ?1 AND l.target_place_id IS NULL {visible}`,
    into: `${LINKED_PLACE} ON p.id = l.place_id{ofDocument}
      WHERE l.target_document_id = ?1 AND l.target_place_id IS NULL {visible}`,
    crowd: 'SELECT DISTINCT place_id, relation FROM graph_link WHERE target_document_id = ?1',
  },
  {
    ...LINKS,
    between: ['document', 'document'],
    out: `${LINKED_DOCUMENT} ON d.id = l.target_document_id WHERE l.document_id = ?1 AND d.id <> ?1 {visible}`,
    into: `${LINKED_DOCUMENT} ON d.id = l.document_id WHERE l.target_document_id = ?1 AND d.id <> ?1 {visible}`,
    crowd: 'SELECT DISTINCT document_id, relation FROM graph_link WHERE target_document_id = ?1',
  },
  {
    ...MENTIONS,
    between: ['place', 'entity'],
    out: `SELECT e.id, e.key AS name, 0 AS position, m.count AS weight, m.is_defined AS tells
      FROM graph_mention m JOIN graph_entity e ON e.id = m.entity_id WHERE m.place_id = ?1{owned}`,
    into: `${placeWith('m.count', 'm.is_defined')} FROM graph_mention m JOIN graph_place p ON p.id = m.place_id{ofDocument}
      WHERE m.entity_id = ?1 {visible}{owned}`,
    crowd: 'SELECT DISTINCT place_id FROM graph_mention WHERE entity_id = ?1',
  },
];

export const WAYS: readonly Way[] = PAIRS.flatMap(waysOf);
