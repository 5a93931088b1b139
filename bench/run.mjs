// npm run bench [-- FOLDER …]: figures for each corpus, as Markdown on stdout and in reports/bench.md.
// With --against COMMIT, ratios to that commit instead. With --floors, fails if ratios are worse than those in
// bench/floors.json; --record writes new ones. With --load MINUTES, an HTTP server under load on the first folder, and
// also that of --against COMMIT. With --sections NUMBER, one corpus of that size, made from the folders. With --engines,
// Qdrant and Neo4j that `npm run services` has started, on the first folder.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  appendFileSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildCommit, checkFloors, compareWith } from './against.mjs';
import { measureEngines } from './engines.mjs';
import { governanceSettings } from './governance.mjs';
import { graphSize, graphTimes } from './graph-share.mjs';
import { measureInTurn } from './in-turn.mjs';
import { measureLoad } from './load.mjs';
import { measureManySections } from './many-sections.mjs';
import { connect, quantile, residentMb, run, runIndex, timeCalls } from './measure.mjs';
import { measureMemory } from './memory.mjs';
import { documentsOf, drawQueries, drawSeeds, SEED, SEEDS } from './questions.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const PITH = [process.execPath, join(ROOT, 'bin', 'pith.js')];
const QUERIES = 200;
const COLD_STARTS = 9;

const { values: options, positionals: given } = parseArgs({
  options: {
    against: { type: 'string' },
    engines: { type: 'boolean' },
    floors: { type: 'boolean' },
    record: { type: 'boolean' },
    load: { type: 'string' },
    sections: { type: 'string' },
  },
  allowPositionals: true,
});
const shared = join(ROOT, '..', 'shared', 'data', 'corpora');
const wanted = given.length > 0 ? given : [join(shared, 'powershell'), join(shared, 'cpp-docs')];
const corpora = wanted.filter((folder) => existsSync(folder));
if (corpora.length === 0) corpora.push(join(ROOT, 'docs'));

async function coldStarts(index) {
  const times = [];
  for (let i = 0; i < COLD_STARTS; i++) {
    const client = await connect([...PITH, 'stdio', '--index', index]);
    times.push(client.coldStartMs);
    await client.close();
  }
  return times;
}

async function bareNodeStarts() {
  const times = [];
  for (let i = 0; i < COLD_STARTS; i++) times.push((await run([process.execPath, '-e', '0'])).seconds * 1000);
  return times;
}

