import type { z } from 'zod';
import { defineTool } from '../../mcp/define-tool.js';
import type { ToolDefinition } from '../../mcp/define-tool.js';

/**
 * Ceilings of an older tool's result. It promised no more than `MAX_RESPONSE_BYTES`, whose most this is, and flags
 * instead of a ceiling on tokens; no token is shorter than a byte, so this many are never too many.
 */
const BUDGET = { bytes: 524_288, tokens: 724_000 } as const;

type Told<I extends z.ZodType, O extends z.ZodType> = Pick<
  ToolDefinition<I, O>,
  'name' | 'title' | 'description' | 'input' | 'output' | 'rendering' | 'isRetrieval'
>;

/** A tool under an older name. Its schema takes objects as they come: what it does not know, it never refused. */
export function defineLegacyTool<I extends z.ZodType, O extends z.ZodType>(
  told: Told<I, O>,
  feature: 'legacy' | 'legacy_search' = 'legacy',
): ToolDefinition<I, O> {
  return defineTool({ ...told, feature, isCore: false, permission: 'read', budget: BUDGET });
}
