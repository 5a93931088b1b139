import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { furtherTools } from '../../define-tool.js';
import { type CallerRules, makeCaller } from '../../pipeline/caller-identity.js';
import { paramText } from '../../pipeline/observed-call.js';
import { missingScopes, noteRefusal, principalOf, Principals } from '../../principals.js';
import { DOCUMENT_TOOL, toolBehind } from '../../resource-requests.js';
import { canonicalName, type Surface } from '../../surface/surface.js';
import type { Actor } from '../../tool-access.js';
import { rpcFailure, SERVER_ERROR } from '../rpc-failure.js';
import { challenge } from './challenge.js';

const messageSchema = z.looseObject({
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** Methods whose answers name the documents that get_doc reads. */
const NAMES_DOCUMENTS: readonly string[] = ['resources/list', 'completion/complete'];

type Params = Readonly<Record<string, unknown>>;

/** The facts of a server that decide which tools a caller is offered. */
type Offers = Pick<CallerRules, 'surface' | 'agent'>;

/** Refuses requests whose token lacks a scope, and tells the client which to ask for. */
@Injectable()
export class TokenScopes {
  constructor(private readonly principals: Principals) {}

  /** @param request  with its message, or a batch, as the body @throws HttpException with status 403 */
  check(request: Request, response: Response, { surface, agent }: Offers): void {
    const body: unknown = request.body;
    const resource = this.principals.protectedResource;
    if (!resource) return;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const caller = makeCaller(principalOf(request), { agent });
    const tools = messages.flatMap((message) => toolsOf(message, surface, caller));
    const needed = [...new Set(tools.flatMap((tool) => resource.needed(tool)))];
    const missing = missingScopes(request, needed);
    if (missing.length === 0) return;
    noteRefusal(request, 'missing_scope');
    const lacks = `The token lacks the scope ${missing.join(' ')}.`;
    const fault = { error: 'insufficient_scope', error_description: lacks } as const;
    response.setHeader('WWW-Authenticate', challenge(resource, needed, fault));
    throw rpcFailure(403, SERVER_ERROR, `${lacks} Ask for a token with it.`);
  }
}

/**
 * The tools whose scopes a request needs: the one that it calls, or that decides about what it reads or lists, and
 * those that return the same content. Only null for other methods, and for a tool that the caller is not offered: no
 * scope would help.
 * @throws ZodError for a body that is no JSON-RPC, which was checked before
 */
function toolsOf(message: unknown, surface: Surface, caller: Actor): readonly (string | null)[] {
  const { method = '', params } = messageSchema.parse(message);
  const definition = surface.tools.get(toolOf(method, params, surface) ?? '')?.definition;
  if (!definition || !surface.access.offers(caller, definition.name)) return [null];
  const { name, standsFor = [], standsForIf = {} } = definition;
  const input: Readonly<Record<string, unknown>> = Object(params?.['arguments']);
  return [name, ...standsFor, ...furtherTools({ standsForIf }, input)];
}

function toolOf(method: string, params: Params | undefined, surface: Surface): string | null {
  if (method === 'tools/call') return canonicalName(surface, paramText(params, 'name'));
  if (NAMES_DOCUMENTS.includes(method)) return DOCUMENT_TOOL;
  const reads = method === 'resources/read' || method === 'prompts/get';
  return reads ? toolBehind(method, paramText(params, 'uri')) : null;
}
