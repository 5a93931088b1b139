import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { StreamableHttpTransport } from '@rekog/mcp-nest';
import { AppModule, type Entry } from './app.module.js';
import { orClose } from './cli/running/signals.js';
import type { Config } from './config/config.js';
import type { IndexBuild } from './core/ports/index-build.js';
import { loadEngines } from './features.js';
import type { HttpAdapter } from './mcp/http/http-adapter.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { StderrLogger } from './mcp/transport/stderr-logger.js';

/** Time that diagnostics and telemetry get at shutdown (ms). */
export const FLUSH_MS = 2_000;

/** The parts of a server of one project. */
interface ServerParts extends Pick<Entry, 'features' | 'observers' | 'modules' | 'tools' | 'strategy'> {
  readonly build: IndexBuild | null;
  readonly adapter: HttpAdapter;
  readonly transport: StreamableHttpTransport;
}

/** Makes the application that serves one project over HTTP. It does not listen yet. */
export async function createServer(
  config: Config,
  { build, adapter, ...entry }: ServerParts,
): Promise<NestExpressApplication> {
  const { open: engines, close } = (await loadEngines()).start(config, build);
  const root = AppModule.register(config, { ...entry, engines, over: 'http', flushMs: FLUSH_MS });
  const creating = NestFactory.create<NestExpressApplication>(root, adapter, {
    logger: new StderrLogger(config.server.logLevel),
    abortOnError: false,
    // A body is read after the sender is authenticated.
    bodyParser: false,
  });
  const app = await orClose(creating, close);
  const strategy = app.get(PithStrategy);
  strategy.setHttpAdapter(app.getHttpAdapter());
  // Without inheritAppConfig the guards and interceptors of the pipeline would not run over HTTP.
  app.connectMicroservice<MicroserviceOptions>({ strategy }, { inheritAppConfig: true });
  return app;
}
