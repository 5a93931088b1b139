import { runCli } from './cli/program.js';
import { takeStderr } from './core/stderr.js';

takeStderr();

// The reader of our output may close it early, as `| head` does: a closed stderr is ignored, a closed stdout ends the
// process without an error.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => process.exit(0));

void runCli(process.argv, {
  stdio: async () => (await import('./main.stdio.js')).runStdio,
  http: async () => (await import('./main.http.js')).runHttp,
  inProcess: async (...settings) => (await import('./main.in-process.js')).openInProcess(...settings),
  tools: async () => (await import('./app.module.js')).toolDefinitions(),
  startHttp: async () => (await import('./main.http.js')).startHttp,
});
