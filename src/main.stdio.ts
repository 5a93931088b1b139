import 'reflect-metadata';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import type { IndexBuild } from './engines/index-build.js';
import { StdioTransport } from './mcp/transport/stdio-transport.js';
import { StderrLogger } from './mcp/transport/stderr-logger.js';
import { soonStarted } from './telemetry/open-diagnostics.js';
import { serverParts } from './server-parts.js';
import { toldToEnd } from './cli/running/told-to-end.js';

/**
 * Calls under way get this long to answer after stdin has closed, then what is left of diagnostics and telemetry this
 * long to be written; whatever happens, the process ends soon after.
 */
const DRAIN_MS = 450;
const CLOSE_MS = 250;
const EXIT_MS = 800;
/** The connection itself may wait so long for the index, if stdin closes before the server has begun. */
const GREETING_MS = 1_000;

/**
 * Serves MCP over stdin and stdout until stdin closes or the process is told to end.
 * @param build  the index run that goes on meanwhile
 */
export async function runStdio(config: Config, build: IndexBuild | null = null): Promise<void> {
  const door = new StdioTransport(async () => parts.corpus?.facts());
  const parts = serverParts(config, door, build);
  const logger = new StderrLogger(config.server.logLevel);
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(AppModule.register(parts), {
    strategy: parts.strategy,
    logger,
  });
  parts.metrics?.watchScratch(() => parts.scratch.counters());
  const ended = toldToEnd(process.stdin);
  await soonStarted(parts.diagnostics.started);
  await app.listen();
  await ended;
  setTimeout(() => process.exit(0), GREETING_MS + EXIT_MS).unref();
  // What was sent before the end is read by now.
  await nextTurn();
  await door.connected();
  setTimeout(() => process.exit(0), EXIT_MS).unref();
  await parts.strategy.drain(DRAIN_MS);
  await app.close();
  await parts.diagnostics.close(CLOSE_MS);
  await parts.scratch.close();
  await parts.index.close();
  process.exit(0);
}
