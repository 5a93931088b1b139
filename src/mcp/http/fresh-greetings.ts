import type { McpHttpHandler } from '@rekog/mcp-nest';
import { z } from 'zod';

/** Requests that are answered with the instructions of the corpus. */
const greetingSchema = z.object({ body: z.object({ method: z.enum(['initialize', 'server/discover']) }) });

/**
 * The handlers of the door, but they greet only once the index was looked at: a server for a request is made, with its
 * instructions, before anything of ours could wait for it.
 */
export function freshGreetings(handlers: McpHttpHandler, look: () => Promise<unknown>): McpHttpHandler {
  return {
    handlePost: async (request, response) => {
      if (greetingSchema.safeParse(request).success) await look();
      return handlers.handlePost(request, response);
    },
    handleGet: (request, response) => handlers.handleGet(request, response),
    handleDelete: (request, response) => handlers.handleDelete(request, response),
  };
}
