import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { mcpContextOf } from './calls.js';
import { definitionOf } from './define-tool.js';
import { invalidInput } from './invalid-input.js';

/** Checks a tool's arguments against its schema and hands on what the schema makes of them. */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const definition = mcpContextOf(context) ? definitionOf(context.getHandler()) : undefined;
    if (!definition) return next.handle();
    const args = context.getArgs<unknown[]>();
    const parsed = definition.input.safeParse(args[0] ?? {});
    if (!parsed.success) throw definition.refuse?.(parsed.error, args[0]) ?? invalidInput(parsed.error);
    // Nest passes this very array on to the handler.
    args[0] = parsed.data;
    return next.handle();
  }
}
