import type { McpHttpHandler } from '@rekog/mcp-nest';
import { z } from 'zod';

/** Requests whose answer contains the instructions of the corpus. */
const connectSchema = z.object({ body: z.object({ method: z.enum(['initialize', 'server/discover']) }) });

/**
 * Makes the handlers refresh the corpus facts before a connect request. It has to happen here: the library makes the
 * server of a request, with its instructions, without waiting for our code.
 */
export function withFreshInstructions(
  handlers: McpHttpHandler,
  refresh: () => Promise<unknown>,
): McpHttpHandler {
  return {
    handlePost: async (request, response) => {
      if (connectSchema.safeParse(request).success) await refresh();
      return handlers.handlePost(request, response);
    },
    handleGet: (request, response) => handlers.handleGet(request, response),
    handleDelete: (request, response) => handlers.handleDelete(request, response),
  };
}
