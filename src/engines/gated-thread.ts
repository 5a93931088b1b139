import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PACKAGE_ROOT } from '../core/package-facts.js';
import { takeOutput } from '../core/stderr.js';
import { NativeGate } from './native-gate.js';

/** How long the end of the process waits for native code that is running. No statement of ours takes nearly as long. */
const EXIT_MS = 2_000;

/** Time that a thread has to end by itself. */
const CLOSE_MS = 1_000;

const openGates = new Set<NativeGate>();

/** Exiting while a thread is inside would abort. Supervisors take an end by SIGTERM for a clean one. */
function leaveOutside(): void {
  const until = performance.now() + EXIT_MS;
  const areOutside = [...openGates].map((gate) => gate.shut(Math.max(0, until - performance.now())));
  if (areOutside.every(Boolean)) return;
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}

/** Makes the end of the process wait until the thread is outside native code. */
export function guardExit(worker: Worker, gate: NativeGate): void {
  if (openGates.size === 0) process.on('exit', leaveOutside);
  openGates.add(gate);
  worker.once('exit', () => {
    openGates.delete(gate);
    if (openGates.size === 0) process.off('exit', leaveOutside);
  });
}

/** A thread and the gate to its native code. */
export interface GatedThread {
  readonly worker: Worker;
  readonly gate: NativeGate;
}

/**
 * Starts a thread. With nothing to do it keeps no process alive.
 * @param script  in dist: a thread loads JavaScript, also when this file itself runs from source
 * @param data  reaches the thread as its `workerData`, with the gate's cells as `gate`
 */
export function startThread(script: string, data: Readonly<Record<string, unknown>>): GatedThread {
  const gate = new NativeGate();
  const workerData = { ...data, gate: gate.cells };
  const worker = new Worker(join(PACKAGE_ROOT, 'dist', script), { workerData, stdout: true, stderr: true });
  guardExit(worker, gate);
  takeOutput(worker);
  worker.unref();
  return { worker, gate };
}

/** Asks a thread to end by itself, and waits a bounded time: what a thread computes can't be interrupted. */
export async function endThread({ worker, gate }: GatedThread): Promise<void> {
  gate.close();
  worker.ref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage('close');
  let giveUp: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (giveUp = setTimeout(resolve, CLOSE_MS)));
  await Promise.race([ended, over]);
  clearTimeout(giveUp);
  worker.unref();
}
