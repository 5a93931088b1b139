import { RELATIONS } from '../../../src/core/graph-model.js';
import type { Expansion, GraphQuery, GraphStore } from '../../../src/core/ports/graph-store.port.js';
import type { Scope } from '../../../src/core/scope.js';
import { Neo4jGraphStore } from '../../../src/engines/neo4j/neo4j-graph-store.js';
import { openDatabase } from '../../../src/sqlite/driver.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { buildIndex } from '../../support/build-index.js';
import { sharedData } from '../../support/corpora.js';
import { describeEngines } from '../../support/engine.js';
import { changeNeo4j, closeNeo4j, mirrorGraph, neo4jOptions } from '../../support/mirrored-graph.js';
import { testFolder } from '../../support/test-folder.js';

jest.setTimeout(600_000);

const CORPUS = sharedData('corpora/dev-mcp-nestjs');
/** One of this number of nodes is described; walks start at every third of these. */
const EVERY = 23;
const IDS = `SELECT node_id AS id FROM graph_place UNION ALL SELECT path FROM document
  UNION ALL SELECT 'entity:' || key FROM graph_entity
  UNION ALL SELECT p.node_id || '/_step-' || t.number FROM graph_step t JOIN graph_place p ON p.id = t.place_id`;

type Ask = (store: GraphStore, scope: Scope) => Promise<unknown>;

/** Sorts the nodes of an expansion, which have no fixed order. */
const inOrder = async (asked: Promise<Expansion>): Promise<Expansion> => {
  const found = await asked;
  return { ...found, nodes: found.nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
};

/** Skips the suite, and says what it needs, where the corpus is missing. */
const describeCorpus: typeof describeEngines =
  CORPUS === null
    ? (_, title, tests) => describe.skip(`${title} (put dev-mcp-nestjs into ../shared/data/corpora)`, tests)
    : describeEngines;

describeCorpus(['neo4j'], 'Neo4j and the index file', () => {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const own = { projectId: `same-answers-${process.pid}`, environment: '' };
  const sqlite = makePort('graph', new SqliteReader(file, embedderNamed('lsa')));
  let neo4j: Neo4jGraphStore | null = null;
  let scope: Scope = { ...own, docTags: null, repositories: null };
  let ids: readonly string[] = [];

  beforeAll(async () => {
    if (CORPUS === null) return;
    await buildIndex(CORPUS, file);
    await mirrorGraph(file, own.projectId);
    const database = openDatabase(file, { readOnly: true });
    const meta = database
      .prepare("SELECT key, value FROM meta WHERE key IN ('project_id', 'environment')")
      .all();
    const valueOf = (key: string): string => String(meta.find((row) => row['key'] === key)?.['value']);
    ids = database
      .prepare(IDS)
      .all()
      .map((row) => String(row['id']));
    database.close();
    scope = { ...scope, projectId: valueOf('project_id'), environment: valueOf('environment') };
    own.environment = scope.environment;
    neo4j = new Neo4jGraphStore(neo4jOptions(), own);
  });
  afterAll(async () => {
    await sqlite.close();
    await neo4j?.close();
    const nodes = 'MATCH (i:PithIndex {project: $given.projectId}) MATCH (n:Pith {index: i.key + i.live})';
    await changeNeo4j(`${nodes} WHERE n.no >= 0 DETACH DELETE n`, own);
    await changeNeo4j('MATCH (i:PithIndex {project: $given.projectId}) DELETE i', own);
    await closeNeo4j();
    folder.remove();
  });

  /** The answer of both stores; the test fails if they differ by a byte. */
  async function both(ask: Ask, narrowed: Partial<Scope>): Promise<void> {
    const asked = { ...scope, ...narrowed };
    const expected = await ask(sqlite, asked);
    const found = neo4j && (await ask(neo4j, { ...asked, projectId: own.projectId }));
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
  }

  const some = (): string[] => ids.filter((_, i) => i % EVERY === 0);
  const SCOPES = [{}, { docTags: ['mcp'] }, { docTags: ['nestjs', 'mcp'] }, { docTags: ['nothing'] }];

  it('describe hundreds of nodes identically', async () => {
    expect(some().length).toBeGreaterThan(300);
    for (const narrowed of SCOPES)
      for (let from = 0; from < some().length; from += 40)
        await both((store, asked) => store.describe(asked, some().slice(from, from + 40), true), narrowed);
  });

  it('walk and expand identically, from a hundred nodes, one to three hops', async () => {
    const seeds = some().filter((_, i) => i % 3 === 0);
    expect(seeds.length).toBeGreaterThan(100);
    for (const [i, id] of seeds.entries()) {
      const query = (asked: Scope): GraphQuery => ({
        scope: asked,
        seeds: [id],
        relations: RELATIONS,
        direction: i % 5 === 0 ? 'out' : 'both',
        maxHops: 1 + (i % 3),
        fanOut: 50,
        limit: 200,
      });
      const page = { offset: i % 2 === 0 ? 0 : 10, size: 25, withSnippet: true };
      const narrowed = SCOPES[i % 3] ?? {};
      await both((store, asked) => store.walk(query(asked)), narrowed);
      await both((store, asked) => inOrder(store.expand(query(asked), page)), narrowed);
    }
  });

  it('find the same bridges', async () => {
    const places = ids.filter((id) => id.includes('#')).slice(0, 2_000);
    for (let from = 0; from < places.length; from += 100)
      await both(
        (store, asked) => store.bridges(asked, places.slice(from, from + 100)),
        SCOPES[from % 200 === 0 ? 0 : 1] ?? {},
      );
  });
});
