import 'reflect-metadata';
import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { maySignIn } from './admin/admin.guard.js';
import { AdminModule, CALL_HISTORY, checkAdminToken } from './admin/admin.module.js';
import { PeopleModule, WelcomeModule } from './admin/people/people.module.js';
import { type Entry, listObservers, startWarnings, toolDefinitions } from './app.module.js';
import type { RunningServer } from './cli/commands/serve.command.js';
import { listenProblem } from './cli/failures.js';
import { endWhenTold, onHangUp, orClose } from './cli/running/signals.js';
import type { Config } from './config/config.js';
import { InvalidConfigurationError } from './config/invalid-configuration.js';
import { localState } from './config/local-state.js';
import { ServerSecret } from './config/server-secret.js';
import type { HttpConfig } from './config/settings/http.config.js';
import type { IndexBuild } from './core/ports/index-build.js';
import { tell } from './core/stderr.js';
import { loadFeatures, loadPages, openServerAccess } from './features.js';
import { type OpenProjects, openProjects } from './http-projects.js';
import { createServer, FLUSH_MS } from './http-server.js';
import { Draining } from './mcp/http/draining.js';
import { HttpModule } from './mcp/http/http.module.js';
import { HttpAdapter } from './mcp/http/http-adapter.js';
import { allowedNames, checkBinding, isAllowedOrigin } from './mcp/http/http-security.js';
import { KnownSenders } from './mcp/http/known-senders.js';
import { RequestQueue } from './mcp/http/request-queue.js';
import { HttpTransport } from './mcp/http/sessions/http-transport.js';
import { readTlsFiles } from './mcp/http/tls-files.js';
import { PAGE_PATHS, TOOL_PATHS } from './mcp/http/tool-paths.js';
import type { Features, HttpAccess } from './mcp/serving.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

/** @throws InvalidConfigurationError for a certificate or an address of a proxy that can't be used */
function openAdapter(http: HttpConfig): HttpAdapter {
  const adapter = new HttpAdapter(readTlsFiles(http));
  adapter.set('case sensitive routing', true);
  try {
    if (http.trustedProxies.length > 0) adapter.set('trust proxy', http.trustedProxies);
  } catch (error) {
    throw new InvalidConfigurationError([`PITH_HTTP_TRUSTED_PROXIES: ${(error as Error).message}.`]);
  }
  return adapter;
}

/** Adds what every request passes before its route. */
function prepare(app: NestExpressApplication, http: HttpConfig, { watch }: HttpAccess): void {
  const { origins } = allowedNames(http);
  app.disable('x-powered-by');
  app.use(app.get(Draining).watch);
  app.use(watch);
  app.enableCors({
    origin: (origin, done) => done(null, isAllowedOrigin(origin, origins)),
    methods: ['POST', 'GET', 'DELETE'],
    exposedHeaders: ['Mcp-Session-Id', 'WWW-Authenticate'],
  });
  const senders = new KnownSenders();
  const turns = new RequestQueue(senders.callerOf, () => performance.now());
  const server: Server = app.getHttpServer();
  server.on('connection', turns.arrive);
  app.use([...Object.values(TOOL_PATHS), ...PAGE_PATHS], senders.watch, turns.wait);
}

/** Additions of an application to Pith. */
export type Extras = Pick<Entry, 'modules' | 'tools' | 'strategy'>;

/** Objects that exist before the application. */
interface Opened {
  readonly extras: Extras;
  readonly adapter: HttpAdapter;
  readonly features: Features;
  readonly access: HttpAccess;
  readonly projects: OpenProjects;
}

