import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Facts, plannedEdges, plannedNodes } from '../../../src/engines/neo4j/graph-plan.js';
import { Neo4jGraphStore } from '../../../src/engines/neo4j/neo4j-graph-store.js';
import { Neo4jMirror } from '../../../src/engines/neo4j/neo4j-mirror.js';
import { canonicalJson } from '../../../src/text/canonical-json.js';
import { buildIndex } from '../../support/build-index.js';
import { randomFrom } from '../../support/corpora.js';
import { startCutProxy } from '../../support/cut-proxy.js';
import { describeEngines } from '../../support/engine.js';
import { EVERYTHING } from '../../support/indexed-documents.js';
import {
  changeNeo4j,
  closeNeo4j,
  mirrorGraph,
  neo4jOptions,
  removeGraph,
  storedItems,
  withGraphOf,
} from '../../support/mirrored-graph.js';
import { poll } from '../../support/processes.js';
import { testFolder } from '../../support/test-folder.js';

jest.setTimeout(600_000);

const PAGES = 40;
const CHANGES = 100;
const NAMES = [
  'Signing key',
  'Berth list',
  'Lantern',
  'Harbour (port)',
  'Harbour',
  'Overview',
  'Night watch',
];

describeEngines(['neo4j'], 'a graph in Neo4j that follows changes', () => {
  const folder = testFolder();
  const projects: string[] = [];
  afterAll(async () => {
    for (const each of projects) await removeGraph(each);
    await closeNeo4j();
    folder.remove();
  });

  function aProject(): string {
    const projectId = randomUUID();
    projects.push(projectId);
    return projectId;
  }

  /** Pages with random headings, links, steps and names. */
  function aCorpus(name: string, seed: number) {
    const random = randomFrom(seed);
    const corpus = folder.file(name);
    let writes = 0;
    mkdirSync(corpus);
    const below = (count: number): number => Math.floor(random() * count);
    const path = (page: number): string => `${corpus}/p${page}.md`;
    const write = (page: number): void => {
      const parts = Array.from({ length: 1 + below(4) }, () => {
        const [heading, other, symbol] = [NAMES[below(NAMES.length)], below(PAGES), below(90)];
        return `## ${heading}\n\nThe lantern of \`fn_${symbol}\` and [more](p${other}.md#lantern).\n\n1. Light it.\n2. Watch it.\n`;
      });
      const title = `# Page ${below(3) === 0 ? page : page + below(9)}`;
      writeFileSync(path(page), [title, ...parts, `Version ${++writes}.`].join('\n\n'));
    };
    for (let page = 0; page < PAGES; page++) write(page);
    const change = (): void => {
      const page = below(PAGES);
      if (random() < 0.15 && existsSync(path(page))) rmSync(path(page));
      else write(page);
    };
    return { corpus, path, change, file: folder.file(`${name}.sqlite`) };
  }

  /** The items of a graph, whatever Neo4j calls them. */
  const contents = async (projectId: string): Promise<string[]> =>
    [...(await storedItems(projectId)).values()].sort();

  /** The items that an index plans. */
  async function plannedItems(file: string): Promise<string[]> {
    const items: string[] = [];
    const add = (item: object, facts: Facts): void => {
      const stored = Object.entries(facts).filter(([, value]) => value !== null);
      items.push(canonicalJson({ ...item, facts: { ...Object.fromEntries(stored), no: null, index: null } }));
    };
    await withGraphOf(file, '', async ({ graph }) => {
      for (const { labels, facts } of plannedNodes(graph))
        add({ labels: ['Pith', ...labels.split(':')].sort() }, facts);
      for (const { relation, from, to, facts } of plannedEdges(graph))
        add({ labels: [], relation, from: from.id, to: to.id }, facts);
    });
    return items.sort();
  }

  /** The items that a new graph of an index has. */
  async function freshItems(file: string): Promise<string[]> {
    const fresh = aProject();
    await mirrorGraph(file, fresh);
    return contents(fresh);
  }

  it('costs a changed page its own items', async () => {
    const { corpus, path, file } = aCorpus('one', 1);
    const projectId = aProject();
    await buildIndex(corpus, file);
    await mirrorGraph(file, projectId);
    const before = await storedItems(projectId);
    writeFileSync(path(7), '# Page 7\n\nAnother text of `fn_7` with [a link](p8.md).\n');
    await buildIndex(corpus, file);
    const proxy = await startCutProxy(new URL(neo4jOptions().url));
    const mirror = new Neo4jMirror(neo4jOptions({ url: `bolt://127.0.0.1:${proxy.port}` }));
    const reported: number[] = [];
    await withGraphOf(file, projectId, async (built) =>
      (await mirror.fill(built, ({ done }) => reported.push(done)))(),
    );
    await mirror.close();
    proxy.stop();
    const after = await storedItems(projectId);
    const written = [...before].filter(([element, item]) => after.get(element) !== item).length;
    const added = [...after].filter(([element]) => !before.has(element)).length;
    expect(before.size).toBeGreaterThan(1_000);
    expect(written + added).toBe(reported.at(-1));
    expect(reported).toEqual([expect.any(Number)]);
    expect(written + added).toBeLessThan(100);
    expect(proxy.sentBytes()).toBeLessThan(40_000);
  });

  it(`equals a new graph after ${CHANGES} changes in a row, item by item`, async () => {
    const { corpus, change, file } = aCorpus('many', 2);
    const projectId = aProject();
    await buildIndex(corpus, file);
    await mirrorGraph(file, projectId);
    const first = new Set((await storedItems(projectId)).keys());
    for (let changes = 1; changes <= CHANGES; changes++) {
      change();
      await buildIndex(corpus, file);
      await mirrorGraph(file, projectId);
      if (changes % 20 === 0) expect(await contents(projectId)).toEqual(await plannedItems(file));
    }
    expect(await contents(projectId)).toEqual(await freshItems(file));
    // Some items were never written again, so the graph was not replaced.
    const last = [...(await storedItems(projectId)).keys()];
    expect(last.filter((element) => first.has(element)).length).toBeGreaterThan(10);
  });

  it('is whole when its writer is cut off at any message, and the next run finishes the change', async () => {
    const { corpus, change, file } = aCorpus('cut', 3);
    const projectId = aProject();
    await buildIndex(corpus, file);
    await mirrorGraph(file, projectId);
    const ended: Promise<unknown>[] = [];
    let [isCut, cutAt, kept, changed] = [true, 0, 0, 0];
    while (isCut) {
      const old = await contents(projectId);
      change();
      await buildIndex(corpus, file);
      const proxy = await startCutProxy(new URL(neo4jOptions().url), ++cutAt);
      const mirror = new Neo4jMirror(neo4jOptions({ url: `bolt://127.0.0.1:${proxy.port}` }));
      let isOver = false;
      // The run that is cut off keeps its file open while it tries again.
      const copy = `${file}-${cutAt}`;
      copyFileSync(file, copy);
      const run = withGraphOf(copy, projectId, async (built) =>
        (await mirror.fill(built, () => undefined))(),
      ).finally(() => (isOver = true));
      ended.push(run.catch(() => undefined).then(() => mirror.close()));
      while (!isOver && !proxy.isCut()) await new Promise((resolve) => setTimeout(resolve, 5));
      isCut = proxy.isCut();
      proxy.stop();
      const next = await plannedItems(file);
      // Neo4j may still be committing.
      const isOld = await poll('a whole graph', async () => {
        const found = JSON.stringify(await contents(projectId));
        if (found === JSON.stringify(next)) return 'new';
        return found === JSON.stringify(old) ? 'old' : undefined;
      });
      if (isOld === 'old') kept++;
      else changed++;
      await mirrorGraph(file, projectId);
      expect(await contents(projectId)).toEqual(next);
    }
    await Promise.all(ended);
    expect(cutAt).toBeGreaterThan(10);
    expect(kept).toBeGreaterThan(5);
    expect(changed).toBeGreaterThan(0);
  });

  it('is not read while a change may be in progress, and for ten seconds if its writer was killed', async () => {
    const { corpus, file } = aCorpus('read', 4);
    const projectId = aProject();
    await buildIndex(corpus, file);
    await mirrorGraph(file, projectId);
    const scope = { ...EVERYTHING, projectId };
    const store = new Neo4jGraphStore(neo4jOptions(), scope);
    const set = (begun: string, ended: string) =>
      changeNeo4j(
        `MATCH (i:PithIndex {project: $given.projectId}) SET i.begun = ${begun}, i.ended = ${ended}`,
        { projectId },
      );
    let isAnswered = false;
    const ask = async (): Promise<void> => {
      isAnswered = false;
      const { nodes } = await store.describe(scope, ['p1.md'], false);
      isAnswered = nodes[0] !== null;
    };
    await ask();
    await set('timestamp()', '0');
    const asked = ask();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isAnswered).toBe(false);
    await set('i.begun', 'i.begun');
    await asked;
    expect(isAnswered).toBe(true);
    await set('timestamp() - 9000', '0');
    const askedAt = performance.now();
    await ask();
    expect(isAnswered).toBe(true);
    expect(performance.now() - askedAt).toBeLessThan(5_000);
    await store.close();
  });
});
