import { readFileSync } from 'node:fs';
import { testFolder } from '../support/build-index.js';
import { sharedData } from '../support/corpora.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { runPith } from '../support/run-pith.js';
import { resolvableLinks } from '../support/written-links.js';

/** A line of the relation set: `PATH` or `PATH#HEADING` at both ends. */
interface Pair {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: 'links_to_page' | 'links_to_section' | 'parent_heading' | 'shared_identifier';
  readonly evidence: string;
}

interface Node {
  readonly id: string;
  readonly label: string;
  readonly title: string;
}

interface Edge {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
}

const CORPUS = sharedData('corpora/dev-mcp-nestjs');
const RELATIONS = sharedData('graph/dev-relations.jsonl');
const NEGATIVES = sharedData('graph/dev-negatives.jsonl');

function pairsIn(file: string | null): [string, Pair][] {
  const lines = file === null ? [] : readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Pair).map((pair) => [`${pair.id} ${pair.kind}`, pair]);
}

const relations = pairsIn(RELATIONS);
const ofKind = (...kinds: readonly Pair['kind'][]): [string, Pair][] =>
  relations.filter(([, { kind }]) => kinds.includes(kind));
const pathOf = (end: string): string => end.replace(/#.*/s, '');
const headingOf = (end: string): string => end.slice(pathOf(end).length + 1);
const documentOf = (end: string): string => `${pathOf(end)}#_document`;
/** Titles without the markup of headings. */
const plain = (title: string): string => title.replaceAll('`', '');

const folder = testFolder();
let client: TestClient;

async function ask<T>(tool: string, args: Record<string, unknown>): Promise<T> {
  const { isError, structuredContent } = await client.call(tool, args);
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return structuredContent as T;
}

async function everyPage<T extends { next_cursor: string | null }>(
  tool: string,
  args: Record<string, unknown>,
): Promise<T[]> {
  const pages = [await ask<T>(tool, args)];
  for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor)
    pages.push(await ask<T>(tool, { ...args, cursor: next }));
  return pages;
}

/** Links from a document and its sections. */
async function linksOf(path: string): Promise<Edge[]> {
  const args = { rel_types: ['HAS_CHUNK', 'REFERENCES', 'RELATED_TO'], direction: 'out', page_size: 100 };
  const pages = await everyPage<{ edges: Edge[]; next_cursor: string | null }>('graph.expand', {
    ...args,
    node_ids: [documentOf(path)],
    max_hops: 2,
  });
  const edges = pages.flatMap((page) => page.edges).filter(({ type }) => type !== 'HAS_CHUNK');
  return edges.filter(({ src }) => pathOf(src) === path);
}

/** Everything below a document or heading, from the top down. */
async function below(parent: string): Promise<Node[]> {
  const pages = await everyPage<{ children: Node[]; next_cursor: string | null }>('graph.children', {
    parent_id: parent,
    page_size: 100,
  });
  const headings = pages.flatMap(({ children }) => children).filter(({ label }) => label !== 'Step');
  const further: Node[] = [];
  for (const { id } of headings) further.push(...(await below(id)));
  return [...headings, ...further];
}

async function idsOfHeading(end: string): Promise<string[]> {
  const headings = await below(documentOf(end));
  return headings.filter(({ title }) => title === plain(headingOf(end))).map(({ id }) => id);
}

beforeAll(async () => {
  if (!CORPUS) return;
  const index = folder.file('index.sqlite');
  const { code, stderr } = await runPith(['index', CORPUS, '--index', index]);
  if (code !== 0) throw new Error(`pith index exited with ${code}: ${stderr}`);
  client = await connectClient({ era: 'v1', transport: 'stdio', index });
});

afterAll(async () => {
  await client?.close();
  folder.remove();
});

const whereThereIsData = CORPUS && RELATIONS && NEGATIVES ? describe : describe.skip;

whereThereIsData('the graph of the development corpus', () => {
  it('is checked against 26 relations and 10 unrelated pairs', () => {
    expect([relations.length, pairsIn(NEGATIVES).length]).toEqual([26, 10]);
  });

  it.each(ofKind('links_to_page'))('contains %s', async (_, { from, to }) => {
    const args = { rel_types: ['REFERENCES', 'RELATED_TO'], direction: 'out', page_size: 100 };
    const [page] = await everyPage<{ nodes: Node[]; next_cursor: string | null }>('graph.expand', {
      ...args,
      node_ids: [documentOf(from)],
    });
    expect(page?.nodes.map(({ id }) => id)).toContain(documentOf(to));
  });

  it('contains at least 95 % of the links that can be resolved without it', async () => {
    const sites = { 'modelcontextprotocol.io': 'mcp', 'docs.nestjs.com': 'nestjs' };
    const written = resolvableLinks(CORPUS ?? '', sites);
    const missing: string[] = [];
    for (const from of new Set(written.map((link) => link.from))) {
      const pages = await everyPage<{ nodes: Node[]; next_cursor: string | null }>('graph.expand', {
        ...{
          node_ids: [documentOf(from)],
          rel_types: ['REFERENCES', 'RELATED_TO'],
          direction: 'out',
          page_size: 100,
        },
      });
      const held = new Set(pages.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
      const targets = written.filter((link) => link.from === from).map(({ to }) => to);
      missing.push(...targets.filter((to) => !held.has(documentOf(to))).map((to) => `${from} -> ${to}`));
    }
    expect(written.length).toBeGreaterThan(400);
    // Names, so that a failure shows which are missing.
    expect(missing.slice(Math.floor(written.length * 0.05))).toEqual([]);
  });

  it.each(ofKind('links_to_section'))('contains %s', async (_, { from, to }) => {
    const targets = await idsOfHeading(to);
    const links = await linksOf(pathOf(from));
    expect(targets.length).toBeGreaterThan(0);
    expect(links.filter(({ dst }) => targets.includes(dst))).not.toEqual([]);
  });

  it.each(ofKind('parent_heading'))('contains %s', async (_, { from, to }) => {
    const children = await idsOfHeading(to);
    const { results } = await ask<{
      results: { section_id: string; parent_id: string; parent_title: string }[];
    }>('graph.parents', { section_ids: children });
    const held = results.filter(({ parent_title }) => parent_title === plain(headingOf(from)));
    expect(held).toHaveLength(1);
    const pages = await everyPage<{ children: Node[]; next_cursor: string | null }>('graph.children', {
      parent_id: held[0]?.parent_id,
    });
    expect(pages.flatMap((page) => page.children).map(({ id }) => id)).toContain(held[0]?.section_id);
  });

  it.each(ofKind('shared_identifier'))('contains %s', async (_, { from, to, evidence }) => {
    const { results } = await ask<{ results: { sections: { section_id: string }[] }[] }>(
      'graph.sections_for_entities',
      { entity_ids: [evidence], max_per: 50 },
    );
    const documents = results.flatMap(({ sections }) => sections.map(({ section_id }) => pathOf(section_id)));
    expect(documents).toEqual(expect.arrayContaining([from, to]));
  });

  it.each(pairsIn(NEGATIVES))('does not contain %s', async (_, { from, to }) => {
    const links = await linksOf(from);
    expect(links.filter(({ dst }) => pathOf(dst) === to)).toEqual([]);
  });
});
