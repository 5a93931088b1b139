import type { BuiltLink } from '../../ingest/built-index.js';
import { rowsTogether } from './group-rows.js';

/** An end of a relation: a path, or the id of a place. */
export interface LinkEnd {
  readonly kind: 'document' | 'place';
  readonly name: string;
}

/** All links of one kind from one node to another. */
export interface LinkEdge {
  readonly relation: BuiltLink['relation'];
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  readonly links: number;
}

/** How many pairs of a relation and of what it comes from lead to each node, those from itself among them. */
export interface LinkCrowds {
  /** To places, by id; from places. */
  readonly toPlace: ReadonlyMap<string, number>;
  /** To documents or into them, by path; from places. */
  readonly fromPlaces: ReadonlyMap<string, number>;
  /** To documents or into them, by path; from documents. */
  readonly fromDocuments: ReadonlyMap<string, number>;
}

const document = (name: string): LinkEnd => ({ kind: 'document', name });
const place = (name: string): LinkEnd => ({ kind: 'place', name });

/** A link leads from its section, and from its document to the other one; nothing leads to itself. */
function endsOf(link: BuiltLink): (readonly [from: LinkEnd, to: LinkEnd])[] {
  const ofPlace: [LinkEnd, LinkEnd] = [
    place(link.place),
    link.targetPlace === null ? document(link.targetDocument) : place(link.targetPlace),
  ];
  const ofDocument: [LinkEnd, LinkEnd] = [document(link.document), document(link.targetDocument)];
  return [ofPlace, ofDocument].filter(([from, to]) => from.kind !== to.kind || from.name !== to.name);
}

/** What links make of two nodes: one edge for all of a kind. @param links  those of a document together */
export function* linkEdges(links: Iterable<BuiltLink>): Generator<LinkEdge> {
  for (const group of rowsTogether(links, (link) => link.document)) {
    const edges = new Map<string, LinkEdge>();
    for (const link of group) {
      for (const [from, to] of endsOf(link)) {
        const { relation } = link;
        const key = JSON.stringify([relation, from, to]);
        edges.set(key, { relation, from, to, links: (edges.get(key)?.links ?? 0) + 1 });
      }
    }
    yield* edges.values();
  }
}

/** Counts what leads to each node. @param links  those of a document together */
export function linkCrowds(links: Iterable<BuiltLink>): LinkCrowds {
  const crowds = {
    toPlace: new Map<string, number>(),
    fromPlaces: new Map<string, number>(),
    fromDocuments: new Map<string, number>(),
  };
  for (const group of rowsTogether(links, (link) => link.document)) {
    const seen = new Set<string>();
    const count = (crowd: keyof typeof crowds, target: string, ...from: readonly string[]): void => {
      const key = JSON.stringify([crowd, target, from]);
      if (seen.has(key)) return;
      seen.add(key);
      crowds[crowd].set(target, (crowds[crowd].get(target) ?? 0) + 1);
    };
    for (const { relation, targetDocument, targetPlace, place: from } of group) {
      if (targetPlace !== null) count('toPlace', targetPlace, from, relation);
      count('fromPlaces', targetDocument, from, relation);
      count('fromDocuments', targetDocument, relation);
    }
  }
  return crowds;
}
