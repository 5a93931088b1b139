// Loaded with --require: simulates library output and an uncaught error with text of a hostile caller.
const { isMainThread } = require('node:worker_threads');

const noise = `noisy\nINJECTED \u001b[31m\u009b2J\u202e\u2028 ${'x'.repeat(900_000)}`;

setTimeout(() => {
  console.warn('one %s', noise);
  console.error(new Error(noise));
  console.log(noise);
  if (isMainThread) process.emitWarning(noise);
  console.warn('the last');
}, 200);

if (process.env.NOISY_END && isMainThread) setTimeout(() => Promise.reject(new Error(noise)), 600);
