import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cleanEnv, PROGRAM } from './mcp-clients.js';

/** The end of a process. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly uid?: number;
  /** Time after which a command is killed. Default: 18 s, so that one that hangs fails only its own test. */
  readonly maxMs?: number;
}

/** A started `pith`, with its output so far. */
export interface PithProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly finished: Promise<Finished>;
  readonly stop: () => Promise<Finished>;
}

/** Clock ticks per second in /proc on Linux. */
const TICKS = 100;

/** CPU time of a process, in seconds, which doesn't depend on the load of the machine. 0 without /proc. */
export function cpuSecondsOf(pid: number | null): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}

/** Starts `pith` with these arguments. */
export function startPith(args: readonly string[], options: SpawnOptions = {}): PithProcess {
  const { env = {}, cwd, uid } = options;
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: cleanEnv(env), cwd, uid });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => err.push(data));
  // Some tests write to a process that has ended.
  child.stdin.on('error', () => undefined);
  const stdout = () => Buffer.concat(out).toString();
  const stderr = () => Buffer.concat(err).toString();
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout: stdout(), stderr: stderr() }));
  });
  const stop = (): Promise<Finished> => {
    child.kill('SIGTERM');
    return finished;
  };
  return { child, stdout, stderr, finished, stop };
}

const MAX_RUN_MS = 18_000;

/** Runs `pith` to its end, with empty stdin; killed after the timeout. */
export async function runPith(args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
  const { child, finished } = startPith(args, options);
  const timer = setTimeout(() => child.kill('SIGKILL'), options.maxMs ?? MAX_RUN_MS);
  child.stdin.end();
  try {
    return await finished;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs several commands in parallel, which is faster on two cores. */
export async function runAll<K extends string>(
  commands: Record<K, readonly [args: readonly string[], options?: SpawnOptions]>,
): Promise<Record<K, Finished>> {
  const names = Object.keys(commands) as K[];
  const runs = await Promise.all(names.map((name) => runPith(commands[name][0], commands[name][1])));
  return Object.fromEntries(names.map((name, i) => [name, runs[i]])) as Record<K, Finished>;
}

/** Indexes a folder with the program itself. */
export async function pithIndex(folder: string, index: string, ...flags: string[]): Promise<void> {
  const { code, stderr } = await runPith(['index', folder, '--index', index, ...flags]);
  if (code !== 0) throw new Error(`pith index exited with ${code}: ${stderr}`);
}

const POLL_MS = 25;

/** Polls until there is a value. @throws after the timeout */
export async function poll<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 20_000,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > until) throw new Error(`${what} did not happen within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Measures the time of a function, in milliseconds. */
export async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work;
  return { value, ms: performance.now() - start };
}