async function createApp(
  config: Config,
  build: IndexBuild | null,
  { adapter, features, access, projects, extras }: Opened,
): Promise<NestExpressApplication> {
  const transport = new HttpTransport(() => app.get(ServerSecret).secret);
  const hasConsole = config.admin.token !== '' || access.principals.all.some(maySignIn);
  const observers = TelemetryModule.register(
    [...listObservers(features), access.observer, ...(hasConsole ? [CALL_HISTORY] : [])],
    hasConsole,
  );
  const offers = (tool: string): boolean =>
    [...projects.servers.values()].some(({ rules }) => rules.surface.tools.get(tool)?.isOn === true);
  const routes = await Promise.all(
    features.on.map(async (feature) => (await feature.routes?.(config, offers)) ?? []),
  );
  const modules = [
    HttpModule.register(transport, access.principals, projects.servers),
    config.http.searchPage === 'off' ? WelcomeModule : PeopleModule.register(observers),
    ...routes.flat(),
    ...(hasConsole ? [AdminModule.register(observers, await loadPages())] : []),
    ...(extras.modules ?? []),
  ];
  const app = await createServer(config, {
    ...extras,
    build,
    adapter,
    transport,
    features,
    observers,
    modules,
  });
  prepare(app, config.http, access);
  return app;
}

/**
 * Reads the files again that can change while the server runs. All are checked before one is used.
 * @returns false if a file is not valid, and nothing is changed
 */
async function reload(app: NestExpressApplication, opened: Opened, { http }: Config): Promise<boolean> {
  const { accessFile, tlsCert, tlsKey } = http;
  const { adapter, access } = opened;
  try {
    const tls = readTlsFiles(http);
    access.reload();
    adapter.renew(tls);
    const files = [accessFile, tlsCert, tlsKey].filter((file) => file !== '');
    await access.noteReload(app, files.length);
    tell(`pith: ${files.length > 0 ? `read again: ${files.join(', ')}` : 'no file to read again'}`);
    return true;
  } catch (error) {
    await access.noteReload(app, null);
    const problems = error instanceof InvalidConfigurationError ? error.problems : [String(error)];
    tell(
      'pith: nothing is changed, because a file is not valid:',
      ...problems.map((line) => `pith:   ${line}`),
    );
    return false;
  }
}

async function listen(app: NestExpressApplication, { http }: Config): Promise<void> {
  await app.startAllMicroservices();
  try {
    await app.listen(http.port, http.host);
  } catch (error) {
    const problem = listenProblem(error, http);
    if (problem === null) throw error;
    throw new InvalidConfigurationError([problem]);
  }
}

/** Serves over Streamable HTTP. @throws InvalidConfigurationError for an address beyond loopback without a token or access file */
export async function startHttp(
  config: Config,
  build: IndexBuild | null = null,
  extras: Extras = {},
): Promise<RunningServer> {
  checkBinding(config.http);
  checkAdminToken(config);
  const access = await openServerAccess(config, await toolDefinitions());
  const adapter = openAdapter(config.http);
  const features = await loadFeatures(config, 'http');
  const projects = await openProjects(access, features);
  const opened = { adapter, features, access, projects, extras };
  const app = await orClose(createApp(config, build, opened), projects.close);
  await orClose(listen(app, config), async () => {
    await Promise.all([app.close(), projects.close()]);
  });
  tell(...localState(config).map((line) => `pith: warning: ${line}`));
  const warnings = (): (() => void) => startWarnings(features, config, config.http.accessFile);
  let dropWarnings = warnings();
  const server: Server = app.getHttpServer();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.http.port;
  const host = config.http.host.includes(':') ? `[${config.http.host}]` : config.http.host;
  return {
    url: `${config.http.tlsCert === '' ? 'http' : 'https'}://${host}:${port}${TOOL_PATHS.mcp}`,
    reload: async () => {
      if (!(await reload(app, opened, config))) return;
      dropWarnings();
      dropWarnings = warnings();
    },
    closeMs: config.http.shutdownMs + FLUSH_MS,
    close: async () => {
      dropWarnings();
      await app.get(Draining).end(server, config.http.shutdownMs);
      opened.adapter.closeConnections();
      await Promise.all([app.close(), projects.close()]);
    },
  };
}

/** Serves until the process receives a signal to end. */
export async function runHttp(config: Config, build: IndexBuild | null = null): Promise<void> {
  const server = await startHttp(config, build);
  tell(`Pith serves MCP at ${server.url}`);
  onHangUp(server.reload);
  await endWhenTold(server.close, server.closeMs);
}
