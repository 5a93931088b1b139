import { runCli } from './cli/program.js';
import { takeStderr } from './core/stderr.js';

takeStderr();

// Whoever read our output has gone, as `| head` does: that is no reason to die while serving, nor to complain.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => process.exit(0));

void runCli(process.argv, {
  stdio: async () => (await import('./main.stdio.js')).runStdio,
  http: async () => (await import('./main.http.js')).runHttp,
  inProcess: async (...settings) => (await import('./main.in-process.js')).openInProcess(...settings),
  startHttp: async () => (await import('./main.http.js')).startHttp,
});
