import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MAX_SINGLE_TERM_SECTIONS } from '../../../../src/graph/title-concepts.js';
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

/** Everything that the graph of an index says, without the order of its rows. */
async function graphOf(file: string): Promise<Record<string, readonly string[]>> {
  const { profile } = embedderNamed('lsa');
  return withBuiltIndex({ file, profile, readGraph: readBuiltGraph }, async ({ graph }) => {
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
    }
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
});
