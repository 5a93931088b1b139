// The run ledger: appending, and `show` and `verify` of 1,000,000 lines. Run: npm run build && node bench/ledger.mjs [LINES]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from './measure.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { openLedger } = require(join(root, 'dist', 'governance', 'ledger', 'store', 'open-ledger.js'));

const LINES = Number(process.argv[2] ?? 1_000_000);
const SECRET = 'a secret of at least thirty-two characters';
const work = mkdtempSync(join(tmpdir(), 'pith-ledger-'));
const file = join(work, 'bench.ledger.sqlite');
const fail = (error) => {
  throw error;
};
const config = { ledger: { file }, backends: { governanceDatabase: '' } };
const open = () => openLedger(config, { secret: SECRET, isLasting: true }, fail);

const call = (i) => ({
  call_id: `6f1c1f0e-58a3-4b0e-9c1e-${String(i).padStart(12, '0')}`,
  run_id: `run-${Math.floor(i / 20)}`,
  tool: 'kb.retrieve_evidence',
  principal: 'key:build-agents',
  agent: 'default',
  rule: 'reads',
});
const scope = { project: 'docs', environment: 'prod', doc_tags: null, repositories: ['pith'] };
const hash = 'h'.repeat(43);
const start = (i) => ({
  type: 'tool.call.started',
  ...call(i),
  version: '1',
  input_hash: hash,
  session: hash,
  scope,
});
const refs = Array.from({ length: 5 }, (_, i) => ({ type: 'section', id: `guide/page-${i}.md#install/use` }));
const end = (i) => ({
  type: 'tool.call.completed',
  ...call(i),
  outcome: 'success',
  executed: true,
  refs,
  bytes: 812,
  tokens: 203,
  duration_ms: 12.5,
  error_code: null,
});

const times = async (count, step) => {
  const all = [];
  for (let i = 0; i < count; i++) {
    const from = performance.now();
    await step(i);
    all.push(performance.now() - from);
  }
  return all;
};
const shown = (all) => `p50 ${quantile(all, 0.5).toFixed(3)} ms, p95 ${quantile(all, 0.95).toFixed(3)} ms`;
const say = (text) => console.log(text);

/** Runs a command of the built program. */
function timed(...args) {
  const from = performance.now();
  const env = { ...process.env, PITH_SECRET: SECRET };
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'bin', 'pith.js'), 'ledger', ...args, '--file', file],
    { env, encoding: 'utf8', maxBuffer: 1e9 },
  );
  return { seconds: (performance.now() - from) / 1000, status, lines: stdout.trimEnd().split('\n') };
}

try {
  const ledger = open();
  await ledger.append([start(0)], { durable: true });
  const durable = await times(300, (i) => ledger.append([start(i)], { durable: true }));
  say(`durable append: ${shown(durable)}`);
  const batched = await times(5_000, (i) => ledger.append([start(i), end(i)], { durable: false }));
  say(`batched append of a call's two lines, on the main thread: ${shown(batched)}`);
  await ledger.flush();

  const delay = monitorEventLoopDelay({ resolution: 1 });
  await pause(2_000, delay.enable());
  const idle = delay.percentile(99) / 1e6;
  delay.reset();
  const until = performance.now() + 5_000;
  for (let i = 0; performance.now() < until; i++) {
    void ledger.append([start(i), end(i)], { durable: i % 10 === 0 });
    await pause(1);
  }
  delay.disable();
  say(
    `event loop delay p99: idle ${idle.toFixed(1)} ms, with about 500 calls a second ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  );

  const from = performance.now();
  for (let i = 0; i < LINES / 2; i += 1_000) {
    const calls = Array.from({ length: Math.min(1_000, LINES / 2 - i) }, (_, j) => i + j);
    await ledger.append(
      calls.flatMap((at) => [start(at), end(at)]),
      { durable: true },
    );
  }
  say(`${LINES} lines written in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  await ledger.close();
  say(`file: ${(statSync(file).size / LINES).toFixed(0)} bytes a line`);

  const show = timed('show', `run-${Math.floor(LINES / 60)}`);
  say(`show of a run: ${show.seconds.toFixed(2)} s, ${show.lines.length} lines`);
  const verify = timed('verify');
  say(`verify: ${verify.seconds.toFixed(1)} s, ${Math.round(LINES / verify.seconds)} lines a second`);
  say(verify.lines[0]);
} finally {
  rmSync(work, { recursive: true, force: true });
}
