// Tools of the benchmark: processes, a client over STDIO, and numbers.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** The value below which a share of the sample lies. The sample need not be sorted. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** mulberry32: the same numbers for the same seed on every machine. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Peak resident memory of a running process in MB, from Linux; NaN on other systems. */
export function residentMb(pid, field = 'VmRSS') {
  try {
    const kb = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb ? Number(kb) / 1024 : NaN;
  } catch {
    return NaN;
  }
}

/** Size of the files that a process has open in MB, also of those without a name; from Linux. */
function openMb(pid) {
  const folder = `/proc/${pid}/fd`;
  const sizes = new Map();
  try {
    for (const name of readdirSync(folder)) {
      const file = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      if (file?.isFile()) sizes.set(file.ino, file.blocks * 512);
    }
  } catch {
    // It has just ended, or this is another system.
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6;
}

/**
 * Runs a process to its end. @returns wall and CPU seconds of all its threads, the highest memory, and the highest size of
 * its open files, of samples
 */
export async function run(argv, env = {}) {
  const startedAt = performance.now();

  const child = spawn(argv[0], argv.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let peakMb = 0;
  let cpu = 0;
  let peakDiskMb = 0;
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', (data) => (stderr += data));
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(child.pid, 'VmHWM') || 0);
    cpu = cpuSeconds(child.pid) || cpu;
  }, 20);
  const diskTimer = setInterval(() => (peakDiskMb = Math.max(peakDiskMb, openMb(child.pid))), 200);
  const code = await new Promise((resolve) =>
    child.on('close', (status, signal) => resolve(status ?? signal)),
  );
  clearInterval(timer);
  clearInterval(diskTimer);

  const seconds = (performance.now() - startedAt) / 1000;
  return { code, stdout, stderr, seconds, cpuSeconds: cpu, peakMb, peakDiskMb };
}

/** The same for `pith index`. Files may be skipped, for example because they have no text. @throws if the run fails */
export async function runIndex(argv, env) {
  const ran = await run(argv, env);
  if (ran.code !== 0 && ran.code !== 3) throw new Error(`pith index ended with ${ran.code}.\n${ran.stderr}`);
  return ran;
}

function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return NaN;
  }
}

/** Starts a STDIO server and a client with the part of the 2025-11-25 protocol that timing needs. */
export async function connect(argv, env = {}) {
  const startedAt = performance.now();
  const child = spawn(argv[0], argv.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  let buffer = '';
  let nextId = 1;
  child.stdout.on('data', (data) => {
    buffer += data;
    for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
      const message = JSON.parse(buffer.slice(0, end));
      buffer = buffer.slice(end + 1);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params = {}) =>
    new Promise((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: 'bench', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  await request('tools/list');
  return {
    pid: child.pid,
    coldStartMs: performance.now() - startedAt,
    /** @param run  names the run that the call belongs to */
    call: (name, args, run) =>
      request('tools/call', { name, arguments: args, ...(run && { _meta: { 'pith/run_id': run } }) }),
    close: () =>
      new Promise((resolve) => {
        child.on('exit', resolve);
        child.stdin.end();
      }),
  };
}

/** Measures each query in milliseconds, after some queries to warm up. */
export async function timeCalls(client, name, argsOf, queries, warmUp = 20) {
  for (const query of queries.slice(0, warmUp)) await client.call(name, argsOf(query));
  const times = [];
  for (const query of queries) {
    const startedAt = performance.now();
    const { result } = await client.call(name, argsOf(query));
    times.push(performance.now() - startedAt);
    if (result.isError) throw new Error(JSON.stringify(result));
  }
  return times;
}

/** Parses a file with one JSON value a line. */
export const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The text of a reply. */
export const textOf = ({ content }) => content.map(({ text }) => text ?? '').join('\n');
