import {
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ServerConfig } from '../../config/settings/server.config.js';
import { Surface } from '../../mcp/surface/surface.js';
import { ScratchModule } from '../../scratch/scratch.module.js';
import { GOVERNANCE_FILE, type ReadGovernance } from '../governance.module.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { providerConfigs } from './provider-file.js';
import { ProviderPins } from './provider-pins.js';
import { PROVIDERS, ProviderToolsController } from './provider-tools.controller.js';
import type { Providers } from './providers.js';

/** The services that providers need. */
@Injectable()
class ProviderServices {
  constructor(
    readonly surface: Surface,
    readonly registry: ToolRegistry,
    readonly pins: ProviderPins,
    readonly server: ServerConfig,
  ) {}
}

async function openAll(file: ReadGovernance, services: ProviderServices): Promise<Providers | null> {
  const configs = providerConfigs(file.providers);
  if (configs.length === 0) return null;
  const { Providers: Opened } = await import('./providers.js');
  const { server, ...parts } = services;
  const log = (provider: string) => {
    const logger = new Logger(`provider ${provider}`);
    return {
      // Output of a program may contain anything.
      debug: (line: string): void => (server.noLog ? undefined : logger.debug(line)),
      warn: (line: string): void => logger.warn(line),
      showsOutput: !server.noLog,
    };
  };
  return Opened.open({ ...parts, configs, terms: file, log }, Object.keys(file.aliases));
}

/** Connects to the external servers of the governance file while the server runs. */
@Module({
  imports: [ScratchModule],
  controllers: [ProviderToolsController],
  providers: [
    ProviderServices,
    { provide: PROVIDERS, inject: [GOVERNANCE_FILE, ProviderServices], useFactory: openAll },
  ],
  exports: [PROVIDERS],
})
export class ProvidersModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(PROVIDERS) private readonly providers: Providers | null) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.providers?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.providers?.close();
  }
}
