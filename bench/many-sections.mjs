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
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { connect, quantile, randomFrom, residentMb, runIndex, timeCalls } from './measure.mjs';
import { documentsOf, drawQueries, drawSeeds, SEED } from './questions.mjs';

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

/**
 * The pages of a folder, again and again: first as they are, then with headings and blocks that are drawn from all its
 * pages, in the order in which kinds of blocks stand in a page.
 */
function* endlessPages(folder) {
  const random = randomFrom(SEED);
  const drawn = new Map();
  const pages = documentsOf(folder).map((file) => {
    const text = readFileSync(file, 'utf8');
    const blocks = blocksOf(text);
    for (const block of blocks) {
      const kind = kindOf(block);
      drawn.set(kind, drawn.get(kind) ?? []);
      drawn.get(kind).push(block);
    }
    return { path: join(basename(folder), relative(folder, file)), text, kinds: blocks.map(kindOf) };
  });
  for (const { path, text, kinds } of pages) yield { path, text, kinds };
  const draw = (blocks) => blocks[Math.floor(random() * blocks.length)];
  for (let copy = 1; ; copy++)
    for (const { path, kinds } of pages) {
      const text = kinds.map((kind) => draw(drawn.get(kind))).join('\n\n');
      yield { path: join(`copy-${copy}`, path), text, kinds };
    }
}

/** Writes pages of all folders in turn. @param wanted  number of headings */
function writeCorpus(folders, wanted, target) {
  const sources = folders.map(endlessPages);
  for (let headings = 0, i = 0; headings < wanted; i++) {
    const { path, text, kinds } = sources[i % sources.length].next().value;
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    headings += kinds.filter((kind) => kind !== 'text').length;
  }
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
  try {
    const corpus = join(work, 'docs');
    writeCorpus(folders, wanted, corpus);
    const index = join(work, 'index.sqlite');
    const indexing = [...pith, 'index', corpus, '--index', index, '--project', 'bench'];
    const first = await runIndex(indexing);
    const again = await runIndex(indexing);
    const files = documentsOf(corpus);
    appendFileSync(files[Math.floor(files.length / 2)], '\n\nOne more sentence.\n');
    const changed = await runIndex(indexing);
    return [
      `## ${first.stdout.split('\n')[0].replace(/ in .*/, '')}`,
      '',
      '| what | figure |',
      '| --- | --- |',
      `| first index | ${indexed(first)} |`,
      `| index again, nothing changed | ${indexed(again)} |`,
      `| index again, one file changed | ${indexed(changed)} |`,
      `| size on disk | ${(statSync(index).size / 1e6).toFixed(0)} MB |`,
      ...(await timeServer(pith, index, drawQueries(files, QUERIES))),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
