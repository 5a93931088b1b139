import { rowsByKey } from '../../core/collections/group-rows.js';
import type { Relation } from '../../core/graph-model.js';
import type { NodeKind } from '../../core/node-id.js';
import {
  type BoundedWay,
  HUB,
  LINKS_EACH,
  MAX_OF_SEED,
  MENTIONS_EACH,
  mostPairsOf,
  mostRowsOf,
} from '../../graph/hubs.js';
import { LABEL_OF } from './graph-plan.js';
import { matchNode } from './graph-slot.js';
import type { VisibleNodes } from './visible-nodes.js';

/** A way from nodes of one kind to neighbours of one kind, by one relation, or by two relations that share a limit. */
export interface CypherWay extends BoundedWay {
  readonly from: NodeKind;
  readonly to: NodeKind;
  readonly isOutward: boolean;
  /** Property of the start node with its number of (neighbour, relation) pairs; null if that number is always small. */
  readonly crowd: 'fromPlaces' | 'fromDocuments' | null;
}

type Ends = readonly [from: NodeKind, to: NodeKind];

const oneWay = (relation: Relation, [from, to]: Ends, isOutward: boolean): CypherWay => ({
  from,
  to,
  isOutward,
  relations: [relation],
  rowsEach: 1,
  crowd: null,
});
const bothWays = (relation: Relation, [from, to]: Ends): CypherWay[] => [
  oneWay(relation, [from, to], true),
  oneWay(relation, [to, from], false),
];
const links = (from: NodeKind, to: NodeKind, crowd?: CypherWay['crowd']): CypherWay => ({
  ...oneWay('REFERENCES', [from, to], crowd === undefined),
  relations: ['REFERENCES', 'RELATED_TO'],
  rowsEach: LINKS_EACH,
  crowd: crowd ?? null,
});
const mentions = (from: NodeKind, to: NodeKind, crowd: CypherWay['crowd']): CypherWay => ({
  ...oneWay('MENTIONS', [from, to], crowd === null),
  relations: ['MENTIONS', 'DEFINES'],
  rowsEach: MENTIONS_EACH,
  crowd,
});

/** All ways; statements refer to them by index. */
export const CYPHER_WAYS: readonly CypherWay[] = [
  ...bothWays('HAS_CHUNK', ['document', 'place']),
  ...bothWays('NEXT_CHUNK', ['place', 'place']),
  ...bothWays('PARENT_OF', ['document', 'place']),
  ...bothWays('PARENT_OF', ['place', 'place']),
  ...bothWays('CONTAINS_STEP', ['place', 'step']),
  links('place', 'place'),
  links('place', 'document'),
  links('place', 'place', 'fromPlaces'),
  links('document', 'place', 'fromPlaces'),
  links('document', 'document'),
  links('document', 'document', 'fromDocuments'),
  mentions('place', 'entity', null),
  mentions('entity', 'place', 'fromPlaces'),
];

/** The columns of a row. One stored relation holds mentions and definitions, since each definition is a mention. */
function weighed(way: CypherWay, visible: VisibleNodes): string {
  if (way.rowsEach !== MENTIONS_EACH) return 'type(r) AS relation, r.weight AS weight, r.weight AS rows';
  const owned = visible.isOpen
    ? 'true'
    : `(r.weight = r.own OR ${way.isOutward ? visible.owns('m') : 'owned'})`;
  return `CASE WHEN ${owned} THEN r.weight ELSE r.own END AS weight, r.defines AS defines,
    r.ownRows + CASE WHEN r.weight > r.own AND ${owned} THEN 1 ELSE 0 END AS rows`;
}

const BOTH = `UNWIND [['MENTIONS', weight, rows], ['DEFINES', defines, 0]] AS pair
  WITH m, pair[0] AS relation, pair[1] AS weight, pair[2] AS rows WHERE weight > 0`;

/** Subquery for one way from node `n`. It counts the rows of each relation and lists the neighbours unless too many. */
function branch(way: CypherWay, visible: VisibleNodes): string {
  const isMention = way.rowsEach === MENTIONS_EACH;
  const relation = isMention ? 'MENTIONS' : way.relations.join('|');
  const [left, right] = way.isOutward ? ['-', '->'] : ['<-', '-'];
  const seen = way.to === 'entity' ? 'm.index = $given.index' : visible.of('m');
  const fields = `[m.no, m.id, coalesce(m.position, 0), weight${visible.isOpen ? '' : ', m.docTag, m.repository, m.allow'}]`;
  const no = CYPHER_WAYS.indexOf(way);
  return `WITH n WITH n WHERE ${no} IN $given.ways ${way.crowd === null ? '' : `AND n.${way.crowd} <= $given.mostPairs`}
    ${isMention && !way.isOutward ? `WITH n, ${visible.owns('n')} AS owned` : ''}
    MATCH (n)${left}[r:${relation}]${right}(m:${LABEL_OF[way.to]}) WHERE ${seen}
    WITH m, ${weighed(way, visible)} ${isMention ? 'WHERE weight > 0' : ''}
    WITH * LIMIT $given.mostRows
    ${isMention ? BOTH : ''}
    WITH relation, collect(${fields}) AS found, sum(rows) AS rows
    RETURN ${no} AS way, relation, rows, CASE WHEN size(found) > $given.hub THEN [] ELSE found END AS found`;
}

/**
 * All ways, in families. The ways of a family start at the same kind of node, have the same limits, and share one
 * statement. Neo4j plans each new statement text, which takes longer than running it, and loses the plan if the
 * transaction ends during planning. So there are few, short texts, and everything that varies is a parameter.
 */
export const CYPHER_FAMILIES: readonly (readonly CypherWay[])[] = [
  ...rowsByKey(CYPHER_WAYS, (way) => `${way.from} ${mostRowsOf(way)} ${mostPairsOf(way)}`).values(),
];

const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** The requested ways of one family, and the start nodes. */
export interface NeighbourRequest {
  /** All have the same limits. */
  readonly ways: readonly [CypherWay, ...CypherWay[]];
  /** Numbers of the start nodes. */
  readonly nodes: readonly number[];
  readonly areSeeds: boolean;
}

/** Builds the statement that finds the neighbours of some nodes by ways of one family. */
export function neighboursStatement(
  family: readonly CypherWay[],
  { ways, nodes, areSeeds }: NeighbourRequest,
  visible: VisibleNodes,
) {
  const [{ from }] = ways;
  const seen = from === 'entity' ? 'n.index = $given.index' : visible.of('n');
  const cypher = `UNWIND $given.nodes AS no ${matchNode('n', 'no', 'no')} WHERE ${seen} AND n:${LABEL_OF[from]}
    CALL { ${family.map((way) => branch(way, visible)).join('\nUNION ALL\n')} }
    RETURN no, way, relation, rows, found`;
  const numbers = ways.map((way) => CYPHER_WAYS.indexOf(way));
  const bounds = boundsOf(ways[0], areSeeds, visible);
  return { cypher, values: { ...visible.values, ...bounds, ways: numbers, nodes } };
}

function boundsOf(way: CypherWay, isSeed: boolean, { isOpen }: VisibleNodes) {
  if (isSeed) return { mostRows: MAX_OF_SEED, mostPairs: UNBOUNDED, hub: UNBOUNDED };
  // The stored number of pairs includes hidden nodes, so it is used only if everything is visible.
  return { mostRows: mostRowsOf(way), mostPairs: isOpen ? mostPairsOf(way) : UNBOUNDED, hub: HUB };
}
