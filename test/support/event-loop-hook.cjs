// Loaded into a server by NODE_OPTIONS=--require: reports over a socket how long its event loop was blocked.
const { createServer } = require('node:net');
const { isMainThread } = require('node:worker_threads');

const socket = process.env.EVENT_LOOP_SOCKET;

// Only the main thread matters; the thread that reads the index may block.
if (isMainThread && socket) {
  let worstMs = 0;
  let last = process.hrtime.bigint();
  const tick = () => {
    const now = process.hrtime.bigint();
    // A tick is due every millisecond; its delay is the time that the loop was blocked.
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
