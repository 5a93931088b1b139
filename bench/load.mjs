// npm run bench -- --load MINUTES [--against COMMIT] [FOLDER]: an HTTP server with eight principals and fifty callers at
// once, of both protocol eras; a share of the calls is aborted. A second process asks /healthz meanwhile.
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile, randomFrom, residentMb } from './measure.mjs';
import { documentsOf, drawQueries, SEED } from './questions.mjs';

const CALLERS = 50;
const PRINCIPALS = 8;
const ABORTED = 0.3;
/** Callers wait at most this long before they abort (ms). */
const PATIENCE_MS = 100;
const REST_MS = 60_000;
const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/** Asks /healthz every 20 ms until it is told to stop, then prints the times. */
const POLLER = `
const http = require('node:http');
const times = [];
// Ends when all is written: a pipe takes 64 KB at once.
process.on('SIGTERM', () => process.stdout.write(JSON.stringify(times), () => process.exit()));
(async () => {
  for (;;) {
    const at = performance.now();
    await new Promise((done) => http.get(process.argv[1], { agent: false }, (reply) => {
      if (reply.statusCode !== 200) times.push(Infinity);
      reply.resume().on('end', done);
    }).on('error', () => { times.push(Infinity); done(); }));
    times.push(performance.now() - at);
    await new Promise((done) => setTimeout(done, 20));
  }
})();`;

function writeAccess(folder) {
  const keyOf = () => {
    const body = `pith_${randomBytes(32).toString('base64url')}`;
    return body + createHash('sha256').update(body).digest('base64url').slice(0, 6);
  };
  const keys = Array.from({ length: PRINCIPALS }, keyOf);
  const lines = keys.map((key, i) => {
    const hash = createHash('sha256').update(key).digest('hex');
    return `  caller-${i}: { keys: ['sha256:${hash}'] }`;
  });
  writeFileSync(join(folder, 'access.yaml'), ['version: 1', 'principals:', ...lines, ''].join('\n'));
  return keys;
}

/** @throws Error with what the program says, if it does not start */
async function startServer(program, index, settings) {
  const env = { PITH_RATE_PER_MINUTE: '0', ...settings };
  const argv = [...program.slice(1), 'http', '--port', '0', '--index', index];
  const child = spawn(program[0], argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (data) => {
      text += data;
      const found = /http:\/\/\S+\/mcp/.exec(text)?.[0];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return { child, url };
}

/** A program from before there were principals serves everybody as one. */
async function startForPrincipals(program, index, folder) {
  try {
    return await startServer(program, index, { PITH_ACCESS_FILE: join(folder, 'access.yaml') });
  } catch (error) {
    if (!error.message.includes('PITH_ACCESS_FILE is not a setting')) throw error;
    console.error('This program has no principals: all callers are one.');
    return startServer(program, index, {});
  }
}

function messageOf(id, era, name, args) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: args, ...(era === MODERN ? { _meta: meta } : {}) };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

/** Sends one call. @returns 'aborted', or the status and whether the answer is an error */
function post(url, agent, { key, era, name, body, abortAfter }) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': era,
    ...(era === MODERN ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
  };
  return new Promise((resolve) => {
    const request = http.request(url, { method: 'POST', agent, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (data) => (text += data));
      reply.on('error', () => resolve('aborted'));
      reply.on('end', () => resolve(`${reply.statusCode}${text.includes('"isError":true') ? ' error' : ''}`));
    });
    request.on('error', () => resolve('aborted'));
    if (abortAfter !== null) setTimeout(() => request.destroy(), abortAfter).unref();
    request.end(body);
  });
}

async function callAll({ url, keys, queries, minutes }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CALLERS * 2 });
  const until = performance.now() + minutes * 60_000;
  const outcomes = {};
  const times = [];
  let id = 0;
  const caller = async (n) => {
    const random = randomFrom(SEED + n);
    while (performance.now() < until) {
      const query = queries[Math.floor(random() * queries.length)];
      const [name, args] =
        random() < 0.5 ? ['kb.search', { query }] : ['kb.retrieve_evidence', { question: query }];
      const era = random() < 0.5 ? MODERN : LEGACY;
      const abortAfter = random() < ABORTED ? random() * PATIENCE_MS : null;
      const body = messageOf(++id, era, name, args);
      const startedAt = performance.now();
      const outcome = await post(url, agent, { key: keys[n % keys.length], era, name, body, abortAfter });
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === '200') times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
  agent.destroy();
  return { outcomes, times };
}

const descriptorsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length;
const ms = (value) => `${value.toFixed(0)} ms`;

async function loadOne(program, folder, minutes) {
  const work = mkdtempSync(join(tmpdir(), 'pith-load-'));
  const index = join(work, 'index.sqlite');
  spawnSync(program[0], [...program.slice(1), 'index', folder, '--index', index, '--project', 'bench']);
  const keys = writeAccess(work);
  const { child, url } = await startForPrincipals(program, index, work);
  try {
    const queries = drawQueries(documentsOf(folder), 200);
    // A minute of the same load first: caches and threads are there when memory is measured.
    await callAll({ url, keys, queries, minutes: Math.min(1, minutes) });
    await delay(REST_MS / 6);
    const before = { mb: residentMb(child.pid), files: descriptorsOf(child.pid) };
    const poller = spawn(process.execPath, ['-e', POLLER, url.replace(/mcp$/, 'healthz')]);
    let polled = '';
    poller.stdout.on('data', (data) => (polled += data));
    const startedAt = performance.now();
    const { outcomes, times } = await callAll({ url, keys, queries, minutes });
    const seconds = (performance.now() - startedAt) / 1000;
    poller.kill();
    await new Promise((resolve) => poller.on('close', resolve));
    const health = JSON.parse(polled).map((time) => time ?? Infinity);
    const peak = residentMb(child.pid, 'VmHWM');
    await delay(REST_MS);
    return {
      calls: Object.entries(outcomes)
        .map(([outcome, count]) => `${outcome}: ${count}`)
        .join(', '),
      'answers per second': (times.length / seconds).toFixed(0),
      'answer, p50 / p95 / p99': [0.5, 0.95, 0.99].map((share) => ms(quantile(times, share))).join(' / '),
      '/healthz, p50 / p99 / longest': [0.5, 0.99, 1].map((share) => ms(quantile(health, share))).join(' / '),
      'memory before, highest, after a minute of rest': [before.mb, peak, residentMb(child.pid)]
        .map((mb) => `${mb.toFixed(0)} MB`)
        .join(', '),
      'open files before and after': `${before.files}, ${descriptorsOf(child.pid)}`,
    };
  } finally {
    child.kill();
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param programs  the command of each program by its name @returns a Markdown table */
export async function measureLoad(programs, folder, minutes) {
  const figures = {};
  for (const [name, program] of Object.entries(programs)) {
    figures[name] = await loadOne(program, folder, minutes);
    console.error(name, figures[name]);
  }
  const names = Object.keys(figures);
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `# ${CALLERS} callers of ${PRINCIPALS} principals for ${minutes} minutes, ${ABORTED * 100} % of the calls aborted`,
    '',
    row(['what', ...names]),
    row(['---', ...names.map(() => '---')]),
    ...Object.keys(figures[names[0]]).map((what) => row([what, ...names.map((name) => figures[name][what])])),
    '',
  ];
}
