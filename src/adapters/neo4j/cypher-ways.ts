import type { Relation } from '../../graph/graph-model.js';
import { HUB, LINKS_EACH, MENTIONS_EACH, MOST_OF_SEED, mostPairsOf, mostRowsOf } from '../../graph/hubs.js';
import type { BoundedWay } from '../../graph/hubs.js';
import type { NodeKind } from '../../graph/node-id.js';
import type { VisibleNodes } from './visible-nodes.js';

/** How to get from a node to those next to it by one relation, or two that are counted together. */
export interface CypherWay extends BoundedWay {
  readonly from: NodeKind;
  readonly to: NodeKind;
  readonly isOutward: boolean;
  /** On the node, where there may be very many: how many pairs of neighbour and relation there are. */
  readonly crowd: 'fromPlaces' | 'fromDocuments' | null;
}

const LABEL_OF = {
  document: 'Document',
  place: 'Place',
  step: 'Step',
  entity: 'Entity',
} as const satisfies Record<NodeKind, string>;

type Ends = readonly [from: NodeKind, to: NodeKind];

const oneWay = (relation: Relation, [from, to]: Ends, isOutward: boolean): CypherWay => ({
  from,
  to,
  isOutward,
  relations: [relation],
  rowsEach: 1,
  crowd: null,
});
/** Structure leads there and back. */
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

/** All ways; statements name them by their place here. */
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

/** Of mentions both relations are told by one, since what defines a thing mentions it, too. */
function weighed(way: CypherWay, visible: VisibleNodes): string {
  if (way.rowsEach !== MENTIONS_EACH) return 'type(r) AS relation, r.weight AS weight, r.weight AS rows';
  const owned = visible.isOpen
    ? 'true'
    : `(r.weight = r.own OR ${way.isOutward ? visible.owns('m') : 'owned'})`;
  return `CASE WHEN ${owned} THEN r.weight ELSE r.own END AS weight, r.defines AS defines,
    r.ownRows + CASE WHEN r.weight > r.own AND ${owned} THEN 1 ELSE 0 END AS rows`;
}

const BOTH = `UNWIND [['MENTIONS', weight, rows], ['DEFINES', defines, 0]] AS told
  WITH m, told[0] AS relation, told[1] AS weight, told[2] AS rows WHERE weight > 0`;

/** One way from the node `n`: for each relation its neighbours, unless they are too many, and how many rows they are. */
function branch(way: CypherWay, isSeed: boolean, visible: VisibleNodes): string {
  const isMention = way.rowsEach === MENTIONS_EACH;
  const relation = isMention ? 'MENTIONS' : way.relations.join('|');
  const [left, right] = way.isOutward ? ['-', '->'] : ['<-', '-'];
  const seen = way.to === 'entity' ? 'm.index = $index' : visible.of('m');
  const hides = way.crowd !== null && visible.isOpen && !isSeed;
  const told = `[m.no, m.id, coalesce(m.position, 0), weight${visible.isOpen ? '' : ', m.docTag, m.repository'}]`;
  return `WITH n ${hides ? `WITH n WHERE n.${way.crowd} <= ${mostPairsOf(way)}` : ''}
    ${isMention && !way.isOutward ? `WITH n, ${visible.owns('n')} AS owned` : ''}
    MATCH (n)${left}[r:${relation}]${right}(m:${LABEL_OF[way.to]}) WHERE ${seen}
    WITH m, ${weighed(way, visible)} ${isMention ? 'WHERE weight > 0' : ''}
    WITH * LIMIT ${isSeed ? MOST_OF_SEED : mostRowsOf(way)}
    ${isMention ? BOTH : ''}
    WITH relation, collect(${told}) AS found, sum(rows) AS rows
    RETURN ${CYPHER_WAYS.indexOf(way)} AS way, relation, rows,
      ${isSeed ? 'found' : `CASE WHEN size(found) > ${HUB} THEN [] ELSE found END AS found`}`;
}

/** Asks for everything next to some nodes of one kind, `$asked` by number. @param ways  from this kind, one at least */
export function neighboursCypher(ways: readonly CypherWay[], isSeed: boolean, visible: VisibleNodes): string {
  const kind = ways[0]?.from ?? 'document';
  const seen = kind === 'entity' ? 'n.index = $index' : visible.of('n');
  return `UNWIND $asked AS no MATCH (n:Pith {index: $index, no: no}) WHERE ${seen} AND n:${LABEL_OF[kind]}
    CALL { ${ways.map((way) => branch(way, isSeed, visible)).join('\nUNION ALL\n')} }
    RETURN no, way, relation, rows, found`;
}
