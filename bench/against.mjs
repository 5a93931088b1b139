// npm run bench -- --against COMMIT [FOLDER …]: this program and that of another commit, in turn on one machine. Figures
// are ratios, because times differ between machines and between hours.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { connect, quantile, residentMb, run } from './measure.mjs';
import { documentsOf, drawQueries, drawSeeds } from './questions.mjs';

const INDEX_RUNS = 3;
const STARTS = 9;
const QUERIES = 100;
const ROUNDS = 2;
/** A ratio may be worse than the recorded one by this share: what two runs of one program differ by on a busy machine. */
const SLACK = 0.3;

function must(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

/** Builds a commit in a folder of its own, once. @returns the command that runs it */
export function buildCommit(root, name) {
  const { stdout } = spawnSync('git', ['rev-parse', `${name}^{commit}`], { cwd: root, encoding: 'utf8' });
  const commit = stdout.trim();
  if (!/^[0-9a-f]{40,}$/.test(commit)) throw new Error(`There is no commit ${name} in this clone.`);
  const folder = join(tmpdir(), `pith-bench-${commit}`);
  const program = join(folder, 'bin', 'pith.js');
  if (!existsSync(join(folder, 'dist', 'pith.cjs'))) {
    rmSync(folder, { recursive: true, force: true });
    must('git', ['worktree', 'prune'], root);
    must('git', ['worktree', 'add', '--detach', folder, commit], root);
    const lock = (of) => readFileSync(join(of, 'package-lock.json'), 'utf8');
    if (lock(folder) === lock(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    else must('npm', ['ci', '--no-audit', '--no-fund'], folder);
    must('npm', ['run', '--silent', 'build'], folder);
  }
  return [process.execPath, program];
}

/** Runs a measurement with each program, in both orders. @returns the measured numbers by program */
async function inTurn(programs, rounds, measure) {
  const numbers = { then: [], now: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? ['then', 'now'] : ['now', 'then'])
      numbers[name].push(await measure(programs[name], name, round));
  }
  return numbers;
}

/** Time of a call in ms. @throws if the call fails */
async function timed(client, name, args) {
  const startedAt = performance.now();
  const { result } = await client.call(name, args);
  const ms = performance.now() - startedAt;
  if (result.isError) throw new Error(JSON.stringify(result).slice(0, 500));
  return ms;
}

async function indexTimes(programs, corpus, fileOf) {
  const index = (program, name) => [
    ...program,
    'index',
    corpus,
    '--index',
    fileOf(name),
    '--project',
    'bench',
  ];
  const full = await inTurn(programs, INDEX_RUNS, async (program, name) => {
    rmSync(fileOf(name), { force: true });
    return (await run(index(program, name))).seconds;
  });
  const files = documentsOf(corpus);
  const page = files[Math.floor(files.length / 2)];
  const changed = await inTurn(programs, INDEX_RUNS, async (program, name, round) => {
    // Both programs see a change in each round.
    appendFileSync(page, `\n\nOne more sentence for ${name} in round ${round}.\n`);
    return (await run(index(program, name))).seconds;
  });
  return { index: full, 'index, one file changed': changed };
}

async function startTimes(programs, fileOf, query) {
  const answers = { then: [], now: [] };
  const lists = await inTurn(programs, STARTS, async (program, name) => {
    const startedAt = performance.now();
    const client = await connect([...program, 'stdio', '--index', fileOf(name)]);
    await timed(client, 'kb.search', { query });
    answers[name].push(performance.now() - startedAt);
    await client.close();
    return client.coldStartMs;
  });
  return { 'start to the first list': lists, 'start to the first answer': answers };
}

async function callTimes(programs, fileOf, queries) {
  const clients = {};
  for (const name of ['then', 'now']) {
    const env = { PITH_RATE_PER_MINUTE: '0' };
    clients[name] = await connect([...programs[name], 'stdio', '--index', fileOf(name)], env);
  }
  const seeds = await drawSeeds(clients.then, queries);
  const calls = {
    'kb.search': queries.map((query) => ({ query })),
    'kb.retrieve_evidence': queries.map((question) => ({ question })),
    search_docs: queries.map((query) => ({ query })),
    'graph.expand': seeds.map((node_ids) => ({ node_ids, max_hops: 2 })),
  };
  const figures = {};
  for (const [tool, argumentsOf] of Object.entries(calls)) {
    const rounds = argumentsOf.length * (ROUNDS + 1);
    const times = await inTurn(clients, rounds, (client, _name, at) =>
      timed(client, tool, argumentsOf[at % argumentsOf.length]),
    );
    // The first round warms up both servers.
    for (const name of ['then', 'now']) times[name].splice(0, argumentsOf.length);
    figures[tool] = times;
  }
  figures['memory after that'] = {
    then: [residentMb(clients.then.pid)],
    now: [residentMb(clients.now.pid)],
  };
  for (const client of Object.values(clients)) await client.close();
  return figures;
}

/** @returns for each figure the ratio of the medians, and of the 95th percentiles if there are enough numbers */
async function ratiosOn(programs, folder) {
  const work = mkdtempSync(join(tmpdir(), 'pith-bench-'));
  try {
    const corpus = join(work, 'docs');
    cpSync(folder, corpus, { recursive: true });
    const fileOf = (name) => join(work, `${name}.sqlite`);
    const indexed = await indexTimes(programs, corpus, fileOf);
    const queries = drawQueries(documentsOf(corpus), QUERIES);
    const figures = {
      ...indexed,
      ...(await startTimes(programs, fileOf, queries[0])),
      ...(await callTimes(programs, fileOf, queries)),
    };
    const ratios = {};
    for (const [what, { then, now }] of Object.entries(figures)) {
      const ratio = (share) => Number((quantile(now, share) / quantile(then, share)).toFixed(3));
      ratios[what] = ratio(0.5);
      if (now.length >= 100) ratios[`${what}, p95`] = ratio(0.95);
    }
    return ratios;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns a Markdown table of ratios: below 1, this program takes less than that of the other commit */
export async function compareWith(root, commit, folders) {
  const programs = { then: buildCommit(root, commit), now: [process.execPath, join(root, 'bin', 'pith.js')] };
  const lines = [
    `# This program against ${commit}`,
    '',
    'Ratios of medians; below 1, this one takes less.',
    '',
  ];
  for (const folder of folders) {
    const ratios = await ratiosOn(programs, folder);
    lines.push(`## ${basename(resolve(folder))}`, '', '| what | ratio |', '| --- | --- |');
    lines.push(...Object.entries(ratios).map(([what, ratio]) => `| ${what} | ${ratio.toFixed(2)} |`), '');
  }
  return lines;
}

/** A clone without history can't build an earlier commit. */
function isShallow(root) {
  const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], {
    cwd: root,
    encoding: 'utf8',
  });
  return stdout.trim() !== 'false';
}

/**
 * Compares with the commit and the ratios in the floor file, on our own documents. Ratios above 1.3 times the recorded
 * ones are failures if a second measurement agrees; with `record`, the file gets the new ratios.
 * @returns the failures
 */
export async function checkFloors(root, record) {
  const file = join(root, 'bench', 'floors.json');
  const floors = JSON.parse(readFileSync(file, 'utf8'));
  if (isShallow(root)) {
    console.error(`Not compared with ${floors.against}: this clone has no history.`);
    return [];
  }
  const programs = {
    then: buildCommit(root, floors.against),
    now: [process.execPath, join(root, 'bin', 'pith.js')],
  };
  const ratios = () => ratiosOn(programs, join(root, 'docs'));
  if (record) {
    const medians = Object.entries(await ratios()).filter(([what]) => !what.endsWith('p95'));
    writeFileSync(file, `${JSON.stringify({ ...floors, ratios: Object.fromEntries(medians) }, null, 2)}\n`);
    return [];
  }
  const worse = (measured) =>
    Object.entries(floors.ratios).flatMap(([what, ratio]) =>
      measured[what] <= ratio * (1 + SLACK) ? [] : [`${what}: ${measured[what]}; recorded was ${ratio}`],
    );
  const failures = worse(await ratios());
  return failures.length > 0 ? worse(await ratios()) : [];
}
