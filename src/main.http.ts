import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MCP_HTTP_HANDLER, StreamableHttpTransport } from '@rekog/mcp-nest';
import { checkAdminToken } from './admin/admin.module.js';
import { AppModule } from './app.module.js';
import type { RunningServer } from './cli/commands/serve.command.js';
import { InvalidConfigurationError } from './config/invalid-configuration.js';
import type { Config } from './config/config.js';
import type { IndexBuild } from './engines/index-build.js';
import { withFreshInstructions } from './mcp/http/fresh-instructions.js';
import { HealthController } from './mcp/http/health.controller.js';
import { allowedNames, checkBinding, isAllowedOrigin } from './mcp/http/http-security.js';
import { McpHttpController } from './mcp/http/mcp.controller.js';
import { WelcomeController } from './mcp/http/welcome.controller.js';
import { StderrLogger } from './mcp/transport/stderr-logger.js';
import { operatorDoor } from './admin/open-admin.js';
import { soonStarted } from './telemetry/open-diagnostics.js';
import { serverParts } from './server-parts.js';
import { tell } from './core/stderr.js';
import { endWhenTold } from './cli/running/told-to-end.js';

/** Diagnostics and telemetry that are left get this long at shutdown. */
const CLOSE_MS = 2_000;
/** How often connections are closed whose last call was answered during shutdown; Node keeps them open by itself. */
const IDLE_MS = 50;

async function createApp(config: Config, build: IndexBuild | null) {
  const { origins } = allowedNames(config.http);
  const transport = new StreamableHttpTransport();
  const parts = serverParts(config, transport, build);
  const handlers = withFreshInstructions(transport.httpHandlers, async () => parts.corpus?.facts());
  const operators = operatorDoor(parts);
  const door = {
    controllers: [McpHttpController, HealthController, WelcomeController, ...operators.controllers],
    providers: [{ provide: MCP_HTTP_HANDLER, useValue: handlers }, ...operators.providers],
  };
  const logger = new StderrLogger(config.server.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register({ ...parts, door }), {
    logger,
    // A body is read once its sender is known.
    bodyParser: false,
  });
  app.disable('x-powered-by');
  app.enableCors({
    origin: (origin, done) => done(null, isAllowedOrigin(origin, origins)),
    methods: ['POST', 'GET', 'DELETE'],
    exposedHeaders: ['Mcp-Session-Id', 'WWW-Authenticate'],
  });
  parts.strategy.setHttpAdapter(app.getHttpAdapter());
  // Without inheritAppConfig the guards and interceptors of the pipeline would not run at all over HTTP.
  app.connectMicroservice<MicroserviceOptions>({ strategy: parts.strategy }, { inheritAppConfig: true });
  parts.metrics?.watchScratch(() => parts.scratch.counters());
  if (!parts.isSecretLasting)
    logger.warn(
      'PITH_SECRET is not set and there is no secret file: handles and cursors are valid only until this process stops',
    );
  return { app, parts };
}

async function listen(app: NestExpressApplication, { http }: Config): Promise<void> {
  try {
    await app.listen(http.port, http.host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = {
      EADDRINUSE: 'is in use',
      EACCES: 'is not yours to take',
      EADDRNOTAVAIL: 'is not an address here',
    }[code];
    if (why === undefined) throw error;
    throw new InvalidConfigurationError([
      `${http.host}:${http.port} ${why}. Choose another with --port or --host.`,
    ]);
  }
}

/**
 * Serves MCP over Streamable HTTP.
 * @param build  the index run that goes on meanwhile
 * @throws InvalidConfigurationError for an open door beyond loopback
 */
export async function startHttp(config: Config, build: IndexBuild | null = null): Promise<RunningServer> {
  checkBinding(config.http);
  checkAdminToken(config);
  const { app, parts } = await createApp(config, build);
  await soonStarted(parts.diagnostics.started);
  await app.startAllMicroservices();
  await listen(app, config);
  const server: Server = app.getHttpServer();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.http.port;
  const host = config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host;
  return {
    url: `http://${host}:${port}/mcp`,
    closeMs: config.http.shutdownMs + CLOSE_MS,
    close: async () => {
      const giveUp = setTimeout(() => server.closeAllConnections(), config.http.shutdownMs);
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
      server.closeIdleConnections();
      await app.close();
      clearTimeout(giveUp);
      clearInterval(idle);
      await parts.diagnostics.close(CLOSE_MS);
      await parts.scratch.close();
      await parts.index.close();
    },
  };
}

/** Runs until the process is told to end. */
export async function runHttp(config: Config, build: IndexBuild | null = null): Promise<void> {
  const server = await startHttp(config, build);
  tell(`Pith serves MCP at ${server.url}`);
  await endWhenTold(server.close, server.closeMs);
}
