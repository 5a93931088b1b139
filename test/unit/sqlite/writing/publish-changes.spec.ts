import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { plannedEdges, plannedNodes } from '../../../../src/engines/neo4j/graph-plan.js';
import { MAX_SINGLE_TERM_SECTIONS } from '../../../../src/graph/title-concepts.js';
import type { BuiltGraph, BuiltIndex, PublishedRun } from '../../../../src/ingest/built-index.js';
import { readBuiltGraph } from '../../../../src/sqlite/graph/read-built-graph.js';
import { withBuiltIndex } from '../../../../src/sqlite/index/read-built-index.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';
import { buildIndex, type TestFolder, testFolder } from '../../../support/build-index.js';
import { randomFrom } from '../../../support/corpora.js';

const NAMES = [
  'Signing key',
  'Berth list',
  'Lantern',
  'Harbour (port)',
  'Harbour',
  'Overview',
  'Night watch',
];
// Two of them are titles, and their numbers of sections cross the limit for titles of one word.
const WORDS = [
  'lantern',
  'harbour',
  'signing',
  'key',
  'berth',
  'list',
  'night',
  'watch',
  'tide',
  '`berthList`',
];
const PAGES = ['a.md', 'b.md', 'c/d.md', 'c/index.md', 'e.md', 'f.md', 'g.md', 'h.md', 'k.md'];
const LINKS = ['a.md', '/c/d', 'c/#lantern', 'e.md#signing-key', 'e.md#night-watch', 'h.md', 'k', 'gone.md'];
/** Rare, so that the number of pages that a site is guessed by is reached late. */
const SITE_LINKS = PAGES.map((page) => `https://docs.example/${page}`);
/** Sections of one page with a word: with three such pages, the word is no longer rare. */
const MANY = 9;

const folder: TestFolder = testFolder();
afterAll(() => folder.remove());

/** A page of random headings, links and words. */
function aPage(random: () => number, title: string): string {
  const one = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const sentence = (): string => `${Array.from({ length: 6 }, () => one(WORDS)).join(' ')}.`;
  const link = (): string => `See [more](${one(random() < 0.2 ? SITE_LINKS : LINKS)}).`;
  const count = random() < 0.2 ? MANY : 1 + Math.floor(random() * 3);
  const sections = Array.from({ length: count }, () => `## ${one(NAMES)}\n\n${sentence()} ${link()}\n`);
  return [`# ${title}`, sentence(), ...sections].join('\n\n');
}

const { profile } = embedderNamed('lsa');
const read = <T>(file: string, use: (built: BuiltIndex) => T): Promise<T> =>
  withBuiltIndex({ file, profile, readGraph: readBuiltGraph }, async (built) => use(built));

/** Everything that the graph of an index says, without the order of its rows. */
async function graphOf(file: string): Promise<Record<string, readonly string[]>> {
  return read(file, ({ graph }) => {
    const sorted = (rows: Iterable<unknown>): string[] => [...rows].map((row) => JSON.stringify(row)).sort();
    const { documents, places, steps, links, mentions, concepts, owners } = graph;
    return Object.fromEntries(
      Object.entries({ documents, places, steps, links, mentions, concepts, owners }).map(([name, rows]) => [
        name,
        sorted(rows()),
      ]),
    );
  });
}

/** The nodes of each document and entity, with the relations that start at them. */
function itemsOf(graph: BuiltGraph): Map<string, string[]> {
  const items = new Map<string, string[]>();
  const home = new Map<string, string>();
  const add = (key: string, item: unknown): void =>
    void items.set(key, [...(items.get(key) ?? []), JSON.stringify(item)].sort());
  for (const node of plannedNodes(graph)) {
    const key = String(node.facts['path'] ?? node.facts.id);
    home.set(node.facts.id, key);
    add(key, node);
  }
  for (const edge of plannedEdges(graph)) add(home.get(edge.from.id) ?? '', edge);
  return items;
}

