import { RELATIONS } from '../../core/graph-model.js';
import type { NodeKind } from '../../core/node-id.js';
import { findBridges } from './find-bridges.js';
import { type GraphOwner, LIVE_GRAPH } from './graph-slot.js';
import type { RunCypher } from './neo4j-connection.js';
import { Neo4jNodes } from './neo4j-nodes.js';
import { Neo4jWalker } from './neo4j-walker.js';
import { VisibleNodes } from './visible-nodes.js';

/** Reads from Neo4j in one transaction. */
type Reading = (run: RunCypher) => Promise<unknown>;

const KINDS: readonly NodeKind[] = ['document', 'place', 'step', 'entity'];
/** A slot without nodes. */
const NOWHERE = '';
const NO_ID = 'none';

/** Everything that is read for questions, about nodes that don't exist. */
function allReadings(owner: GraphOwner, docTags: readonly string[] | null): Reading[] {
  const scope = { ...owner, docTags, repositories: null };
  const visible = new VisibleNodes(scope, NOWHERE);
  const nodes = (run: RunCypher) => new Neo4jNodes(run, scope, visible, false);
  const around = { scope, seeds: [], relations: RELATIONS, direction: 'both' } as const;
  const walk = (kind: NodeKind) => (run: RunCypher) => {
    const walker = new Neo4jWalker(run, { ...around, maxHops: 1, fanOut: 1, limit: 1 }, visible);
    return walker.walk([walker.meet(NO_ID, { kind, no: -1 })]);
  };
  return [
    (run) => run(LIVE_GRAPH, { key: NOWHERE }),
    (run) => nodes(run).find([NO_ID]),
    (run) => nodes(run).at([{ kind: 'document', no: -1 }]),
    (run) => findBridges(run, visible, [NO_ID]),
    ...KINDS.map(walk),
  ];
}

/**
 * Lets Neo4j plan all statements: those for everything, and those within doc tags or repositories. Planning takes longer
 * than running, and a plan is lost if its transaction ends first, so each reading has its own.
 * @param read  runs one read transaction
 */
export async function preparePlans(
  owner: GraphOwner,
  read: (reading: Reading) => Promise<unknown>,
): Promise<void> {
  for (const docTags of [null, []]) for (const reading of allReadings(owner, docTags)) await read(reading);
}
