// Loaded into a server by NODE_OPTIONS=--require: its clock starts later and runs faster, and so do its long timers.
const { isMainThread } = require('node:worker_threads');

const [laterMs, speed] = (process.env.FAST_CLOCK ?? '0 1').split(' ').map(Number);
/** Shorter timers limit the time of requests to others, whose clocks are right. */
const LONG_MS = 30_000;

// Threads must not notice a clock of their own: only the main thread has schedules.
if (isMainThread) {
  const RealDate = Date;
  const start = RealDate.now();
  const now = () => Math.floor(start + laterMs + (RealDate.now() - start) * speed);
  globalThis.Date = class extends RealDate {
    constructor(...parts) {
      super(...(parts.length === 0 ? [now()] : parts));
    }
    static now = now;
  };
  const { setInterval: repeat, setTimeout: wait } = globalThis;
  const shorten = (ms) => (ms >= LONG_MS ? ms / speed : ms);
  globalThis.setInterval = (task, ms, ...rest) => repeat(task, shorten(ms), ...rest);
  globalThis.setTimeout = Object.assign((task, ms, ...rest) => wait(task, shorten(ms), ...rest), wait);
}
