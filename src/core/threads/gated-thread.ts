import { join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { PACKAGE_ROOT } from '../package-facts.js';
import { takeOutput } from '../stderr.js';
import { NativeGate } from './native-gate.js';

/** Limit of the wait for native code when the process exits; statements take far less, except on a slow disk. */
const EXIT_MS = 2_000;
/** Limit after a failure: longer, because a process that a signal ends loses its exit code. */
const FAILED_EXIT_MS = 10_000;
/** Exit codes that are no failure; 130 is that of Ctrl+C. */
const NO_FAILURE = [0, 130];

/** Time limit for a thread to end by itself. */
const CLOSE_MS = 1_000;

const openGates = new Set<NativeGate>();

/**
 * Waits until all threads have left native code, because otherwise Node aborts. If a thread takes too long, the process
 * ends itself: with SIGTERM, which supervisors treat as a clean end, or after a failure with SIGKILL, which they don't.
 */
function waitOutside(exitCode: number): void {
  const isFailure = !NO_FAILURE.includes(exitCode);
  const until = performance.now() + (isFailure ? FAILED_EXIT_MS : EXIT_MS);
  const areOutside = [...openGates].map((gate) => gate.shut(Math.max(0, until - performance.now())));
  if (areOutside.every(Boolean)) return;
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, isFailure ? 'SIGKILL' : 'SIGTERM');
}

/** Delays the exit of the process until the thread has left native code. Exported for the test of an exit. */
export function guardExit(worker: Worker, gate: NativeGate): void {
  if (openGates.size === 0) process.on('exit', waitOutside);
  openGates.add(gate);
  worker.once('exit', () => {
    openGates.delete(gate);
    if (openGates.size === 0) process.off('exit', waitOutside);
  });
}

/**
 * Starts a thread. An idle thread does not keep the process alive.
 * @param script  file in dist: threads load JavaScript, even when this file runs from source
 * @param data  becomes the thread's `workerData`, with the gate's cells as `gate`
 * @param resourceLimits  memory; the thread ends when it needs more
 */
export function startThread(
  script: string,
  data: Readonly<Record<string, unknown>>,
  resourceLimits: ResourceLimits = {},
) {
  const gate = new NativeGate();
  const workerData = { ...data, gate: gate.cells };
  const file = join(PACKAGE_ROOT, 'dist', script);
  const worker = new Worker(file, { workerData, resourceLimits, stdout: true, stderr: true });
  guardExit(worker, gate);
  takeOutput(worker);
  worker.unref();
  return { worker, gate };
}

/** A thread and the gate to its native code. */
export type GatedThread = ReturnType<typeof startThread>;

/** Asks a thread to end, and waits for a limited time, since a running computation can't be interrupted. */
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
