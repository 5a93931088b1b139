import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { fromEvent, map, merge, take } from 'rxjs';
import type { Observable } from 'rxjs';
import { callOf, mcpContextOf } from './calls.js';

function raise(reason: unknown): never {
  throw reason;
}

/** Answers when the deadline passes, even if the handler goes on. */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const mcp = mcpContextOf(context);
    if (!mcp) return next.handle();
    const { signal } = callOf(mcp);
    signal.throwIfAborted();
    const aborted = fromEvent(signal, 'abort').pipe(map(() => raise(signal.reason)));
    return merge(next.handle(), aborted).pipe(take(1));
  }
}