/** No diagnostics, or those of every call. */
const diagnosticsSettings = (folder) => ({
  without: { RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0', RETRIEVAL_DIAGNOSTICS_DIR: join(folder, 'none') },
  with: { RETRIEVAL_DIAGNOSTICS_FORCE: '1', RETRIEVAL_DIAGNOSTICS_DIR: join(folder, 'all') },
});

const percent = (share) => `${(share * 100).toFixed(0)} %`;
const ms = (value) => `${value.toFixed(1)} ms`;

/** Shares are from a run under the profiler, seconds from a run without it. */
function graphTime(shares, seconds) {
  const all = Object.values(shares).reduce((total, share) => total + share, 0);
  const steps = Object.entries(shares).map(([step, share]) => `${step} ${percent(share)}`);
  return `${(all * seconds).toFixed(1)} s, ${percent(all)} of the first index: ${steps.join(', ')}`;
}

async function measure(folder) {
  const work = mkdtempSync(join(tmpdir(), 'pith-bench-'));
  try {
    const copy = join(work, 'docs');
    cpSync(folder, copy, { recursive: true });
    const index = join(work, 'index.sqlite');
    const indexing = [...PITH, 'index', copy, '--index', index, '--project', 'bench'];
    const first = await runIndex(indexing);
    const again = await runIndex(indexing);
    const graph = graphSize(index);
    const shares = await graphTimes([...indexing, '--rebuild'], {});
    const files = documentsOf(copy);
    appendFileSync(files[Math.floor(files.length / 2)], '\n\nOne more sentence.\n');
    const changed = await runIndex(indexing);
    const starts = await coldStarts(index);
    const client = await connect([...PITH, 'stdio', '--index', index], { PITH_RATE_PER_MINUTE: '0' });
    const queries = drawQueries(files, QUERIES);
    const search = await timeCalls(client, 'kb.search', (query) => ({ query }), queries);
    const evidence = await timeCalls(client, 'kb.retrieve_evidence', (question) => ({ question }), queries);
    const seeds = await drawSeeds(client, queries);
    const around = (node_ids) => ({ node_ids, max_hops: 2 });
    const expand = await timeCalls(client, 'graph.expand', around, seeds);
    const rss = residentMb(client.pid);
    await client.close();
    const written = await measureInTurn(PITH, index, diagnosticsSettings(work), queries);
    const governed = await measureInTurn(PITH, index, governanceSettings(work), queries);
    return [
      `## ${basename(resolve(folder))}: ${files.length} documents`,
      '',
      '| what | figure |',
      '| --- | --- |',
      `| result | ${first.stdout.split('\n')[0].replace(/ in .*/, '')} |`,
      `| first index | ${first.seconds.toFixed(1)} s wall, ${first.cpuSeconds.toFixed(1)} s CPU, ${first.peakMb.toFixed(0)} MB peak RSS |`,
      `| index again, nothing changed | ${again.seconds.toFixed(2)} s |`,
      `| index again, one file changed | ${changed.seconds.toFixed(2)} s |`,
      `| graph | ${graph.nodes} nodes, ${graph.edges} edges, ${graph.mb.toFixed(1)} MB on disk |`,
      `| building the graph | ${graphTime(shares, first.seconds)} |`,
      `| size on disk | ${(statSync(index).size / 1e6).toFixed(1)} MB |`,
      `| cold start, spawn to tools/list | p50 ${ms(quantile(starts, 0.5))}, best ${ms(Math.min(...starts))} of ${COLD_STARTS} |`,
      `| kb.search, ${QUERIES} queries over STDIO | p50 ${ms(quantile(search, 0.5))}, p95 ${ms(quantile(search, 0.95))} |`,
      `| kb.retrieve_evidence, the same | p50 ${ms(quantile(evidence, 0.5))}, p95 ${ms(quantile(evidence, 0.95))} |`,
      `| graph.expand, ${SEEDS} sections found by each, 2 hops, ${seeds.length} times | p50 ${ms(quantile(expand, 0.5))}, p95 ${ms(quantile(expand, 0.95))} |`,
      `| kb.search with diagnostics of every call, ${written.calls} times in turn | p50 ${ms(written.with)}, without ${ms(written.without)}; median difference ${written.difference.toFixed(2)} ms |`,
      `| kb.search with the run ledger and 20 policy rules, ${governed.calls} times in turn | ${percent(governed.with / governed.without)} of p50 without; median difference ${governed.difference.toFixed(2)} ms |`,
      `| server RSS after that | ${rss.toFixed(0)} MB |`,
      '',
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function report() {
  const bare = await bareNodeStarts();
  const lines = [
    `# Benchmark`,
    '',
    `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model.trim()}, seed ${SEED}.`,
    `For comparison, the same run: a bare \`node -e 0\` takes p50 ${ms(quantile(bare, 0.5))}.`,
    '',
  ];
  for (const folder of corpora) lines.push(...(await measure(folder)));
  lines.push(...(await measureMemory(PITH, join(ROOT, 'docs'))));
  return lines;
}

function print(name, lines) {
  mkdirSync(join(ROOT, 'reports'), { recursive: true });
  writeFileSync(join(ROOT, 'reports', name), `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
}

if (options.load) {
  const then = options.against ? { [options.against]: buildCommit(ROOT, options.against) } : {};
  print('load.md', await measureLoad({ ...then, 'this program': PITH }, corpora[0], Number(options.load)));
} else if (options.sections) {
  print('sections.md', await measureManySections(PITH, corpora, Number(options.sections)));
} else if (options.engines) print('engines.md', await measureEngines(PITH, corpora[0]));
else if (options.floors || options.record) {
  const failures = await checkFloors(ROOT, options.record);
  for (const failure of failures) console.error(`More than recorded: ${failure}`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} else if (options.against) print('against.md', await compareWith(ROOT, options.against, corpora));
else print('bench.md', await report());
