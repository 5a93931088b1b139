import type { Relation } from '../../../core/graph-model.js';
import type { NodeKind } from '../../../core/node-id.js';
import { type BoundedWay, LINKS_EACH, MENTIONS_EACH } from '../../../graph/hubs.js';

/** How to get from a node to its neighbours by one relation. */
export interface Way extends BoundedWay {
  readonly from: NodeKind;
  readonly to: NodeKind;
  readonly isOutward: boolean;
  /**
   * Selects `id`, `name`, `position`, `weight` of those next to row `?1`, and as `tells` the relation of a link or whether a
   * mention defines. One of them may come several times; ungrouped, so that a limit ends the look-up.
   */
  readonly sql: string;
  /** Selects the neighbours of row `?1` unchecked, where there may be very many; otherwise null. */
  readonly crowd: string | null;
}

type Parts = Pick<Way, 'from' | 'to' | 'isOutward' | 'sql'> & {
  readonly relation: Relation | readonly Relation[];
  readonly rowsEach?: number;
  readonly crowd?: string;
};

const way = ({ relation, rowsEach = 1, crowd, ...parts }: Parts): Way => ({
  ...parts,
  rowsEach,
  crowd: crowd ?? null,
  relations: typeof relation === 'string' ? [relation] : relation,
});

const PLACE = 'SELECT p.id, p.node_id AS name, p.position, 1 AS weight, NULL AS tells';
const DOCUMENT = 'SELECT d.id, d.path AS name, 0 AS position, 1 AS weight, NULL AS tells';
const LINKS: readonly Relation[] = ['REFERENCES', 'RELATED_TO'];
const MENTIONS: readonly Relation[] = ['MENTIONS', 'DEFINES'];

/**
 * A title named in a text is an entity only if the title is visible: otherwise it would reveal a hidden document.
 */
export const OWNED = ` AND (m.source <> 1 OR EXISTS (
  SELECT 1 FROM graph_mention o JOIN graph_place p ON p.id = o.place_id JOIN document d ON d.id = p.document_id
  WHERE o.entity_id = m.entity_id AND o.source = 2 {visible}))`;

/** Sections have rows above 0. */
const nextSection = (isNext: boolean): string => `${PLACE} FROM graph_place own
  JOIN graph_place p ON p.document_id = own.document_id AND p.position ${isNext ? '>' : '<'} own.position AND p.id > 0
  WHERE own.id = ?1 AND own.id > 0
  ORDER BY p.position ${isNext ? 'ASC' : 'DESC'} LIMIT 1`;

/**
 * Each way starts from a visible node; `{visible}` is replaced by what makes the row `d` at its end visible, and
 * `{ofDocument}` by the join with it and `{owned}` by `OWNED`, where there is such a condition.
 */
