import { z } from 'zod';
import type { Usage } from '../../core/call.js';
import { LIMIT_REASONS } from '../../core/reply.js';
import type { Reply } from '../../core/reply.js';
import { countTokens } from './count-tokens.js';
import type { AnyTool } from '../define-tool.js';
import type { Ceilings, Rendered } from '../rendering/render-within.js';

/** Outputs that say themselves whether there is more. */
const limitedSchema = z.object({ partial: z.boolean(), limit_reason: z.enum(LIMIT_REASONS) });
/** What is added to a result once it was measured: this, and its usage. */
const USAGE_KEY_BYTES = ',"pith/usage":'.length;

/** The ceilings of a tool, as it declares them and as the operator lowers them. */
export function declaredCeilings({ budget }: AnyTool, maxBytes: number): Ceilings {
  return { bytes: Math.min(budget.bytes, maxBytes), tokens: budget.tokens };
}

/** What a rendered result takes of its ceilings, to the byte. */
export function usageFor<T>(
  { output, usage, broken }: Rendered<T>,
  ceilings: Ceilings,
  reply: Reply<T>,
): Usage {
  const said = limitedSchema.safeParse(output).data;
  const told = said?.limit_reason ?? broken ?? 'none';
  const limitReason = told === 'none' ? (reply.cutBy?.(output) ?? 'none') : told;
  return {
    bytes: usage.bytes + USAGE_KEY_BYTES + JSON.stringify(usage).length,
    tokens: usage.tokens,
    limitReason,
    isPartial: said?.partial || limitReason !== 'none',
    ceilings,
  };
}

/**
 * What an answer takes that no budget was kept for: failures, resources and lists.
 * @param ceilings  of the tool; null where there is none
 */
export function usageOf(answer: object, ceilings: Ceilings | null): Usage {
  const json = JSON.stringify(answer);
  const taken = { bytes: Buffer.byteLength(json), tokens: countTokens(json) };
  return { ...taken, limitReason: 'none', isPartial: false, ceilings: ceilings ?? taken };
}
