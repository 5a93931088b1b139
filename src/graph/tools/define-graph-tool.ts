import { z } from 'zod';
import { defineTool } from '../../mcp/define-tool.js';
import type { ToolDefinition } from '../../mcp/define-tool.js';
import { LIMIT_REASONS } from '../../core/reply.js';

/** What every graph reply says of itself. */
export const toldShape = {
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  skipped: z.int().optional(),
  not_found: z.array(z.string()).optional(),
  hint: z.string().optional(),
} as const;

type Shared = 'feature' | 'isCore' | 'permission' | 'budget';

/** A tool over the graph: what it does and takes; the rest is the same for all of them. */
export function defineGraphTool<I extends z.ZodType, O extends z.ZodType>(
  tool: Omit<ToolDefinition<I, O>, Shared>,
): ToolDefinition<I, O> {
  return defineTool({
    ...tool,
    feature: 'graph',
    isCore: false,
    permission: 'read',
    budget: { bytes: 16_384, tokens: 7_000 },
  });
}
