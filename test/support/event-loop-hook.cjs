// Loaded into a server by NODE_OPTIONS=--require: says over a socket how long its event loop was held.
const { createServer } = require('node:net');
const { isMainThread } = require('node:worker_threads');

const socket = process.env.EVENT_LOOP_SOCKET;

// The thread that reads the index may take its time; only the main one must not.
if (isMainThread && socket) {
  let worstMs = 0;
  let last = process.hrtime.bigint();
  const tick = () => {
    const now = process.hrtime.bigint();
    // A tick is due every millisecond; what it comes late by, somebody held the loop.
    worstMs = Math.max(worstMs, Number(now - last) / 1e6 - 1);
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
