import neo4jDriver from 'neo4j-driver';
import { withCallSignal } from '../../../src/core/call-signal.js';
import { listsName } from '../../../src/core/document-groups.js';
import { RELATIONS } from '../../../src/core/graph-model.js';
import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import type { Expansion, GraphQuery } from '../../../src/core/ports/graph-store.port.js';
import { Neo4jConnection } from '../../../src/engines/neo4j/neo4j-connection.js';
import { Neo4jGraphStore } from '../../../src/engines/neo4j/neo4j-graph-store.js';
import { VisibleNodes } from '../../../src/engines/neo4j/visible-nodes.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { OwnGraph } from '../../contract/neo4j-subjects.js';
import { describeEngines } from '../../support/engine.js';
import { aLink, aMention, aPage, aStep, someTexts } from '../../support/graphs.js';
import { EVERYTHING, SETTINGS } from '../../support/indexed-documents.js';
import { closeNeo4j, neo4jOptions } from '../../support/mirrored-graph.js';
import { poll } from '../../support/processes.js';
import { sentWithin } from '../../support/sent-to-neo4j.js';
import { testFolder } from '../../support/test-folder.js';

jest.setTimeout(300_000);

/** The plan of a statement. */
interface Plan {
  readonly operatorType: string;
  readonly children?: readonly Plan[];
}

/** Takes longer than any test. */
const FOR_EVER = 'UNWIND range(1, 100000000000) AS i WITH i WHERE i < 0 RETURN count(i) AS n';
/** The running transactions with this statement. */
const RUNNING = `SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range' RETURN currentQuery`;

/** Waits until this number of them is running. */
async function untilRunning(neo4j: Neo4jConnection, count: number): Promise<void> {
  await poll(`${count} running`, async () => {
    const running = await neo4j.read((run) => run(RUNNING, {}));
    return running.length === count || undefined;
  });
}

/** Texts that often cause errors in programs. */
const HOSTILE = [
  `'}) DETACH DELETE n //`,
  '"]-() RETURN n //',
  '`) MATCH (n) DELETE n; //',
  '$index',
  '${index}',
  '\\u0027 OR true //',
  'a\\',
  '{index: "x"}',
  '%27%20OR%201=1',
  'Ünïcödé ✓ 漢字 🚀',
  'a\u200Bb',
  '__proto__',
  'constructor',
];

