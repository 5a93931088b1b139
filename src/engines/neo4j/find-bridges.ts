import type { Bridge } from '../../core/ports/graph-store.port.js';
import { MAX_MENTIONED_BY } from '../../graph/title-concepts.js';
import { matchNode } from './graph-slot.js';
import type { RunCypher } from './neo4j-connection.js';
import type { VisibleNodes } from './visible-nodes.js';

/** Sorts by UTF-8 bytes, the order of the index file. */
const inOrder = (a: Bridge, b: Bridge): number =>
  Buffer.compare(Buffer.from(a.source), Buffer.from(b.source)) ||
  Buffer.compare(Buffer.from(a.target), Buffer.from(b.target));

/** Finds pairs of visible sections of different documents where one section mentions a title above the other. */
export async function findBridges(
  run: RunCypher,
  visible: VisibleNodes,
  sectionIds: readonly string[],
): Promise<Bridge[]> {
  const values = { ...visible.values, ids: [...new Set(sectionIds)], most: MAX_MENTIONED_BY };
  const own = `UNWIND $given.ids AS id ${matchNode('s', 'id', 'id')} WHERE s:Section AND ${visible.of('s')}`;
  const [sections, named] = await Promise.all([
    run(`${own} RETURN s.id AS id, s.no AS no, s.path AS path`, values),
    run(
      `${own} MATCH (s)-[r:MENTIONS]->(e:Entity) WHERE e.mentionedBy <= $given.most AND r.weight > r.own
       MATCH (e)-[:OWNED_BY]->(o) WHERE ${visible.of('o')} AND o.path <> s.path
       RETURN DISTINCT s.id AS source, o.path AS path, CASE WHEN o:Place THEN o.no END AS no`,
      values,
    ),
  ]);
  const bridges = new Map<string, Bridge>();
  for (const { source, path, no } of named) {
    for (const section of sections) {
      // A document's title applies to all its sections.
      if (section['path'] !== path || (no !== null && section['no'] !== no)) continue;
      const bridge = { source: String(source), target: String(section['id']) };
      bridges.set(JSON.stringify(bridge), bridge);
    }
  }
  return [...bridges.values()].sort(inOrder);
}
