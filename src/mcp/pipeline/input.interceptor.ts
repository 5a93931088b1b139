import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { Call } from '../../core/call.js';
import { toolCallOf } from '../calls.js';
import { invalidInput } from '../invalid-input.js';
import { controlProblem } from './refuse-controls.js';

const inputSchema = z.record(z.string(), z.unknown());

/** Records the input for diagnostics. Only operators can request the detailed debug output. */
function noteInput({ caller, trace }: Call, data: unknown): void {
  trace.input = inputSchema.safeParse(data).data ?? null;
  if (!caller.isOperator || trace.input?.['diagnostic_debug'] !== true) return;
  trace.isDebug = true;
  trace.isKept = trace.isRetrieval;
}

/** Validates a tool's arguments and passes on the parsed ones. */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tool = toolCallOf(context);
    if (!tool) return next.handle();
    const { call, definition } = tool;
    const args = context.getArgs<unknown[]>();
    const parsed = definition.input.safeParse(args[0] ?? {});
    const problem = parsed.error ?? controlProblem(args[0], Object.keys(parsed.data));
    if (problem) throw definition.refuse?.(problem, args[0]) ?? invalidInput(problem);
    // Nest passes this array to the handler.
    args[0] = parsed.data;
    noteInput(call, parsed.data);
    return next.handle();
  }
}