describeEngines(['neo4j'], 'Neo4j as an engine', () => {
  const folder = testFolder();
  const opened: OwnGraph[] = [];
  afterAll(async () => {
    for (const each of opened) await each.dispose();
    await closeNeo4j();
    folder.remove();
  });

  /** Stores for the same graph, in an index file and in Neo4j. */
  function twoStores() {
    const file = folder.file(`index-${opened.length}.sqlite`);
    const own = new OwnGraph(file);
    opened.push(own);
    return {
      sqlite: makePort('graph', new SqliteReader(file, embedderNamed('lsa'))),
      neo4j: own.graph,
      publish: (...documents: readonly IndexedDocument[]) => own.publish(documents),
    };
  }

  const around = (seeds: readonly string[], parts: Partial<GraphQuery> = {}): GraphQuery => ({
    scope: EVERYTHING,
    seeds,
    relations: RELATIONS,
    direction: 'both',
    maxHops: 2,
    fanOut: 50,
    limit: 500,
    ...parts,
  });
  const PAGE = { offset: 0, size: 500, withSnippet: true };
  /** An answer without the generation, and with sorted nodes. */
  const plain = ({ nodes, ...expansion }: Expansion): string =>
    JSON.stringify([{ ...expansion, generation: '' }, [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1))]);

  it('shows readers one complete generation while the next ones are published', async () => {
    const { sqlite, neo4j, publish: put } = twoStores();
    const pages = (version: number) =>
      Array.from({ length: 30 }, (_, i) =>
        aPage(
          `p${i}.md`,
          { links: [aLink(`p${(i + version) % 30}.md`)], mentions: [aMention(`version${version}`)] },
          { title: `Version ${version} of ${i}` },
        ),
      );
    const query = around(['p0.md', 'p7.md#_document'], { maxHops: 3 });
    const expected = new Map<string, string>();
    const publishVersion = async (version: number): Promise<string> => {
      await put(...pages(version));
      const whole = await sqlite.expand(query, PAGE);
      expected.set(whole.generation, plain(whole));
      return whole.generation;
    };
    await publishVersion(1);
    let isOver = false;
    const seen: Expansion[] = [];
    const reader = async (): Promise<void> => {
      while (!isOver) seen.push(await neo4j.expand(query, PAGE));
    };
    const readers = [reader(), reader(), reader()];
    for (let version = 2; version <= 6; version++) {
      const published = await publishVersion(version);
      const isSeen = () => seen.some(({ generation }) => generation === published) || undefined;
      // The first answers of a new server take seconds.
      await poll(`an answer from version ${version}`, isSeen, 60_000);
    }
    isOver = true;
    await Promise.all(readers);
    const torn = seen.filter((each) => expected.get(each.generation) !== plain(each));
    expect(torn).toEqual([]);
    expect(new Set(seen.map(({ generation }) => generation)).size).toBeGreaterThan(4);
  });

  it('keeps nothing of the previous generation', async () => {
    const { neo4j, publish: put } = twoStores();
    await put(aPage('a.md'), aPage('b.md'));
    await put(aPage('a.md'));
    expect((await neo4j.describe(EVERYTHING, ['b.md', 'a.md'], false)).nodes).toMatchObject([
      null,
      { id: 'a.md' },
    ]);
  });

  it('stores and finds any text unchanged', async () => {
    const { sqlite, neo4j, publish: put } = twoStores();
    await put(
      ...HOSTILE.map((text, i) =>
        aPage(
          `${text}.md`,
          {
            links: [aLink(`${encodeURI(HOSTILE[(i + 1) % HOSTILE.length] ?? '')}.md`)],
            mentions: [aMention(text), aMention('shared')],
            steps: [aStep(text)],
          },
          { title: text, texts: [text], docTag: text, repository: text },
        ),
      ),
    );
    const paths = HOSTILE.map((text) => `${text}.md`);
    for (const scope of [EVERYTHING, ...HOSTILE.map((text) => ({ ...EVERYTHING, docTags: [text] }))]) {
      const ids = [...paths, ...HOSTILE, 'shared'];
      expect((await neo4j.describe(scope, ids, true)).nodes).toEqual(
        (await sqlite.describe(scope, ids, true)).nodes,
      );
      const query = around(ids, { scope });
      expect(plain(await neo4j.expand(query, PAGE))).toBe(plain(await sqlite.expand(query, PAGE)));
    }
  });

  it('gives the same answers as the index file for ten thousand sections', async () => {
    const { sqlite, neo4j, publish: put } = twoStores();
    const documents = Array.from({ length: 100 }, (_, i) =>
      aPage(
        `d${i}.md`,
        {
          links: [aLink(`d${(i * 7) % 100}.md`), aLink(`d${(i + 1) % 100}.md`, { section: 50 })],
          mentions: someTexts(100).map((_each, section) =>
            aMention(`thing${(i * 31 + section) % 400}`, { section }),
          ),
        },
        { texts: someTexts(100) },
      ),
    );
    await put(...documents);
    for (const seed of ['d0.md#_document', 'd99.md#s100', 'thing7', 'entity:thing399']) {
      const query = around([seed]);
      const found = await neo4j.expand(query, PAGE);
      expect(plain(found)).toBe(plain(await sqlite.expand(query, PAGE)));
      expect(found.nodes.length).toBeGreaterThan(10);
    }
  });

  it('finds nodes by an index, even if the query was planned on an empty database', async () => {
    const { url, user, password } = neo4jOptions();
    const driver = neo4jDriver.driver(url, neo4jDriver.auth.basic(user, password));
    const operators = ({ operatorType, children = [] }: Plan): string[] => [
      operatorType,
      ...children.flatMap(operators),
    ];
    for (const parts of [{}, { docTags: ['guide'] }]) {
      const sent = await sentWithin(parts);
      expect(sent.length).toBeGreaterThan(10);
      for (const { cypher, values } of sent) {
        const { summary } = await driver.executeQuery(`EXPLAIN ${cypher}`, { given: values });
        expect(operators(summary.plan as Plan).filter((name) => name.includes('Scan'))).toEqual([]);
      }
    }
    await driver.close();
  });

  it('plans all statements before there is a graph, and ends if it is closed meanwhile', async () => {
    const owner = { projectId: EVERYTHING.projectId, environment: EVERYTHING.environment };
    const store = new Neo4jGraphStore(neo4jOptions(), owner);
    await store.prepare();
    const ended = expect(store.prepare()).rejects.toThrow('The graph is closed.');
    await store.close();
    await ended;
  });

  it('shows no hidden node if a part of the scope is missing', async () => {
    const visible = new VisibleNodes(
      { ...EVERYTHING, docTags: ['guide'], repositories: ['docs'], groups: ['hr'] },
      'index',
      ['[["eng"]]', '[["hr"]]'],
    );
    const neo4j = new Neo4jConnection(neo4jOptions());
    const isSeen = async (home: readonly string[], values: object): Promise<boolean> => {
      const [docTag, repository, group] = home;
      const allow = listsName(`[["${group}"]]`);
      const node = `WITH {index: 'index', docTag: '${docTag}', repository: '${repository}', allow: '${allow}'} AS n`;
      const rows = await neo4j.read((run) =>
        run(`${node} WITH n WHERE ${visible.of('n')} RETURN n`, { ...values }),
      );
      return rows.length > 0;
    };
    expect(await isSeen(['guide', 'docs', 'hr'], visible.values)).toBe(true);
    const names = Object.keys(visible.values);
    const parts = [[], ...names.map((name) => [name]), ['docTags', 'anyDocTag'], names];
    for (const missing of parts) {
      const values = Object.fromEntries(
        Object.entries(visible.values).filter(([name]) => !missing.includes(name)),
      );
      for (const home of [
        ['other', 'docs', 'hr'],
        ['guide', 'other', 'hr'],
        ['guide', 'docs', 'eng'],
      ])
        expect([missing, home, await isSeen(home, values)]).toEqual([missing, home, false]);
    }
    await neo4j.close();
  });

  it('times out, and ends the query on the server', async () => {
    const hasty = new Neo4jConnection(neo4jOptions({ timeoutMs: 500 }));
    await expect(hasty.read((run) => run(FOR_EVER, {}))).rejects.toMatchObject({
      code: 'TIMEOUT',
      reason: 'neo4j',
    });
    const patient = new Neo4jConnection(neo4jOptions());
    await untilRunning(patient, 0);
    await hasty.close();
    await patient.close();
  });

  it('ends with its call, also on the server', async () => {
    const neo4j = new Neo4jConnection(neo4jOptions());
    const call = new AbortController();
    const asked = withCallSignal(call.signal, () => neo4j.read((run) => run(FOR_EVER, {})));
    const failed = expect(asked).rejects.toThrow('enough');
    await untilRunning(neo4j, 1);
    call.abort(new Error('enough'));
    await failed;
    await untilRunning(neo4j, 0);
    await neo4j.close();
  });

  it.each([
    ['a wrong password', { password: 'wrong-password' }],
    ['a database that is not there', { database: 'elsewhere' }],
    ['a server that is not there', { url: 'bolt://127.0.0.1:9', timeoutMs: 5_000 }],
  ])('reports %s without secrets', async (_, options) => {
    const owner = { projectId: SETTINGS.projectId, environment: SETTINGS.environment };
    const store = new Neo4jGraphStore(neo4jOptions(options), owner);
    const asked = store.describe(EVERYTHING, ['a.md'], false);
    await expect(asked).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', reason: 'neo4j' });
    await expect(asked).rejects.not.toThrow(/wrong-password|elsewhere|127\.0\.0\.1/);
    await store.close();
  });
});
