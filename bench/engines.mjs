// npm run services -- npm run bench -- --engines [FOLDER]: how long it takes to fill Qdrant and Neo4j and to ask them,
// beside the index file. The stand-in for Qdrant answers from Qdrant's own storage, through a server in Python.
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, quantile, runIndex, timeCalls } from './measure.mjs';
import { documentsOf, drawQueries, drawSeeds } from './questions.mjs';

const QUERIES = 200;
const PROJECT = 'bench';

/** What `npm run services` exports, as settings of Pith. */
const SETTINGS = {
  qdrant: { PITH_SECTION_ENGINE: 'qdrant', PITH_QDRANT_URL: process.env.QDRANT_URL },
  neo4j: {
    PITH_GRAPH_ENGINE: 'neo4j',
    PITH_NEO4J_URL: process.env.NEO4J_URL,
    PITH_NEO4J_PASSWORD: process.env.NEO4J_PASSWORD,
  },
};

const ms = (value) => `${value.toFixed(1)} ms`;
const bothOf = (times) => `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}`;

/** Fills an engine from the file, then after a change of one page. @returns rows of the table */
async function fillingRows(name, indexing, page) {
  const filling = [...indexing, '--engine', name];
  const all = await runIndex(filling, SETTINGS[name]);
  appendFileSync(page, `\n\nOne more sentence for ${name}.\n`);
  const one = await runIndex(filling, SETTINGS[name]);
  return [
    `| filling ${name} from the finished file | ${all.seconds.toFixed(1)} s |`,
    `| one page changed: file and ${name} | ${one.seconds.toFixed(1)} s |`,
  ];
}

/** Asks one server. @returns the time of its first answer, and times of the calls of each tool, in ms */
async function timesOf(pith, index, { env, queries }) {
  const settings = { ...env, PITH_PROJECT: PROJECT, PITH_RATE_PER_MINUTE: '0' };
  const client = await connect([...pith, 'stdio', '--index', index], settings);
  const answer = await timeCalls(client, 'kb.search', (query) => ({ query }), queries.slice(0, 1), 0);
  const search = await timeCalls(client, 'kb.search', (query) => ({ query }), queries);
  const seeds = await drawSeeds(client, queries);
  const expand = await timeCalls(client, 'graph.expand', (node_ids) => ({ node_ids, max_hops: 2 }), seeds);
  await client.close();
  return { answer, search, expand };
}

/** @param pith  command of the program @param folder  is copied */
export async function measureEngines(pith, folder) {
  const work = mkdtempSync(join(tmpdir(), 'pith-bench-'));
  try {
    const corpus = join(work, 'docs');
    cpSync(folder, corpus, { recursive: true });
    const index = join(work, 'index.sqlite');
    const indexing = [...pith, 'index', corpus, '--index', index, '--project', PROJECT];
    const files = documentsOf(corpus);
    const page = files[Math.floor(files.length / 2)];
    const queries = drawQueries(files, QUERIES);
    const lines = [`## ${files.length} documents`, '', '| what | figure |', '| --- | --- |'];
    const first = await runIndex(indexing);
    appendFileSync(page, '\n\nOne more sentence.\n');
    const changed = await runIndex(indexing);
    lines.push(
      `| the file | ${first.seconds.toFixed(1)} s |`,
      `| one page changed: the file | ${changed.seconds.toFixed(1)} s |`,
    );
    for (const name of Object.keys(SETTINGS)) lines.push(...(await fillingRows(name, indexing, page)));
    for (const [name, env] of Object.entries({ 'the file': {}, ...SETTINGS })) {
      const { answer, search, expand } = await timesOf(pith, index, { env, queries });
      lines.push(
        `| ${name}: first answer after a start | ${ms(answer[0])} |`,
        `| ${name}: kb.search | ${bothOf(search)} |`,
        `| ${name}: graph.expand, 5 sections, 2 hops | ${bothOf(expand)} |`,
      );
    }
    return lines;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
