import { type DynamicModule, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import { CallerRules } from '../pipeline/caller-identity.js';
import { Principals } from '../principals.js';
import { Credentials } from './credentials.js';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';
import { McpHttpController } from './mcp.controller.js';
import { ProtectedResourceController } from './oauth/protected-resource.controller.js';
import { TokenScopes } from './oauth/token-scopes.js';
import { type ProjectServer, ProjectServers } from './project-servers.js';
import { type HttpTransport, serverOf } from './sessions/http-transport.js';
import { SourceHooksController } from './source-hooks.controller.js';

/** The HTTP routes: the MCP endpoint and health checks. */
@Module({})
export class HttpModule implements OnApplicationBootstrap {
  constructor(private readonly secret: ServerSecret) {}

  /** @param projects  further projects, by their id */
  static register(
    transport: HttpTransport,
    principals: Principals,
    projects: ReadonlyMap<string, ProjectServer>,
  ): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      controllers: [
        ...[McpHttpController, HealthController, ProtectedResourceController, SourceHooksController],
      ],
      providers: [
        {
          provide: ProjectServers,
          inject: [CallerRules],
          useFactory: (rules: CallerRules) => new ProjectServers(serverOf(transport, rules), projects),
        },
        { provide: Principals, useValue: principals },
        Credentials,
        Draining,
        TokenScopes,
      ],
      exports: [Principals, Credentials, Draining, ProjectServers, TokenScopes],
    };
  }

  onApplicationBootstrap(): void {
    if (this.secret.isLasting) return;
    new Logger().warn(
      'PITH_SECRET is not set and there is no secret file: handles and cursors are valid only until this process stops',
    );
  }
}
