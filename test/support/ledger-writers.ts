import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { LedgerStore } from '../../src/engines/ledger/ledger-store.js';
import { SECRET } from './builders.js';

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

/** What a killed writer was promised. */
export interface Promised {
  readonly durable: readonly string[];
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
    batched: words.flatMap(([kind, call = '', at]) => (kind === 'b' ? [{ call, at: Number(at) }] : [])),
  };
}
