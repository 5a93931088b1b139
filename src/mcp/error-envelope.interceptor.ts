import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { catchError, defer, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { callOf, mcpContextOf } from './calls.js';
import { definitionOf } from './define-tool.js';
import { FailureReporter } from './failure-reporter.js';

/** Outermost: whatever fails within a tool call becomes the error envelope. */
@Injectable()
export class ErrorEnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly failures: FailureReporter) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const mcp = mcpContextOf(context);
    if (!mcp || !definitionOf(context.getHandler())) return next.handle();
    return defer(() => next.handle()).pipe(
      catchError((error: unknown) => of(this.failures.toolResult(error, callOf(mcp)))),
    );
  }
}
