import { ProtocolError } from '@modelcontextprotocol/server';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, defer, type Observable, of } from 'rxjs';
import { PithError, UnexpectedError } from '../../core/errors.js';
import { findToolCall } from '../calls.js';
import type { AnyTool } from '../define-tool.js';
import { FailureReporter } from './failure-reporter.js';

/** The outermost interceptor: turns every failure of a tool call into the error envelope. */
@Injectable()
export class ErrorEnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly failures: FailureReporter) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tool = findToolCall(context);
    if (!tool) return next.handle();
    const { call, definition } = tool;
    return defer(() => next.handle()).pipe(
      catchError((error: unknown) => {
        // An error of the protocol, such as a missing capability of the client, is not a result.
        if (error instanceof ProtocolError) throw error;
        return of(this.failures.toolResult(asContracted(error, definition), call, definition));
      }),
    );
  }
}

function asContracted(error: unknown, { unexpected }: AnyTool): unknown {
  if (unexpected === undefined || error instanceof PithError) return error;
  return new UnexpectedError('An unexpected error occurred.', { reason: unexpected, hint: '', cause: error });
}
