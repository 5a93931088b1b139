import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cleanEnv, PROGRAM } from './mcp-clients.js';

/** What a run of the program came to. */
export interface PithRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Highest resident memory seen, in MB; sampled, Linux only, else 0. */
  readonly peakMb: number;
}

export interface PithOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Runs without the right of root to read and write everything. */
  readonly unprivileged?: boolean;
  /** A shell command that goes before the program, such as `ulimit -f 100`. */
  readonly shell?: string;
  /** Told once the process is there. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** The user that nobody is. */
const NOBODY = 65_534;
const SETPRIV = '/usr/bin/setpriv';
const isRoot = process.getuid?.() === 0;

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended, or there is no /proc.
    return 0;
  }
}

/** Root keeps its name but loses its powers, so that it still reaches a checkout that is its own alone. */
function commandOf({ shell, unprivileged = false }: PithOptions): string[] {
  const drop = unprivileged && isRoot && existsSync(SETPRIV);
  return [
    ...(drop ? [SETPRIV, '--bounding-set=-all', '--inh-caps=-all'] : []),
    ...(shell === undefined ? [] : ['bash', '-c', `${shell}; exec "$@"`, 'bash']),
    process.execPath,
    PROGRAM,
  ];
}

function start(args: readonly string[], options: PithOptions): ChildProcess {
  const { env = {}, cwd, unprivileged = false } = options;
  const [command = process.execPath, ...before] = commandOf(options);
  const user = unprivileged && isRoot && command !== SETPRIV ? { uid: NOBODY, gid: NOBODY } : {};
  return spawn(command, [...before, ...args], { env: cleanEnv(env), cwd, ...user });
}

/** Runs the built program to its end. */
export function runPith(args: readonly string[], options: PithOptions = {}): Promise<PithRun> {
  const startedAt = performance.now();
  const child = start(args, options);
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data: Buffer) => (texts.stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (texts.stderr += data.toString()));
  let peakMb = 0;
  const sampler = setInterval(() => (peakMb = Math.max(peakMb, residentMb(child.pid))), 50);
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(sampler);
      resolve({ code, signal, ...texts, seconds: (performance.now() - startedAt) / 1000, peakMb });
    });
  });
}

/** The counts of an index run, read from its report. */
export interface RunCounts {
  readonly documents: number;
  readonly sections: number;
  readonly parsed: number;
  readonly unchanged: number;
  readonly resumed: number;
  readonly removed: number;
}

/** Reads the report that `pith index` prints. */
export function countsOf({ stdout }: PithRun): RunCounts {
  const count = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    documents: count(/^(\d+) documents?,/m),
    sections: count(/, (\d+) sections? in /),
    parsed: count(/(\d+) parsed/),
    unchanged: count(/(\d+) unchanged/),
    resumed: count(/(\d+) reused from an unfinished run/),
    removed: count(/(\d+) removed/),
  };
}
