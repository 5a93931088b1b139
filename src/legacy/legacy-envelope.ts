import type { LimitReason } from '../core/reply.js';
import { estimateTokens } from '../text/estimate-tokens.js';

/** What all but two of the older tools end with, in this order. */
export interface LegacyEnvelope {
  readonly session_id: string;
  readonly partial: boolean;
  readonly limit_reason: LimitReason;
  readonly meta: { readonly usage: LegacyUsage };
}

export interface LegacyUsage {
  /** Of the payload that was returned, by our careful estimate. */
  readonly tokens_estimate: number;
  /** Of the payload that was returned, as JSON in UTF-8. */
  readonly bytes_returned: number;
  /** Nodes and edges that were left out because this session has them. */
  readonly duplicates_suppressed: number;
  /** How a search came about. */
  readonly source?: Readonly<Record<string, unknown>>;
}

/** Shares of 14,000 tokens and 512 KiB a turn, beyond which a reply is flagged. */
const PHASES = {
  seeds: { tokens: 2_100, bytes: 78_643 },
  neighbors: { tokens: 4_900, bytes: 183_500 },
  snippets: { tokens: 4_200, bytes: 157_286 },
} as const;
export type Phase = keyof typeof PHASES;

/** What decides an envelope. */
export interface Returned {
  readonly sessionId: string;
  /** All keys but those of the envelope. */
  readonly payload: object;
  /** Whose share the reply is held against; null for none. */
  readonly phase: Phase | null;
  readonly hasMore?: boolean;
  /** Set where the response ceiling cost some rows. */
  readonly reason: LimitReason | null;
  readonly duplicates?: number;
  readonly source?: Readonly<Record<string, unknown>> | undefined;
}

function isOverShare(phase: Phase | null, json: string, bytes: number): boolean {
  if (phase === null) return false;
  // Four characters a token, as when these shares were made, so that the flag means what it meant.
  return json.length / 4 > PHASES[phase].tokens || bytes > PHASES[phase].bytes;
}

/** Ends a reply: what it took, and whether there was more. Going over a share is flagged, and costs no row. */
export function withEnvelope<T extends object>(returned: Returned & { payload: T }): T & LegacyEnvelope {
  const { sessionId, payload, phase, hasMore = false, reason, duplicates = 0, source } = returned;
  const json = JSON.stringify(payload);
  const bytes = Buffer.byteLength(json);
  const limit = reason ?? (isOverShare(phase, json, bytes) ? 'token_cap' : hasMore ? 'page_size' : 'none');
  return {
    ...payload,
    session_id: sessionId,
    partial: limit !== 'none',
    limit_reason: limit,
    meta: {
      usage: {
        tokens_estimate: estimateTokens(json),
        bytes_returned: bytes,
        duplicates_suppressed: duplicates,
        ...(source ? { source } : {}),
      },
    },
  };
}
