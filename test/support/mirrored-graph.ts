import { NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import { Neo4jConnection, type Neo4jOptions } from '../../src/engines/neo4j/neo4j-connection.js';
import { Neo4jMirror } from '../../src/engines/neo4j/neo4j-mirror.js';
import type { BuiltIndex } from '../../src/ingest/built-index.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { readBuiltGraph } from '../../src/sqlite/graph/read-built-graph.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { engineUrl } from './engine.js';

/** The Neo4j server of the tests. */
export function neo4jOptions(overrides: Partial<Neo4jOptions> = {}): Neo4jOptions {
  return {
    url: engineUrl('neo4j') ?? '',
    user: process.env['NEO4J_USER'] ?? 'neo4j',
    password: process.env['NEO4J_PASSWORD'] ?? '',
    database: 'neo4j',
    timeoutMs: 30_000,
    concurrency: 8,
    ...overrides,
  };
}

const NO_SECTIONS = {
  profile: embedderNamed('none').profile,
  declaration: NOTHING_DECLARED,
  sectionCount: 0,
  averageLength: 0,
  space: null,
  documents: () => [],
  vocabulary: () => [],
};

/** The graph of an index file as a mirror receives it, under another project name. */
export async function withGraphOf(
  file: string,
  projectId: string,
  use: (built: BuiltIndex) => Promise<void>,
): Promise<void> {
  const database = openDatabase(file, { readOnly: true });
  try {
    database.exec('BEGIN');
    const rows = database.prepare("SELECT key, value FROM meta WHERE key <> 'corpus'").all();
    const meta = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
    const stamp = {
      generation: `${meta.get('index_id')}:${meta.get('generation')}`,
      projectId,
      environment: meta.get('environment') ?? '',
      indexedAt: meta.get('indexed_at') ?? '',
    };
    await use({ ...NO_SECTIONS, stamp, graph: readBuiltGraph(database) });
  } finally {
    // Statements that are not garbage-collected would keep the snapshot, and the next writer would wait for it.
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

/** The connection for writes of tests, opened on first use. */
let mirror: Neo4jMirror | null = null;

/** Mirrors an index file to Neo4j, under another project name. */
export async function mirrorGraph(file: string, projectId: string): Promise<void> {
  const into = (mirror ??= new Neo4jMirror(neo4jOptions()));
  await withGraphOf(file, projectId, (built) => into.fill(built, () => undefined).then((show) => show()));
}

let connection: Neo4jConnection | null = null;

/** Changes data without the adapter. */
export async function changeNeo4j(cypher: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  connection ??= new Neo4jConnection(neo4jOptions());
  await connection.write((run) => run(cypher, values));
}

/** Closes the connections after all tests. */
export async function closeNeo4j(): Promise<void> {
  await mirror?.close();
  await connection?.close();
}
