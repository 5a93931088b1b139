import { type Relation, RELATIONS } from '../../src/core/graph-model.js';
import type { NodeKind } from '../../src/core/node-id.js';
import type { Scope } from '../../src/core/scope.js';
import type { Neo4jRow } from '../../src/engines/neo4j/neo4j-connection.js';
import { findBridges } from '../../src/engines/neo4j/neo4j-graph-store.js';
import { Neo4jNodes } from '../../src/engines/neo4j/neo4j-nodes.js';
import { Neo4jWalker } from '../../src/engines/neo4j/neo4j-walker.js';
import { VisibleNodes } from '../../src/engines/neo4j/visible-nodes.js';
import { EVERYTHING } from './indexed-documents.js';

/** A statement with its parameters. */
export interface Sent {
  readonly cypher: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const KINDS: readonly NodeKind[] = ['document', 'place', 'step', 'entity'];

/** All statements that every method sends to Neo4j for a scope, if only the seeds are found. */
export async function sentWithin(
  parts: Partial<Scope>,
  relations: readonly Relation[] = RELATIONS,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const run = async (cypher: string, values: Sent['values']): Promise<Neo4jRow[]> => {
    sent.push({ cypher, values });
    return [];
  };
  const scope = { ...EVERYTHING, ...parts };
  const visible = new VisibleNodes(scope, 'index');
  for (const withSnippet of [true, false]) {
    const nodes = new Neo4jNodes(run, scope, visible, withSnippet);
    await nodes.find(['a.md']);
    await nodes.at([{ kind: 'place', no: 1 }]);
  }
  await findBridges(run, visible, ['a.md#s1']);
  const asked = { scope, seeds: [], relations, direction: 'both', maxHops: 2, fanOut: 5, limit: 5 } as const;
  const walker = new Neo4jWalker(run, asked, visible);
  await walker.walk(KINDS.map((kind, no) => walker.meet(`${kind} ${no}`, { kind, no })));
  return sent;
}
