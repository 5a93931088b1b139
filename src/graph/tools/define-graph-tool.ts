import type { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../mcp/define-tool.js';

type Shared = 'feature' | 'isCore' | 'permission' | 'budget';

/** Defines a graph tool. Permission and budget are the same for all of them. */
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
