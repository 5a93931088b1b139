import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Call } from '../call.js';
import { LimitsConfig } from '../config/limits.config.js';
import type { Reply } from '../reply.js';
import { callOf, mcpContextOf } from './calls.js';
import { definitionOf } from './define-tool.js';
import type { AnyTool } from './define-tool.js';
import { renderResult, renderWithin } from './render.js';
import type { ToolResult } from './render.js';
import { SurfaceHolder } from './surface.token.js';

/** Renders what a tool replies, within its budget, and checks it against the output schema. */
@Injectable()
export class OutputInterceptor implements NestInterceptor {
  constructor(
    private readonly holder: SurfaceHolder,
    private readonly limits: LimitsConfig,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Reply<unknown>>): Observable<unknown> {
    const mcp = mcpContextOf(context);
    const definition = mcp ? definitionOf(context.getHandler()) : undefined;
    if (!mcp || !definition) return next.handle();
    return next.handle().pipe(map((reply) => this.render(callOf(mcp), definition, reply)));
  }

  private render(call: Call, tool: AnyTool, reply: Reply<unknown>): ToolResult {
    const ceilings = { ...tool.budget, bytes: Math.min(tool.budget.bytes, this.limits.maxResponseBytes) };
    const { isStructured } = this.holder.surface;
    const rendered = renderWithin(reply, ceilings, (output) =>
      renderResult(call, tool, output, isStructured),
    );
    tool.output.parse(rendered.output);
    return rendered.result;
  }
}
