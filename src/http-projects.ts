import type { NestExpressApplication } from '@nestjs/platform-express';
import { listObservers } from './app.module.js';
import { loadConfig } from './cli/load-config.js';
import type { Config } from './config/config.js';
import { InvalidConfigurationError } from './config/invalid-configuration.js';
import { resolveReferences } from './config/secret-reference.js';
import { ServerSecret } from './config/server-secret.js';
import { createServer } from './http-server.js';
import { HttpAdapter } from './mcp/http/http-adapter.js';
import type { ProjectServer } from './mcp/http/project-servers.js';
import { HttpTransport, serverOf } from './mcp/http/sessions/http-transport.js';
import { CallerRules } from './mcp/pipeline/caller-identity.js';
import type { Features, HttpAccess } from './mcp/serving.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

/** The servers of further projects. They don't listen: the HTTP server passes requests on to them. */
export interface OpenProjects {
  readonly servers: ReadonlyMap<string, ProjectServer>;
  readonly close: () => Promise<void>;
}

/** The settings of the server with those of a project. @throws InvalidConfigurationError */
function configOf(name: string, { index, settings }: HttpAccess['projects'][string]): Config {
  try {
    const own = resolveReferences(settings, 'settings');
    return loadConfig({ ...own, PITH_INDEX: index, PITH_PROJECT: name });
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    throw new InvalidConfigurationError(
      error.problems.map((problem) => `PITH_ACCESS_FILE: projects.${name}: ${problem}`),
    );
  }
}

/** Makes the server of each project of an access file. @throws InvalidConfigurationError */
export async function openProjects(
  { projects, observer }: HttpAccess,
  features: Features,
): Promise<OpenProjects> {
  const configs = Object.entries(projects).map(([name, file]) => [name, configOf(name, file)] as const);
  const apps: NestExpressApplication[] = [];
  const servers = new Map<string, ProjectServer>();
  const close = async (): Promise<void> => void (await Promise.all(apps.map((app) => app.close())));
  try {
    for (const [name, config] of configs) {
      const transport = new HttpTransport(() => app.get(ServerSecret).secret);
      const observers = TelemetryModule.register([...listObservers(features), observer], false);
      const parts = { build: null, adapter: new HttpAdapter(null), transport, features, observers };
      const app: NestExpressApplication = await createServer(config, parts);
      apps.push(app);
      const server = serverOf(transport, app.get(CallerRules));
      await app.startAllMicroservices();
      await app.init();
      servers.set(name, server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { servers, close };
}