/** A copy of the graph after what changed since a run; null if the index does not know. */
function follow(copy: ReadonlyMap<string, string[]>, graph: BuiltGraph, run: PublishedRun) {
  const changed = graph.changedSince(run);
  if (!changed) return null;
  const next = new Map(copy);
  for (const key of [...changed.documents, ...changed.entities.map((each) => `entity:${each}`)])
    next.delete(key);
  for (const [key, items] of itemsOf(changed.graph(changed))) next.set(key, items);
  return next;
}

describe('publishing changes', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('gives the graph of a build from nothing (%i)', async (seed) => {
    const random = randomFrom(seed);
    const corpus = folder.file(`corpus-${seed}`);
    const file = folder.file(`changed-${seed}.sqlite`);
    const titles = new Map<string, string>();
    /** Most changes of a page keep its title. */
    const write = (page: string): void => {
      const title = NAMES[Math.floor(random() * NAMES.length)] ?? '';
      if (!titles.has(page) || random() < 0.2) titles.set(page, title);
      mkdirSync(dirname(`${corpus}/${page}`), { recursive: true });
      writeFileSync(`${corpus}/${page}`, aPage(random, titles.get(page) ?? ''));
    };
    PAGES.slice(0, 6).forEach(write);
    await buildIndex(corpus, file);
    let last = await read(file, ({ stamp, graph }) => ({ stamp, items: itemsOf(graph) }));
    for (let run = 0; run < 9; run++) {
      for (const page of PAGES) {
        const chance = random();
        if (chance < 0.16) write(page);
        else if (chance < 0.19) rmSync(`${corpus}/${page}`, { force: true });
      }
      const changed = await buildIndex(corpus, file);
      const fresh = folder.file(`fresh-${seed}-${run}.sqlite`);
      const { graph } = await buildIndex(corpus, fresh);
      expect(await graphOf(file)).toEqual(await graphOf(fresh));
      expect(changed.graph).toEqual(graph);
      // Some copies are one run behind, others more.
      const { now, items, copy } = await read(file, (built) => ({
        now: built.stamp,
        items: itemsOf(built.graph),
        copy: follow(last.items, built.graph, last.stamp),
      }));
      expect(copy).toEqual(items);
      if (run % 3 !== 1) last = { stamp: now, items };
    }
  });

  it('notes which few documents and entities may differ in the graph', async () => {
    const corpus = folder.file('few');
    const file = folder.file('few.sqlite');
    mkdirSync(corpus);
    const page = (name: string, more: string): void =>
      writeFileSync(`${corpus}/${name}.md`, `# Page ${name}\n\nUse \`fn_${name}\` and \`shared\`. ${more}\n`);
    for (let i = 10; i < 40; i++) page(`p${i}`, `See [next](p${i + 1}.md).`);
    await buildIndex(corpus, file);
    const { stamp } = await read(file, (built) => built);
    page('p20', 'See [another](p30.md).');
    await buildIndex(corpus, file);
    const changed = await read(file, ({ graph }) => {
      const { documents, entities } = graph.changedSince(stamp) ?? {};
      return { documents, entities };
    });
    expect(changed).toEqual({
      documents: ['p19.md', 'p20.md', 'p21.md', 'p30.md'],
      entities: ['fn_p20', 'page p20', 'shared'],
    });
  });

  it('does not know what changed since a run of another file, or before a rebuild', async () => {
    const corpus = folder.file('unknown');
    const file = folder.file('unknown.sqlite');
    mkdirSync(corpus);
    writeFileSync(`${corpus}/a.md`, '# A\n\nText.\n');
    await buildIndex(corpus, file);
    const { stamp } = await read(file, (built) => built);
    const since = (run: PublishedRun) => read(file, ({ graph }) => graph.changedSince(run)?.documents);
    expect(await since(stamp)).toEqual([]);
    expect(await since({ ...stamp, generation: 'other:1' })).toBeUndefined();
    expect(await since({ ...stamp, indexedAt: '2026-01-01T00:00:00.000Z' })).toBeUndefined();
    await buildIndex(corpus, file, true);
    expect(await since(stamp)).toBeUndefined();
  });

  it.each([
    { what: 'becomes a name when it gets rare', before: MAX_SINGLE_TERM_SECTIONS, after: 0 },
    { what: 'stops being a name when it gets frequent', before: 0, after: MAX_SINGLE_TERM_SECTIONS },
  ])('a title of one word $what in other pages', async ({ before, after }) => {
    const corpus = folder.file(`rare-${before}`);
    const files = [folder.file(`rare-${before}.sqlite`), folder.file(`rare-${before}-fresh.sqlite`)] as const;
    const write = (page: string, text: string): void => writeFileSync(`${corpus}/${page}`, text);
    const sections = (count: number): string => '## Part\n\nA lantern burns.\n\n'.repeat(count);
    mkdirSync(corpus);
    write('a.md', '# Lantern\n\nIt burns.\n');
    write('b.md', '# Night\n\nLight the lantern.\n');
    write('c.md', `# Day\n\nThe sun.\n\n${sections(before)}`);
    await buildIndex(corpus, files[0]);
    write('c.md', `# Day\n\nThe sun.\n\n${sections(after)}`);
    await buildIndex(corpus, files[0]);
    await buildIndex(corpus, files[1]);
    const graph = await graphOf(files[0]);
    expect(graph).toEqual(await graphOf(files[1]));
    const isNamed = graph['concepts']?.some((concept) => concept.includes('"lantern"'));
    expect(isNamed).toBe(after < before);
  });

  it('counts a name again when a longer name takes its place in an unchanged page', async () => {
    const corpus = folder.file('longer');
    const files = [folder.file('longer.sqlite'), folder.file('longer-fresh.sqlite')] as const;
    mkdirSync(corpus);
    writeFileSync(`${corpus}/a.md`, '# Signing key\n\nIt is secret.\n');
    writeFileSync(`${corpus}/b.md`, '# Night\n\nRead the signing key list.\n');
    await buildIndex(corpus, files[0]);
    writeFileSync(`${corpus}/c.md`, '# Signing key list\n\nIt is long.\n');
    await buildIndex(corpus, files[0]);
    await buildIndex(corpus, files[1]);
    expect(await graphOf(files[0])).toEqual(await graphOf(files[1]));
  });

  it.each([
    ['no page had a label', [], [2, 1]],
    ['another page had one', ['(other-berth)=\n## Other\n\nIt is short.\n'], [1, 1]],
  ] as const)(
    'gives a link in an unchanged page its target when another page gets the label that it names: %s',
    async (_, others, unresolved) => {
      const corpus = folder.file(`label-${others.length}`);
      const files = [`${corpus}.sqlite`, `${corpus}-fresh.sqlite`] as const;
      mkdirSync(corpus);
      writeFileSync(`${corpus}/conf.py`, "extensions = ['myst_parser']\n");
      writeFileSync(`${corpus}/a.md`, '# A\n\nSee [the berth](#my-berth) and [no page](gone.md).\n');
      writeFileSync(`${corpus}/b.md`, '# B\n\n## Berth\n\nIt is long.\n');
      writeFileSync(`${corpus}/c.md`, `# C\n\n${others.join('')}It is C.\n`);
      const { graph: before } = await buildIndex(corpus, files[0]);
      writeFileSync(`${corpus}/b.md`, '# B\n\n(my-berth)=\n## Berth\n\nIt is long.\n');
      const { graph: after } = await buildIndex(corpus, files[0]);
      await buildIndex(corpus, files[1]);
      expect([before.unresolved, after.unresolved]).toEqual(unresolved);
      expect(await graphOf(files[0])).toEqual(await graphOf(files[1]));
    },
  );
});
