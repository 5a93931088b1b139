import { z } from 'zod';
import type { Call, Usage } from '../../core/call.js';
import { LIMIT_REASONS, type Reply } from '../../core/reply.js';
import type { AnyTool } from '../define-tool.js';
import { countTokens } from '../rendering/count-tokens.js';
import type { Ceilings, Rendered } from '../rendering/render-within.js';

/** Outputs with their own fields for truncation. */
const limitedSchema = z.object({ partial: z.boolean(), limit_reason: z.enum(LIMIT_REASONS) });
/** Added to a result after it was measured, followed by its usage. */
const USAGE_KEY_BYTES = ',"pith/usage":'.length;

/** The ceilings that a tool declares, lowered to the operator's limit. */
export function declaredCeilings({ budget }: AnyTool, maxBytes: number): Ceilings {
  return { bytes: Math.min(budget.bytes, maxBytes), tokens: budget.tokens };
}

/** The usage of a rendered result, exact to the byte. */
export function usageFor<T>(
  { output, usage, broken }: Rendered<T>,
  ceilings: Ceilings,
  reply: Reply<T>,
): Usage {
  const limited = limitedSchema.safeParse(output).data;
  const stated = limited?.limit_reason ?? broken ?? 'none';
  const limitReason = stated === 'none' ? (reply.cutBy?.(output) ?? 'none') : stated;
  return {
    bytes: usage.bytes + USAGE_KEY_BYTES + JSON.stringify(usage).length,
    tokens: usage.tokens,
    limitReason,
    isPartial: limited?.partial || limitReason !== 'none',
    ceilings,
  };
}

/** The usage of a failure, a resource or a list, which have no budget. @param ceilings  of the tool, if there is one */
function usageOf(answer: object, ceilings: Ceilings | null): Usage {
  const json = JSON.stringify(answer);
  const used = { bytes: Buffer.byteLength(json), tokens: countTokens(json) };
  return { ...used, limitReason: 'none', isPartial: false, ceilings: ceilings ?? used };
}

/** The usage of a call with its answer, and with the content that was sent beside it. */
export function usageOfCall(
  { trace }: Pick<Call, 'trace'>,
  answer: object,
  ceilings: Ceilings | null,
): Usage {
  const usage = trace.usage ?? usageOf(answer, ceilings);
  return trace.streamedBytes === 0 ? usage : { ...usage, bytes: usage.bytes + trace.streamedBytes };
}
