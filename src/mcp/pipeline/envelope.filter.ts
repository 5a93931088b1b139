import { ProtocolError } from '@modelcontextprotocol/server';
import { type ArgumentsHost, Catch, HttpException } from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import type { McpContext } from '@rekog/mcp-nest';
import { type Observable, of, throwError } from 'rxjs';
import { z } from 'zod';
import { callOf } from '../calls.js';
import { toProtocolError } from '../rendering/error-envelope.js';
import { Surface } from '../surface/surface.js';
import { FailureReporter } from './failure-reporter.js';

const httpErrorSchema = z.object({ status: z.int().min(400).max(499), message: z.string() });

/** Turns the body parser's 4xx errors into HTTP exceptions, which Nest answers without logging them. */
function asHttp(error: unknown): unknown {
  const refusal = error instanceof HttpException ? null : httpErrorSchema.safeParse(error).data;
  return refusal ? new HttpException(refusal.message, refusal.status) : error;
}

/** Puts errors of guards and resources into the error envelope; HTTP routes keep Nest's own answers. */
@Catch()
export class EnvelopeFilter extends BaseExceptionFilter {
  constructor(
    host: HttpAdapterHost,
    private readonly failures: FailureReporter,
    private readonly surface: Surface,
  ) {
    super(host.httpAdapter);
  }

  override catch(error: unknown, host: ArgumentsHost): Observable<unknown> | void {
    if (host.getType() !== 'rpc') return super.catch(asHttp(error), host);
    if (error instanceof ProtocolError) return throwError(() => error);
    const context = host.switchToRpc().getContext<McpContext>();
    const call = callOf(context);
    const { method, params } = context.mcpRequest;
    if (method === 'tools/call') {
      const tool = this.surface.tools.get(String(params?.['name']))?.definition;
      return of(this.failures.toolResult(error, call, tool));
    }
    return throwError(() => toProtocolError(this.failures.envelope(error, call), undefined));
  }
}