export const WAYS: readonly Way[] = [
  way({
    from: 'document',
    to: 'place',
    relation: 'HAS_CHUNK',
    isOutward: true,
    sql: `${PLACE} FROM graph_place p WHERE p.document_id = ?1`,
  }),
  way({
    from: 'place',
    to: 'document',
    relation: 'HAS_CHUNK',
    isOutward: false,
    sql: `${DOCUMENT} FROM graph_place p JOIN document d ON d.id = p.document_id WHERE p.id = ?1`,
  }),
  way({ from: 'place', to: 'place', relation: 'NEXT_CHUNK', isOutward: true, sql: nextSection(true) }),
  way({ from: 'place', to: 'place', relation: 'NEXT_CHUNK', isOutward: false, sql: nextSection(false) }),
  way({
    from: 'document',
    to: 'place',
    relation: 'PARENT_OF',
    isOutward: true,
    sql: `${PLACE} FROM graph_place p WHERE p.document_id = ?1 AND p.parent_id IS NULL`,
  }),
  way({
    from: 'place',
    to: 'document',
    relation: 'PARENT_OF',
    isOutward: false,
    sql: `${DOCUMENT} FROM graph_place p JOIN document d ON d.id = p.document_id
      WHERE p.id = ?1 AND p.parent_id IS NULL`,
  }),
  way({
    from: 'place',
    to: 'place',
    relation: 'PARENT_OF',
    isOutward: true,
    sql: `${PLACE} FROM graph_place p WHERE p.parent_id = ?1`,
  }),
  way({
    from: 'place',
    to: 'place',
    relation: 'PARENT_OF',
    isOutward: false,
    sql: `${PLACE} FROM graph_place own JOIN graph_place p ON p.id = own.parent_id WHERE own.id = ?1`,
  }),
  way({
    from: 'place',
    to: 'step',
    relation: 'CONTAINS_STEP',
    isOutward: true,
    sql: `SELECT t.id, p.node_id AS name, t.number AS position, 1 AS weight, NULL AS tells
      FROM graph_step t JOIN graph_place p ON p.id = t.place_id WHERE t.place_id = ?1`,
  }),
  way({
    from: 'step',
    to: 'place',
    relation: 'CONTAINS_STEP',
    isOutward: false,
    sql: `${PLACE} FROM graph_step t JOIN graph_place p ON p.id = t.place_id WHERE t.id = ?1`,
  }),
  way({
    from: 'place',
    to: 'place',
    relation: LINKS,
    rowsEach: LINKS_EACH,
    isOutward: true,
    sql: `SELECT p.id, p.node_id AS name, p.position, 1 AS weight, l.relation AS tells
      FROM graph_link l JOIN graph_place p ON p.id = l.target_place_id{ofDocument}
      WHERE l.place_id = ?1 AND p.id <> ?1 {visible}`,
  }),
  way({
    from: 'place',
    to: 'document',
    relation: LINKS,
    rowsEach: LINKS_EACH,
    isOutward: true,
    sql: `SELECT d.id, d.path AS name, 0 AS position, 1 AS weight, l.relation AS tells
      FROM graph_link l JOIN document d ON d.id = l.target_document_id
      WHERE l.place_id = ?1 AND l.target_place_id IS NULL {visible}`,
  }),
  way({
    from: 'place',
    to: 'place',
    relation: LINKS,
    rowsEach: LINKS_EACH,
    isOutward: false,
    crowd: 'SELECT DISTINCT place_id, relation FROM graph_link WHERE target_place_id = ?1',
    sql: `SELECT p.id, p.node_id AS name, p.position, 1 AS weight, l.relation AS tells
      FROM graph_link l JOIN graph_place p ON p.id = l.place_id{ofDocument}
      WHERE l.target_place_id = ?1 AND p.id <> ?1 {visible}`,
  }),
  way({
    from: 'document',
    to: 'place',
    relation: LINKS,
    rowsEach: LINKS_EACH,
    isOutward: false,
    crowd: 'SELECT DISTINCT place_id, relation FROM graph_link WHERE target_document_id = ?1',
    sql: `SELECT p.id, p.node_id AS name, p.position, 1 AS weight, l.relation AS tells
      FROM graph_link l JOIN graph_place p ON p.id = l.place_id{ofDocument}
      WHERE l.target_document_id = ?1 AND l.target_place_id IS NULL {visible}`,
  }),
  way({
    from: 'document',
    to: 'document',
    relation: LINKS,
    rowsEach: LINKS_EACH,
    isOutward: true,
    sql: `SELECT d.id, d.path AS name, 0 AS position, 1 AS weight, l.relation AS tells
      FROM graph_link l JOIN document d ON d.id = l.target_document_id
      WHERE l.document_id = ?1 AND d.id <> ?1 {visible}`,
  }),
  way({
    from: 'document',
    to: 'document',
    relation: LINKS,
    rowsEach: LINKS_EACH,
    isOutward: false,
    crowd: 'SELECT DISTINCT document_id, relation FROM graph_link WHERE target_document_id = ?1',
    sql: `SELECT d.id, d.path AS name, 0 AS position, 1 AS weight, l.relation AS tells
      FROM graph_link l JOIN document d ON d.id = l.document_id
      WHERE l.target_document_id = ?1 AND d.id <> ?1 {visible}`,
  }),
  way({
    from: 'place',
    to: 'entity',
    relation: MENTIONS,
    rowsEach: MENTIONS_EACH,
    isOutward: true,
    sql: `SELECT e.id, e.key AS name, 0 AS position, m.count AS weight, m.is_defined AS tells
      FROM graph_mention m JOIN graph_entity e ON e.id = m.entity_id WHERE m.place_id = ?1{owned}`,
  }),
  way({
    from: 'entity',
    to: 'place',
    relation: MENTIONS,
    rowsEach: MENTIONS_EACH,
    isOutward: false,
    crowd: 'SELECT DISTINCT place_id FROM graph_mention WHERE entity_id = ?1',
    sql: `SELECT p.id, p.node_id AS name, p.position, m.count AS weight, m.is_defined AS tells
      FROM graph_mention m JOIN graph_place p ON p.id = m.place_id{ofDocument}
      WHERE m.entity_id = ?1 {visible}{owned}`,
  }),
];
