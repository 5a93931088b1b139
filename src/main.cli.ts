import { runCli } from './cli/program.js';

void runCli(process.argv);
