// Appends to a ledger as fast as it can, and reports what it was promised: `d CALL MS` when a durable append has resolved
// after so many milliseconds, `b CALL TIME` when a batched one was accepted. Run with the ledger file or a postgres:// URL, the server secret and a
// run id.
const { writeSync } = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');
const { openLedger } = require('../../dist/governance/ledger/store/open-ledger.js');

const [file, secret, run_id] = process.argv.slice(2);
const stop = (error) => {
  writeSync(2, `${error.stack}\n`);
  process.exit(1);
};
const governanceDatabase = file.startsWith('postgres:') ? file : '';
const config = { ledger: { file }, backends: { governanceDatabase, timeoutMs: 5_000 } };
const ledger = openLedger(config, { secret, isLasting: true }, stop);

const call = { run_id, tool: 'run.create', principal: 'local', agent: 'default', rule: null, effect: null };
const start = (call_id) => ({
  type: 'tool.call.started',
  ...call,
  call_id,
  version: '1',
  input_hash: 'h'.repeat(43),
  session: null,
  scope: { project: 'docs', environment: 'prod', doc_tags: null, repositories: null },
});

async function appendDurably() {
  for (let i = 0; ; i++) {
    const from = performance.now();
    await ledger.append([start(`d${i}`)], { durable: true });
    writeSync(1, `d d${i} ${Math.ceil(performance.now() - from)}\n`);
  }
}

async function appendBatched() {
  for (let i = 0; ; i++) {
    await ledger.append([start(`b${i}`)], { durable: false });
    writeSync(1, `b b${i} ${Date.now()}\n`);
    await pause(2);
  }
}

async function append() {
  // As a server does, which takes calls when it has started.
  await ledger.head();
  // Without durable appends in between, batched ones have to find their own way to the file.
  await Promise.all([appendBatched(), ...(run_id.startsWith('batched') ? [] : [appendDurably()])]);
}

append().catch(stop);
