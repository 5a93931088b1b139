// Measures inner_voice.retrieve over 5,000 thoughts and 5,000 rows of a graph.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, quantile, randomFrom, residentMb, run, timeCalls } from './measure.mjs';

const SEED = 11;
const ROWS = 10_000;
const QUERIES = 200;
const TABLES = ['thoughts', 'kg_entities', 'thoughts', 'kg_observations'];

/** Words with a distribution as uneven as in a language. */
function wordsFrom(random) {
  return (count) =>
    Array.from({ length: count }, () => `word${Math.floor(12_000 * random() ** 3)}`).join(' ');
}

function rowsFrom(random) {
  const words = wordsFrom(random);
  return Array.from({ length: ROWS }, (_, i) => ({
    table: TABLES[i % 4],
    id: String(i),
    text: `${words(5 + Math.floor(40 * random()))}.`,
    origin: 'human',
    is_private: i % 20 === 0,
  }));
}

const ms = (value) => `${value.toFixed(1)} ms`;

/** @param pith  command of the program @param documents  a small folder to index as well */
export async function measureMemory(pith, documents) {
  const work = mkdtempSync(join(tmpdir(), 'pith-bench-'));
  try {
    const random = randomFrom(SEED);
    const index = join(work, 'index.sqlite');
    const file = join(work, 'rows.jsonl');
    writeFileSync(
      file,
      rowsFrom(random)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    );
    await run([...pith, 'index', documents, '--index', index]);
    const before = statSync(index).size;
    const imported = await run([...pith, 'memory', 'import', file, '--index', index]);
    if (imported.code !== 0) throw new Error(imported.stderr);
    const env = { PITH_RATE_PER_MINUTE: '0', SURR_ENABLE_INNER_VOICE: '1' };
    const client = await connect([...pith, 'stdio', '--index', index], env);
    const words = wordsFrom(random);
    const queries = Array.from({ length: QUERIES }, () => words(3 + Math.floor(6 * random())));
    const [first] = await timeCalls(client, 'inner_voice.retrieve', (query) => ({ query }), ['word1'], 0);
    const times = await timeCalls(client, 'inner_voice.retrieve', (query) => ({ query }), queries);
    const most = await timeCalls(client, 'inner_voice.retrieve', (query) => ({ query, top_k: 50 }), queries);
    const rss = residentMb(client.pid);
    await client.close();
    return [
      `## Memory: ${ROWS} rows`,
      '',
      '| what | figure |',
      '| --- | --- |',
      `| import | ${imported.seconds.toFixed(1)} s wall, ${imported.cpuSeconds.toFixed(1)} s CPU, ${imported.peakMb.toFixed(0)} MB peak RSS |`,
      `| size on disk | ${((statSync(index).size - before) / 1e6).toFixed(1)} MB |`,
      `| first inner_voice.retrieve | ${ms(first)} |`,
      `| inner_voice.retrieve, ${QUERIES} queries over STDIO | p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))} |`,
      `| the same with top_k 50 | p50 ${ms(quantile(most, 0.5))}, p95 ${ms(quantile(most, 0.95))} |`,
      `| server RSS after that | ${rss.toFixed(0)} MB |`,
      '',
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
