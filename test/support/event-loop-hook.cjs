// Loaded into a server by NODE_OPTIONS=--require: reports over a socket how long its event loop was blocked.
const { closeSync, openSync, readSync } = require('node:fs');
const { createServer } = require('node:net');
const { isMainThread } = require('node:worker_threads');

const socket = process.env.EVENT_LOOP_SOCKET;

const SCHEDULE = '/proc/thread-self/schedstat';

/** Time (ns) in which this thread could have run, but other processes had the processors. 0 where Linux doesn't tell. */
function waitedNs() {
  try {
    const file = openSync(SCHEDULE);
    const bytes = Buffer.alloc(100);
    const text = bytes.toString('latin1', 0, readSync(file, bytes));
    closeSync(file);
    return Number(text.split(' ')[1]);
  } catch {
    return 0;
  }
}

// Only the main thread matters; the thread that reads the index may block.
if (isMainThread && socket) {
  let worstMs = 0;
  let last = { at: process.hrtime.bigint(), waitedNs: waitedNs() };
  const tick = () => {
    const now = { at: process.hrtime.bigint(), waitedNs: waitedNs() };
    // A tick is due every millisecond; its delay is the time that the loop was blocked or had no processor.
    const blockedNs = Number(now.at - last.at) - (now.waitedNs - last.waitedNs);
    worstMs = Math.max(worstMs, blockedNs / 1e6 - 1);
    last = now;
  };
  setInterval(tick, 1).unref();
  createServer((connection) => {
    connection.on('data', () => {
      tick();
      connection.write(`${worstMs}\n`);
      worstMs = 0;
    });
    connection.on('error', () => connection.destroy());
  })
    .listen(socket)
    .unref();
}
