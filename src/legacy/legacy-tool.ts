import type { z } from 'zod';
import { defineTool, type ToolDefinition } from '../mcp/define-tool.js';
import { fencedCopy } from '../mcp/rendering/fenced-copy.js';
import type { ToolAnswer } from '../mcp/tool-controller.js';
import { NO_FENCE } from '../text/untrusted-text.js';
import type { LegacyService } from './legacy.service.js';

/** One row of the table of older tools. */
export interface LegacyTool<I extends z.ZodType, O extends z.ZodType> {
  readonly definition: ToolDefinition<I, O>;
  /** Maps the arguments to the current services, and their results to the older shape. */
  readonly answer: ToolAnswer<LegacyService, I, O>;
}

type Row<I extends z.ZodType, O extends z.ZodType> = Pick<
  ToolDefinition<I, O>,
  'name' | 'title' | 'description' | 'input' | 'output' | 'isRetrieval' | 'standsForIf' | 'isRepeatable'
> &
  // Every older tool stands for current tools.
  Required<Pick<ToolDefinition<I, O>, 'mounts' | 'standsFor'>> &
  Pick<LegacyTool<I, O>, 'answer'> & {
    /** `legacy` if left out. */
    readonly feature?: 'legacy_search';
    /** Count and noun of the one-line summary. */
    readonly counted: readonly [count: (output: z.output<O>) => number, noun: string];
  };

/**
 * The older tools promised at most `MAX_RESPONSE_BYTES`, whose maximum this is, and reported tokens without limiting
 * them. No token is shorter than a byte, so this number of tokens is never exceeded.
 */
const BUDGET = { bytes: 524_288, tokens: 724_000 } as const;

/** Defines an older tool. Its input is an open object: unknown arguments were always ignored. */
export function legacyTool<I extends z.ZodType, O extends z.ZodType>(row: Row<I, O>): LegacyTool<I, O> {
  const { counted, answer, feature = 'legacy', ...described } = row;
  const [count, noun] = counted;
  const definition = defineTool<I, O>({
    ...described,
    feature,
    isCore: false,
    permission: 'read',
    budget: BUDGET,
    // Clients of the older tools parse the text as JSON. Hosts that also forward structured output get one line.
    rendering: {
      full: (output, fence = NO_FENCE) => JSON.stringify(fencedCopy(output, fence)),
      summary: (output) => `${count(output)} ${noun}.`,
    },
  });
  return { definition, answer };
}
