import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { LedgerStore } from '../../src/governance/ledger/store/ledger-store.js';
import { SECRET } from './builders.js';
import { randomFrom } from './corpora.js';
import { poll } from './processes.js';

/** The calls of a run that are in the ledger. */
export async function callsOf(store: Pick<LedgerStore, 'lines'>, runId: string): Promise<string[]> {
  const calls: string[] = [];
  for (let seq = 0; ;) {
    const lines = await store.lines({ runId, after: seq, from: 'oldest', limit: 1_000 });
    for (const { event } of lines) if ('call_id' in event) calls.push(event.call_id);
    if (lines.length < 1_000) return calls;
    seq = lines.at(-1)?.seq ?? seq;
  }
}

/** A process that appends as fast as it can. */
export interface LedgerWriter {
  readonly run: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<void>;
}

/** @param place  a file, or a postgres:// URL @param run  begins with `batched` for batched appends only */
export function startWriter(place: string, run: string): LedgerWriter {
  const script = join(__dirname, 'append-lines.cjs');
  const child = spawn(process.execPath, [script, place, SECRET, run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { run, child, output: () => output, exited };
}

/** The events that a killed writer reported: those it knew to be durable, and batched ones with their times. */
export interface Promised {
  readonly durable: readonly string[];
  /** The longest time that a durable append took (ms). */
  readonly slowestMs: number;
  readonly batched: readonly { readonly call: string; readonly at: number }[];
}

/** Reads the output of a writer up to its last whole line. */
export function promisedIn(output: string): Promised {
  const words = output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .map((line) => line.split(' '));
  return {
    durable: words.flatMap(([kind, call = '']) => (kind === 'd' ? [call] : [])),
    slowestMs: words.reduce((most, [kind, , ms]) => (kind === 'd' ? Math.max(most, Number(ms)) : most), 0),
    batched: words.flatMap(([kind, call = '', at]) => (kind === 'b' ? [{ call, at: Number(at) }] : [])),
  };
}

/** Fixed, so that a failure can be repeated: KILL_SEED=… tries other moments. */
const SEED = Number(process.env['KILL_SEED'] ?? 20_260_101);
/** How many writers `killWriters` kills. */
export const KILLS = 50;
const WRITERS = 4;

/** The state of a ledger after its writers were killed. */
export interface KillReport {
  /** Durable appends that had resolved in processes that were killed. */
  readonly durable: number;
  /** Those of them that are not in the ledger. */
  readonly lost: readonly string[];
  /** Verifications that failed. */
  readonly broken: readonly unknown[];
  /** The longest time before a kill of a batched line that was lost (ms). */
  readonly worstMs: number;
  /** The longest time that a durable append took: what a line waits for on a busy machine (ms). */
  readonly slowestMs: number;
}

/** Kills 50 processes at random moments, while four append to a ledger. @param place  a file, or a postgres:// URL */
export async function killWriters(place: string, store: LedgerStore): Promise<KillReport> {
  const random = randomFrom(SEED);
  let [started, durable, worstMs, slowestMs] = [0, 0, 0, 0];
  const lost: string[] = [];
  const broken: unknown[] = [];
  const start = (): LedgerWriter =>
    startWriter(place, `${started % WRITERS === 0 ? 'batched' : 'mixed'}-${started++}`);
  const isWriting = (writer: LedgerWriter) =>
    poll('writing', () => (writer.output() === '' ? undefined : true), 60_000);

  async function kill({ run, child, exited, output }: LedgerWriter): Promise<void> {
    const killedAt = Date.now();
    child.kill('SIGKILL');
    await exited;
    const promised = promisedIn(output());
    const stored = new Set(await callsOf(store, run));
    durable += promised.durable.length;
    slowestMs = Math.max(slowestMs, promised.slowestMs);
    lost.push(...promised.durable.filter((call) => !stored.has(call)).map((call) => `${run} ${call}`));
    const ages = promised.batched.filter(({ call }) => !stored.has(call)).map(({ at }) => killedAt - at);
    worstMs = Math.max(worstMs, ...ages);
    const result = await store.verify();
    if (!result.isIntact) broken.push(result);
  }

  const writers = Array.from({ length: WRITERS }, start);
  await Promise.all(writers.map(isWriting));
  for (let kills = 0; kills < KILLS - WRITERS; kills++) {
    const at = Math.floor(random() * WRITERS);
    const writer = writers[at];
    if (!writer) throw new Error('no writer');
    await isWriting(writer);
    await after(random() * 150);
    await kill(writer);
    writers[at] = start();
  }
  await Promise.all(writers.map(isWriting));
  await Promise.all(writers.map(kill));
  const head = await store.head();
  console.log(
    `${head?.seq} lines; ${durable} durable ones of killed processes; batched lines lost up to ${worstMs} ms before a kill, slowest append ${slowestMs} ms (seed ${SEED})`,
  );
  return { durable, lost, broken, worstMs, slowestMs };
}
