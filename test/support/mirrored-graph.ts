import { NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import { Neo4jConnection, type Neo4jOptions } from '../../src/engines/neo4j/neo4j-connection.js';
import { Neo4jMirror } from '../../src/engines/neo4j/neo4j-mirror.js';
import type { BuiltIndex } from '../../src/ingest/built-index.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { readBuiltGraph } from '../../src/sqlite/graph/read-built-graph.js';
import { generationName } from '../../src/sqlite/index-file.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { canonicalJson } from '../../src/text/canonical-json.js';
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
  textBytes: () => 0,
  acronyms: () => [],
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
    const indexedAt = meta.get('indexed_at') ?? '';
    const stamp = {
      generation: generationName(meta.get('index_id') ?? '', Number(meta.get('generation')), indexedAt),
      projectId,
      environment: meta.get('environment') ?? '',
      indexedAt,
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

/** Every node and relation of a stored graph, without the numbers and names that Neo4j gives them. */
const NODES = `MATCH (i:PithIndex {project: $given.projectId}) MATCH (n:Pith {index: i.key + i.live}) WHERE n.no >= 0
  RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS facts`;
const EDGES = `MATCH (i:PithIndex {project: $given.projectId}) MATCH (n:Pith {index: i.key + i.live}) WHERE n.no >= 0
  MATCH (n)-[r]->(m) RETURN elementId(r) AS element, n.id AS from, type(r) AS relation, m.id AS to, properties(r) AS facts`;

/** All stored items of a project, by Neo4j's name of them. */
export async function storedItems(projectId: string): Promise<Map<string, string>> {
  connection ??= new Neo4jConnection(neo4jOptions());
  const rows = await connection.read(async (run) =>
    (await Promise.all([run(NODES, { projectId }), run(EDGES, { projectId })])).flat(),
  );
  return new Map(
    rows.map(({ element, ...row }) => {
      const facts = { ...(row['facts'] as object), no: null, index: null };
      const labels = Array.isArray(row['labels']) ? row['labels'].toSorted() : [];
      return [String(element), canonicalJson({ ...row, labels, facts })];
    }),
  );
}

/** Removes the graph of a project. */
export async function removeGraph(projectId: string): Promise<void> {
  const ofProject = 'MATCH (i:PithIndex {project: $given.projectId})';
  for (const slot of ['a', 'b'])
    await changeNeo4j(
      `${ofProject} MATCH (n:Pith {index: i.key + '${slot}'}) WHERE n.no >= 0 DETACH DELETE n`,
      { projectId },
    );
  await changeNeo4j(`${ofProject} DELETE i`, { projectId });
}

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
