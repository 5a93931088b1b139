import { HttpException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { z } from 'zod';
import type { CallFailure } from '../../core/call.js';
import type { ErrorCode } from '../../core/errors.js';
import { beginStreamed, type StreamedCall } from '../../mcp/calls.js';
import { ProjectServers } from '../../mcp/http/project-servers.js';
import { principalOf } from '../../mcp/principals.js';
import { AdminFailure } from '../admin-failure.js';

/** A tool that pages call. */
interface PageTool<O extends z.ZodType> {
  readonly name: string;
  readonly output: O;
  /** `_meta` of the call. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A call that failed or was refused. */
export class FailedPageCall extends Error {
  /** @param failure  null for a tool that the caller is not offered */
  constructor(readonly failure: CallFailure | null) {
    super(failure?.message ?? 'The tool is not offered.');
    this.name = 'FailedPageCall';
  }
}

/** Calls tools for pages, through the pipeline of every call: scope, policy, limits, diagnostics and the ledger apply. */
@Injectable()
export class PageCalls {
  constructor(private readonly servers: ProjectServers) {}

  /** Calls a tool for the sender of a request. One call of a request at a time. @throws FailedPageCall */
  async call<O extends z.ZodType>(
    request: Request,
    { name, output, meta = {} }: PageTool<O>,
    args: Readonly<Record<string, unknown>>,
  ): Promise<z.output<O>> {
    const streamed: StreamedCall = { sent: null, send: null, output: null, failure: null };
    beginStreamed(request, streamed);
    // Each call listens for the end of the reply, and a page has more of them than Node expects.
    request.res?.setMaxListeners(0);
    const { callTool } = this.servers.of(principalOf(request));
    const answer = await callTool(request, { name, arguments: args, _meta: meta });
    // Nobody reads the reply to a request whose sender has left.
    if (answer === null) throw new HttpException('The connection was closed.', 499);
    if (streamed.failure || streamed.output === null) throw new FailedPageCall(streamed.failure);
    return output.parse(streamed.output);
  }

  /** The same; null if the call is refused or finds nothing. @throws FailedPageCall if it may succeed later */
  async find<O extends z.ZodType>(
    request: Request,
    tool: PageTool<O>,
    args: Readonly<Record<string, unknown>>,
  ): Promise<z.output<O> | null> {
    try {
      return await this.call(request, tool, args);
    } catch (error) {
      if (error instanceof FailedPageCall && isRefusal(error)) return null;
      throw error;
    }
  }
}

function isRefusal({ failure }: FailedPageCall): boolean {
  return failure === null || failure.code === 'INVALID_ARGUMENT' || failure.code === 'SCOPE_VIOLATION';
}

const CODES: Readonly<Record<ErrorCode, AdminFailure['code']>> = {
  INVALID_ARGUMENT: 'INVALID_ARGUMENT',
  SCOPE_VIOLATION: 'FORBIDDEN',
  BUDGET_EXCEEDED: 'RATE_LIMITED',
  TIMEOUT: 'BACKEND_UNAVAILABLE',
  BACKEND_UNAVAILABLE: 'BACKEND_UNAVAILABLE',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
};

/** Message of a page about a failed call. */
export function callFailure({ failure }: FailedPageCall): AdminFailure {
  if (failure === null)
    return new AdminFailure(
      'FORBIDDEN',
      'You may not search here.',
      'Sign in with another key, or ask the operator.',
    );
  const hint: unknown = failure.details?.['hint'];
  const next = typeof hint === 'string' ? hint : 'Try again.';
  return new AdminFailure(CODES[failure.code], failure.message, next);
}
