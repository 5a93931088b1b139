import 'reflect-metadata';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { orClose, toldToEnd } from './cli/running/signals.js';
import type { Config } from './config/config.js';
import type { IndexBuild } from './core/ports/index-build.js';
import { tell } from './core/stderr.js';
import { loadEngines, loadFeatures } from './features.js';
import { CorpusLists } from './mcp/corpus-lists.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { StderrLogger } from './mcp/transport/stderr-logger.js';
import { StdioTransport } from './mcp/transport/stdio-transport.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

/**
 * After stdin has closed, running calls get DRAIN_MS to answer, then diagnostics and telemetry FLUSH_MS to be written.
 * The process ends after EXIT_MS in any case.
 */
const DRAIN_MS = 450;
const FLUSH_MS = 250;
const EXIT_MS = 800;
/** How long the connection may wait for the index if stdin closes before the server has started (ms). */
const GREETING_MS = 1_000;

/** Serves until stdin closes or the process receives a signal to end. @param build  the index run in the background */
export async function runStdio(config: Config, build: IndexBuild | null = null): Promise<void> {
  const transport = new StdioTransport(async () => app.get<CorpusLists | null>(CorpusLists)?.facts({}));
  const { open: engines, close } = (await loadEngines()).start(config, build);
  // The largest import. Meanwhile the thread of the engines opens the index.
  const { AppModule, listObservers, startWarnings } = await orClose(import('./app.module.js'), close);
  const features = await orClose(loadFeatures(config, 'stdio'), close);
  const root = AppModule.register(config, {
    transport,
    engines,
    over: 'stdio',
    features,
    observers: TelemetryModule.register(listObservers(features), false),
    flushMs: FLUSH_MS,
  });
  const creating = NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    inject: [PithStrategy],
    useFactory: (strategy: PithStrategy) => ({ strategy }),
    logger: new StderrLogger(config.server.logLevel),
    abortOnError: false,
  });
  const app = await orClose(creating, close);
  const ended = toldToEnd(process.stdin);
  await orClose(app.listen(), () => app.close());
  startWarnings(features, config);
  await ended;
  setTimeout(() => process.exit(0), GREETING_MS + EXIT_MS).unref();
  // One event-loop turn later, all input received before EOF has been parsed.
  await nextTurn();
  await transport.connected();
  setTimeout(() => process.exit(0), EXIT_MS).unref();
  const left = await app.get(PithStrategy).drain(DRAIN_MS);
  if (left > 0)
    tell(
      `pith: stdin was closed, so these calls get no answer: ${left}. Keep it open until the last answer.`,
    );
  await app.close();
  process.exit(0);
}
