import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cleanEnv, PROGRAM } from './mcp-clients.js';

/** The result of a run. */
export interface PithRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Peak resident memory in MB, sampled; 0 except on Linux. */
  readonly peakMb: number;
}

export interface PithOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** True to run without root's access to all files. */
  readonly unprivileged?: boolean;
  /** A shell command to run first, such as `ulimit -f 100`. */
  readonly shell?: string;
  /** Called when the process has started. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** User id of `nobody`. */
const NOBODY = 65_534;
const SETPRIV = '/usr/bin/setpriv';
const isRoot = process.getuid?.() === 0;

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended, or the system has no /proc.
    return 0;
  }
}

/** Drops root's capabilities but keeps the user, so that a checkout that only root can read stays accessible. */
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

/** The counts in the report of an index run. */
export interface RunCounts {
  readonly documents: number;
  readonly sections: number;
  readonly parsed: number;
  readonly unchanged: number;
  readonly resumed: number;
  readonly removed: number;
}

/** Parses the report of `pith index`. */
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
