// npm run structure:call: the files and functions that one call of kb.retrieve_evidence executes when no governance file
// is set. A run of the unbundled build over STDIO with the call, minus a run without it, as V8 counts them. `-- --list`
// lists them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { folderOf } from './source-tree.mjs';
import { CALL_MEASURES, reportLines } from './structure-limits.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'trace-call', version: '1' },
};
const GREETING = [
  { id: 1, method: 'initialize', params: HELLO },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list', params: {} },
];
const QUESTION = { question: 'When does a ship leave the waiting list?' };
const CALL = { id: 3, method: 'tools/call', params: { name: 'kb.retrieve_evidence', arguments: QUESTION } };

/**
 * Copies the separate modules of the build. Threads start from bundles; in the copy, these load the separate modules.
 * @param {string} folder  in the project, so that packages are found
 */
function copyModules(folder) {
  const dist = join(root, 'dist');
  cpSync(join(root, 'config'), join(folder, 'config'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.0.0" }');
  const modules = readdirSync(dist, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.js'));
  for (const path of modules) cpSync(join(dist, path), join(folder, 'dist', path));
  for (const bundle of readdirSync(dist).filter((name) => name.endsWith('.cjs'))) {
    const name = bundle.replace(/\.cjs$/, '.js');
    const module = modules.find((path) => path === name || path.endsWith(`/${name}`));
    if (module) writeFileSync(join(folder, 'dist', bundle), `require('./${module}');\n`);
  }
}

/** Sends messages, each after the answer to the one before. */
async function converse(stdin, lines, messages) {
  for (const message of messages) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    for (let answer = {}; answer.id !== message.id;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('The server ended before it answered.');
      answer = JSON.parse(value);
      if (answer.error || answer.result?.isError) throw new Error(`The server refused: ${value}`);
    }
  }
}

/** Time for what a server does by itself after its start, so that both runs count it. */
const QUIET_MS = 2_000;

/** Runs the copy of the program without any setting. */
function programOf(folder) {
  const { PATH, HOME } = process.env;
  const index = join(folder, 'index.sqlite');
  const program = join(folder, 'dist', 'main.cli.js');
  return {
    command: (...args) => [program, ...args, '--index', index],
    options: (more = {}) => ({ cwd: folder, env: { PATH, HOME, ...more } }),
  };
}

/** Serves the greeting, then messages, until the input ends; returns what V8 counted in each script of each thread. */
async function countsOf(folder, messages) {
  const counts = mkdtempSync(join(folder, 'counts-'));
  const { command, options } = programOf(folder);
  const child = spawn(process.execPath, command('stdio'), {
    ...options({ NODE_V8_COVERAGE: counts }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await converse(child.stdin, lines, GREETING);
    await setTimeout(QUIET_MS);
    await converse(child.stdin, lines, messages);
    await setTimeout(QUIET_MS);
  } finally {
    child.stdin.end();
    await closed;
  }
  return readdirSync(counts).flatMap((name) => JSON.parse(readFileSync(join(counts, name), 'utf8')).result);
}

/** Some compilers write an accessor for each export. */
const isAccessor = ({ functionName }) => /^[gs]et /.test(functionName);

/**
 * The functions, without accessors, that one run calls more often than another.
 * @param {readonly { url: string, functions: readonly object[] }[]} withCall  scripts as V8 reports them
 * @param {readonly { url: string, functions: readonly object[] }[]} without
 * @param {string} base  URL of the build, with a slash at the end
 * @returns {{ path: string, name: string }[]} by path of the source; functions of a file can have the same name or none
 */
export function calledMore(withCall, without, base) {
  const sum = (scripts) => {
    const calls = new Map();
    for (const { url, functions } of scripts.filter(({ url }) => url.startsWith(base)))
      for (const { functionName: name, ranges } of functions.filter((called) => !isAccessor(called))) {
        const path = url.slice(base.length).replace(/\.js$/, '.ts');
        const key = `${path}:${ranges[0].startOffset}:${name}`;
        calls.set(key, { path, name, times: (calls.get(key)?.times ?? 0) + ranges[0].count });
      }
    return calls;
  };
  const before = sum(without);
  return [...sum(withCall)]
    .filter(([key, { times }]) => times > (before.get(key)?.times ?? 0))
    .map(([, { path, name }]) => ({ path, name }))
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** V8 names the initialisers of a class `<…>`. */
const isNamed = ({ name }) => /^[\w$#]/.test(name);

/**
 * Measures one call with the build in `dist`.
 * @returns {Promise<import('./structure-limits.mjs').CallTrace>} paths as in src
 */
export async function traceCall() {
  mkdirSync(join(root, 'reports'), { recursive: true });
  const folder = mkdtempSync(join(root, 'reports', 'call-'));
  try {
    copyModules(folder);
    const { command, options } = programOf(folder);
    const index = command('index', join(root, 'fixtures', 'corpus'));
    execFileSync(process.execPath, index, { ...options(), encoding: 'utf8' });
    const without = await countsOf(folder, []);
    const withCall = await countsOf(folder, [CALL]);
    const base = `${pathToFileURL(join(folder, 'dist')).href}/`;
    const called = calledMore(withCall, without, base).filter(({ path }) => path.endsWith('.ts'));
    return { files: [...new Set(called.map(({ path }) => path))], functions: called.filter(isNamed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import('./structure-limits.mjs').CallTrace} trace */
function print(trace) {
  const inFolder = (folder) => trace.files.filter((path) => folderOf(path) === folder).length;
  const folders = [...new Set(trace.files.map(folderOf))].sort();
  for (const line of reportLines(CALL_MEASURES, trace, process.argv.slice(2))) console.log(line);
  console.log(
    `files by folder: ${folders.map((folder) => `${folder || '(root)'} ${inFolder(folder)}`).join(', ')}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void traceCall().then(print);
