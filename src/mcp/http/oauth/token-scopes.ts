import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { missingScopes, noteRefusal, Principals } from '../../principals.js';
import type { Surface } from '../../surface/surface.js';
import { usedTool } from '../../surface/used-tool.js';
import { rpcFailure, SERVER_ERROR } from '../rpc-failure.js';
import { challenge } from './challenge.js';

const messageSchema = z.looseObject({
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** Refuses requests whose token lacks a scope, and tells the client which to ask for. */
@Injectable()
export class TokenScopes {
  constructor(private readonly principals: Principals) {}

  /** @param request  with its message, or a batch, as the body @throws HttpException with status 403 */
  check(request: Request, response: Response, surface: Surface): void {
    const body: unknown = request.body;
    const resource = this.principals.protectedResource;
    if (!resource) return;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const needed = [...new Set(messages.flatMap((message) => resource.needed(toolOf(message, surface))))];
    const missing = missingScopes(request, needed);
    if (missing.length === 0) return;
    noteRefusal(request, 'missing_scope');
    const lacks = `The token lacks the scope ${missing.join(' ')}.`;
    const fault = { error: 'insufficient_scope', error_description: lacks } as const;
    response.setHeader('WWW-Authenticate', challenge(resource, needed, fault));
    throw rpcFailure(403, SERVER_ERROR, `${lacks} Ask for a token with it.`);
  }
}

/** The body was checked to be JSON-RPC before. @throws ZodError otherwise, so that nothing passes unread */
function toolOf(message: unknown, surface: Surface): string | null {
  const { method = '', params } = messageSchema.parse(message);
  return usedTool(surface, method, params);
}
