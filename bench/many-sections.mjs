// npm run bench -- --sections NUMBER [FOLDER …]: a corpus of about so many sections, made from the folders, and how long
// it takes to index and to search.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { wordGrower, wordsIn } from './grown-words.mjs';
import { connect, quantile, randomFrom, residentMb, runIndex, timeCalls } from './measure.mjs';
import { documentsOf, drawQueries, drawSeeds, SEED } from './questions.mjs';

const require = createRequire(import.meta.url);
const QUERIES = 200;
const HEADING = /^#{1,6} /;

/** Headings, and the paragraphs, lists, tables and code between them, as they stand in a page. */
function blocksOf(text) {
  const blocks = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const isHeading = !isCode && HEADING.test(line);
    if (line.trim() === '' && !isCode) isOpen = false;
    else if (isOpen && !isHeading) blocks.push(`${blocks.pop()}\n${line}`);
    else blocks.push(line);
    if (line.trim() !== '') isOpen = !isHeading;
  }
  return blocks;
}

const kindOf = (block) => HEADING.exec(block)?.[0] ?? 'text';

/** The pages of the folders in a fixed order in which each part is a fair sample. @returns each with its blocks and their kinds */
function pagesIn(folders, random) {
  const pages = folders.flatMap((folder) =>
    documentsOf(folder).map((file) => ({ folder, file, at: random() })),
  );
  return pages
    .sort((a, b) => a.at - b.at)
    .map(({ folder, file }) => {
      const blocks = blocksOf(readFileSync(file, 'utf8'));
      return { folder, file, blocks, kinds: blocks.map(kindOf) };
    });
}

const headingsOf = ({ kinds }) => kinds.filter((kind) => kind !== 'text').length;

/**
 * The pages of the folders, then the same again and again with headings and blocks that are drawn from all pages of the
 * folder, in the order in which kinds of blocks stand in a page, and with new words.
 */
function* endlessPages(folders) {
  const random = randomFrom(SEED);
  const pages = pagesIn(folders, random);
  const drawn = new Map();
  const words = new Set();
  let written = 0;
  for (const page of pages) {
    const { folder, file, blocks, kinds } = page;
    const text = readFileSync(file, 'utf8');
    for (const word of wordsIn(text)) words.add(word);
    for (const [i, block] of blocks.entries()) {
      const key = folder + kinds[i];
      if (!drawn.has(key)) drawn.set(key, []);
      drawn.get(key).push(block);
    }
    written += headingsOf(page);
    yield { path: join(basename(folder), relative(folder, file)), text, headings: headingsOf(page) };
  }
  const grow = wordGrower({ words: words.size, headings: written }, random);
  const draw = (blocks) => blocks[Math.floor(random() * blocks.length)];
  for (let copy = 1; ; copy++)
    for (const page of pages) {
      const { folder, file, kinds } = page;
      const headings = headingsOf(page);
      const blocks = kinds.map((kind) => draw(drawn.get(folder + kind)));
      const text = grow(blocks, written, headings).join('\n\n');
      written += headings;
      yield { path: join(`copy-${copy}`, basename(folder), relative(folder, file)), text, headings };
    }
}

/** Writes pages of all folders. @param wanted  number of headings */
export function writeCorpus(folders, wanted, target) {
  let written = 0;
  for (const { path, text, headings } of endlessPages(folders)) {
    if (written >= wanted) break;
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    written += headings;
  }
}

function countIn(index) {
  const { DatabaseSync } = require('@photostructure/sqlite');
  const database = new DatabaseSync(index, { readOnly: true });
  const count = (table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get().n);
  const counts = { sections: count('section'), terms: count('section_term') };
  database.close();
  return counts;
}

const ms = (times, share) => `${quantile(times, share).toFixed(1)} ms`;
const bothOf = (times) => `p50 ${ms(times, 0.5)}, p95 ${ms(times, 0.95)}`;
const indexed = ({ seconds, cpuSeconds, peakMb }) =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s CPU, ${peakMb.toFixed(0)} MB peak`;

/** Calls one server. @returns rows of the table */
async function timeServer(pith, index, queries) {
  const client = await connect([...pith, 'stdio', '--index', index], { PITH_RATE_PER_MINUTE: '0' });
  const startMs = client.coldStartMs;
  const [first] = await timeCalls(client, 'kb.search', (query) => ({ query }), queries.slice(0, 1), 0);
  const search = await timeCalls(client, 'kb.search', (query) => ({ query }), queries);
  const evidence = await timeCalls(client, 'kb.retrieve_evidence', (question) => ({ question }), queries);
  const seeds = await drawSeeds(client, queries);
  const expand = await timeCalls(client, 'graph.expand', (node_ids) => ({ node_ids, max_hops: 2 }), seeds);
  const memory = residentMb(client.pid);
  await client.close();
  return [
    `| start to the first list, then the first answer | ${startMs.toFixed(0)} ms, ${first.toFixed(0)} ms |`,
    `| kb.search | ${bothOf(search)} |`,
    `| kb.retrieve_evidence | ${bothOf(evidence)} |`,
    `| graph.expand | ${bothOf(expand)} |`,
    `| memory of the server after that | ${memory.toFixed(0)} MB |`,
  ];
}

/**
 * @param pith  command of the program
 * @param wanted  number of sections; the corpus has a few percent more or fewer
 */
export async function measureManySections(pith, folders, wanted) {
  const work = mkdtempSync(join(tmpdir(), 'pith-bench-'));
  const step = (what) => console.error(`${new Date().toISOString()} ${what} in ${work}`);
  try {
    step('writing documents');
    const corpus = join(work, 'docs');
    writeCorpus(folders, wanted, corpus);
    const index = join(work, 'index.sqlite');
    const indexing = [...pith, 'index', corpus, '--index', index, '--project', 'bench'];
    step('first index');
    const first = await runIndex(indexing);
    step(`again, after ${indexed(first)}`);
    const again = await runIndex(indexing);
    const files = documentsOf(corpus);
    appendFileSync(files[Math.floor(files.length / 2)], '\n\nOne more sentence.\n');
    const changed = await runIndex(indexing);
    step('calls');
    const { sections, terms } = countIn(index);
    return [
      `## ${first.stdout.split('\n')[0].replace(/ in .*/, '')}`,
      '',
      '| what | figure |',
      '| --- | --- |',
      `| first index | ${indexed(first)}, ${first.peakDiskMb.toFixed(0)} MB of open files |`,
      `| processor time of the first index, for each section | ${((first.cpuSeconds * 1000) / sections).toFixed(2)} ms |`,
      `| words in the index | ${terms} |`,
      `| index again, nothing changed | ${indexed(again)} |`,
      `| index again, one file changed | ${indexed(changed)} |`,
      `| size on disk | ${(statSync(index).size / 1e6).toFixed(0)} MB |`,
      ...(await timeServer(pith, index, drawQueries(files, QUERIES))),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
