import type { BuiltLink } from '../../ingest/built-index.js';
import { rowsTogether } from '../../sqlite/group-rows.js';

/** An end of a relation. */
export interface LinkEnd {
  readonly kind: 'document' | 'place';
  /** The document's path, or the place's id. */
  readonly name: string;
}

/** All links with the same relation between the same two nodes. */
interface LinkEdge {
  readonly relation: BuiltLink['relation'];
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  readonly links: number;
}

/** Number of distinct (source, relation) pairs among the incoming links of each node, including links from itself. */
export interface LinkCrowds {
  /** Links from places to a place, by id of the target place. */
  readonly toPlace: ReadonlyMap<string, number>;
  /** Links from places to a document or to a place in it, by path of the target document. */
  readonly fromPlaces: ReadonlyMap<string, number>;
  /** Keys are paths of target documents, including links to their places; sources are documents. */
  readonly fromDocuments: ReadonlyMap<string, number>;
}

const document = (name: string): LinkEnd => ({ kind: 'document', name });
const place = (name: string): LinkEnd => ({ kind: 'place', name });

/** The two edges of a link: from its section to the target, and from page to page. Self-links are left out. */
function endsOf(link: BuiltLink): [from: LinkEnd, to: LinkEnd][] {
  const page = document(link.targetDocument);
  const ends: [LinkEnd, LinkEnd][] = [
    [place(link.place), link.targetPlace === null ? page : place(link.targetPlace)],
    [document(link.document), page],
  ];
  return ends.filter(([from, to]) => from.kind !== to.kind || from.name !== to.name);
}

/** Merges links with the same relation and ends into one edge. @param links  grouped by document */
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

/** Counts the incoming links of each node. @param links  grouped by document */
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
