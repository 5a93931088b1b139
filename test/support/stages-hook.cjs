// Loaded into a server by NODE_OPTIONS=--require: appends each stage that a call enters to STAGES_FILE, as lines of JSON.
// It patches the compiled classes, so the server runs from them and not from the bundle.
'use strict';

const { appendFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const file = process.env.STAGES_FILE;
const dist = join(__dirname, '..', '..', 'dist');
const compiled = (path) => require(join(dist, path));

const note = (call, stage) => appendFileSync(file, `${JSON.stringify({ id: call.id, stage })}\n`);

function useCompiledProgram() {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (...args) {
    const path = resolve.apply(this, args);
    return path === join(dist, 'pith.cjs') ? join(dist, 'main.cli.js') : path;
  };
}

/** Replaces a method. @param around  gets the original, bound, and the arguments */
function replace({ prototype }, method, around) {
  const original = prototype[method];
  prototype[method] = function (...args) {
    return around((...given) => original.apply(this, given), ...args);
  };
}

function install() {
  require('reflect-metadata');
  const { callOf, currentCall, mcpContextOf } = compiled('mcp/calls.js');
  const noteFor = (context, stage) => {
    const mcp = mcpContextOf(context);
    if (mcp) note(callOf(mcp), stage);
  };

  const { InputStage } = compiled('mcp/pipeline/input.stage.js');
  const { AccessStage } = compiled('mcp/pipeline/call-stages.js');
  const { ApprovalStage } = compiled('governance/approvals/approval.stage.js');
  const stages = {
    validate: InputStage,
    policy: AccessStage,
    approval: ApprovalStage,
  };
  for (const [stage, type] of Object.entries(stages)) {
    replace(type, 'pass', (pass, context) => {
      noteFor(context, stage);
      return pass(context);
    });
  }

  // The last interceptor: behind it is the handler.
  const { OutputInterceptor } = compiled('mcp/pipeline/output.interceptor.js');
  replace(OutputInterceptor, 'intercept', (intercept, context, next) => {
    const handle = () => {
      noteFor(context, 'execute');
      return next.handle();
    };
    return intercept(context, { handle });
  });
  replace(OutputInterceptor, 'render', (render, call, ...more) => {
    note(call, 'output');
    return render(call, ...more);
  });

  const { CallLedger } = compiled('governance/ledger/call-ledger.js');
  // For calls that are not only reads, the line is durable then.
  replace(CallLedger, 'start', async (start, call, ...more) => {
    await start(call, ...more);
    note(call, 'ledger: started');
  });
  replace(CallLedger, 'recordEnd', (recordEnd, finished, ...more) => {
    note(finished.call, 'ledger: completed');
    return recordEnd(finished, ...more);
  });

  const { CallRunner } = compiled('mcp/transport/call-runner.js');
  replace(CallRunner, 'run', async (run, running) => {
    try {
      return await run(running);
    } finally {
      note(currentCall(running.connection.sdkContext), 'return');
    }
  });
}

if (isMainThread && file) {
  useCompiledProgram();
  install();
}
