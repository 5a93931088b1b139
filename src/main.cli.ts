import { parentPort, workerData } from 'node:worker_threads';
import { runCli } from './cli/program.js';
import { takeStderr } from './core/stderr.js';
import { FEATURE_COMMANDS, loadCommandEngines } from './feature-commands.js';

takeStderr();

// The reader of our output may close it early, as `| head` does: a closed stderr is ignored, a closed stdout ends the
// process without an error.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => process.exit(0));

// The program is also the worker threads of features.
const { task } = Object(workerData);
const runThread = FEATURE_COMMANDS.map(({ threads }) => threads?.[task]).find((run) => run !== undefined);

if (parentPort && runThread) void runThread(parentPort);
else
  void runCli(process.argv, {
    features: FEATURE_COMMANDS,
    stdio: async () => (await import('./main.stdio.js')).runStdio,
    http: async () => (await import('./main.http.js')).runHttp,
    inProcess: async (...settings) => (await import('./main.in-process.js')).openInProcess(...settings),
    engines: loadCommandEngines,
    tools: async () => (await import('./app.module.js')).toolDefinitions(),
    startHttp: async () => (await import('./main.http.js')).startHttp,
  });
