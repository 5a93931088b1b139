import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { Call } from '../../core/call.js';
import type { Reply } from '../../core/reply.js';
import { toolCallOf } from '../calls.js';
import type { AnyTool } from '../define-tool.js';
import { refsOf } from '../rendering/refs-of.js';
import { renderResult, type ToolResult, WIRE_BYTES } from '../rendering/render.js';
import { type Ceilings, renderWithin, withUsage } from '../rendering/render-within.js';
import { Surface } from '../surface/surface.js';
import { declaredCeilings, usageFor } from './output-usage.js';

/** `WIRE_BYTES` in tokens. */
const WIRE_TOKENS = 96;
/** Safety factor: the token estimate was measured up to 34 % too low on text unlike its training text. */
const TOKEN_MARGIN = 1.38;

/** The tool's ceilings, lowered to the operator's limit, minus the bytes that are added after rendering. */
function ceilingsFor({ budget }: AnyTool, maxBytes: number): Ceilings {
  return {
    bytes: Math.min(budget.bytes, maxBytes) - WIRE_BYTES,
    tokens: Math.floor((budget.tokens - WIRE_TOKENS) / TOKEN_MARGIN),
  };
}

/** Renders a tool's reply within its budget and checks it against the output schema. */
@Injectable()
export class OutputInterceptor implements NestInterceptor {
  constructor(private readonly surface: Surface) {}

  intercept(context: ExecutionContext, next: CallHandler<Reply<unknown>>): Observable<unknown> {
    const tool = toolCallOf(context);
    if (!tool) return next.handle();
    return next.handle().pipe(map((reply) => this.render(tool.call, tool.definition, reply)));
  }

  private render(call: Call, tool: AnyTool, reply: Reply<unknown>): ToolResult {
    const { surface } = this;
    const ceilings = ceilingsFor(tool, surface.maxResponseBytes);
    const rendered = renderWithin(reply, ceilings, (output, fit) =>
      renderResult(call, output, {
        tool,
        surface,
        cutBy: reply.cutBy?.(output) ?? 'none',
        broken: fit.reason,
        media: reply.media?.(fit) ?? [],
      }),
    );
    tool.output.parse(rendered.output);
    const declared = declaredCeilings(tool, surface.maxResponseBytes);
    call.trace.refs = refsOf(call, tool, rendered.output);
    call.trace.usage = usageFor(rendered, declared, reply);
    reply.shown?.(rendered.output);
    return withUsage(rendered);
  }
}
