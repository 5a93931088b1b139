import { type DynamicModule, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { MCP_HTTP_HANDLER, type McpHttpHandler, type StreamableHttpTransport } from '@rekog/mcp-nest';
import { z } from 'zod';
import { ServerSecret } from '../../config/server-secret.js';
import { CorpusLists } from '../corpus-lists.js';
import { HealthController } from './health.controller.js';
import { McpHttpController } from './mcp.controller.js';
import { WelcomeController } from './welcome.controller.js';

/** Requests whose answer contains the instructions of the corpus. */
const connectSchema = z.object({ body: z.object({ method: z.enum(['initialize', 'server/discover']) }) });

/** Refreshes the corpus facts before the library makes the server of a connect request, with its instructions. */
function withFreshInstructions(handlers: McpHttpHandler, refresh: () => Promise<unknown>): McpHttpHandler {
  return {
    handlePost: async (request, response) => {
      if (connectSchema.safeParse(request).success) await refresh();
      return handlers.handlePost(request, response);
    },
    handleGet: (request, response) => handlers.handleGet(request, response),
    handleDelete: (request, response) => handlers.handleDelete(request, response),
  };
}

/** The HTTP routes: the MCP endpoint, health checks, and a page for browsers. */
@Module({})
export class HttpModule implements OnApplicationBootstrap {
  constructor(private readonly secret: ServerSecret) {}

  static register(transport: StreamableHttpTransport): DynamicModule {
    const handlers = (corpus: CorpusLists | null) =>
      withFreshInstructions(transport.httpHandlers, async () => corpus?.facts());
    return {
      module: HttpModule,
      controllers: [McpHttpController, HealthController, WelcomeController],
      providers: [{ provide: MCP_HTTP_HANDLER, inject: [CorpusLists], useFactory: handlers }],
    };
  }

  onApplicationBootstrap(): void {
    if (this.secret.isLasting) return;
    new Logger().warn(
      'PITH_SECRET is not set and there is no secret file: handles and cursors are valid only until this process stops',
    );
  }
}
