// A process that exits while one of its threads runs a statement. Arguments: its least time (ms) and the exit code.
'use strict';
const { join } = require('node:path');
const { isMainThread, Worker, workerData } = require('node:worker_threads');

const dist = join(__dirname, '..', '..', 'dist');
const { guardExit } = require(join(dist, 'core', 'threads', 'gated-thread.js'));
const { NativeGate } = require(join(dist, 'core', 'threads', 'native-gate.js'));
const COUNT =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT count(*) AS n FROM n';

if (isMainThread) {
  const gate = new NativeGate();
  const worker = new Worker(module.filename, {
    workerData: { gate: gate.cells, ms: Number(process.argv[2]) },
  });
  guardExit(worker, gate);
  worker.once('message', () => setTimeout(() => process.exit(Number(process.argv[3])), 50));
} else {
  const { enterThrough, openDatabase } = require(join(dist, 'sqlite', 'driver.js'));
  const gate = new NativeGate(workerData.gate);
  enterThrough(gate);
  const database = openDatabase(':memory:');
  const startedAt = performance.now();
  database.prepare(COUNT).all();
  const rows = Math.ceil((20_000 * workerData.ms) / (performance.now() - startedAt));
  require('node:worker_threads').parentPort.postMessage('begun');
  for (;;) database.prepare(COUNT.replace('20000', rows)).all();
}
