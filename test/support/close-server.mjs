// Starts the built HTTP server in this process, waits for a line on stdin, closes the server, and writes which active
// resources are left. Then the process has to end by itself. Usage: node close-server.mjs INDEX
import 'reflect-metadata';
import { once } from 'node:events';
import { loadConfig } from '../../dist/cli/load-config.js';
import { startHttp } from '../../dist/main.http.js';

const server = await startHttp(loadConfig({ PITH_INDEX: process.argv[2], PITH_HTTP_PORT: '0' }));
process.stdout.write(`ready ${server.url}\n`);
await once(process.stdin, 'data');
process.stdin.destroy();
await server.close();
// Closed sockets leave the list with the next turns of the event loop.
await new Promise((resolve) => setTimeout(resolve, 100));
process.stdout.write(`left ${JSON.stringify(process.getActiveResourcesInfo())}\n`);
