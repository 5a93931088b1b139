import { createHash } from 'node:crypto';
import type { Call } from '../core/call.js';
import { BackendUnavailableError } from '../core/errors.js';
import { type Fit, keptOf, type LimitReason, listReply, type Reply } from '../core/reply.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import type { LegacyEnvelope } from './legacy.schemas.js';

/** Shares of 14,000 tokens and 512 KiB per turn. A reply beyond its share is flagged. */
const PHASES = {
  seeds: { tokens: 2_100, bytes: 78_643 },
  neighbors: { tokens: 4_900, bytes: 183_500 },
  snippets: { tokens: 4_200, bytes: 157_286 },
} as const;
export type Phase = keyof typeof PHASES;

/** The input of an envelope. */
export interface Returned<T extends object> {
  readonly sessionId: string;
  /** All keys except those of the envelope. */
  readonly payload: T;
  /** The share that applies to the reply; null for none. */
  readonly phase: Phase | null;
  readonly hasMore?: boolean;
  /** Set if the response budget removed some rows. */
  readonly reason: LimitReason | null;
  /** Nodes and edges that were left out because the session already has them. */
  readonly duplicates?: number;
  /** Facts about how a search was done. */
  readonly source?: Record<string, unknown> | undefined;
}

function isOverShare(phase: Phase | null, json: string, bytes: number): boolean {
  if (phase === null) return false;
  // Four characters per token, as when these shares were set, so the flag keeps its meaning.
  return json.length / 4 > PHASES[phase].tokens || bytes > PHASES[phase].bytes;
}

/** Adds the envelope: usage of the payload, and whether there is more. A reply over its share is flagged, not cut. */
export function withEnvelope<T extends object>(returned: Returned<T>): T & LegacyEnvelope {
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

/** A page of a list, and the arguments of its envelope. */
interface OlderPage<R> extends Pick<Returned<object>, 'sessionId' | 'phase' | 'source'> {
  readonly rows: readonly R[];
  /** Length of the whole list. */
  readonly total: number;
  /** The cursor of this page; null for the first. */
  readonly cursor: string | null;
}

/** A list without pages in an envelope. The response budget removes rows from the end. */
export function rowsReply<R, T extends object>(
  { sessionId, phase, rows }: { sessionId: string; phase: Phase | null; rows: readonly R[] },
  toPayload: (kept: R[]) => T,
): Reply<T & LegacyEnvelope> {
  return listReply({ count: rows.length, maxChars: 0 }, (fit) =>
    withEnvelope({ sessionId, payload: toPayload(keptOf(rows, fit)), phase, reason: fit.reason }),
  );
}

/** A page of a list in an envelope. The response budget removes rows from the end; the next page begins with them. */
export function pageReply<R, T extends object>(
  { rows, total, cursor, ...returned }: OlderPage<R>,
  toPayload: (kept: R[]) => T,
  shown?: (output: T) => void,
): Reply<T & { cursor: string | null; next_cursor: string | null } & LegacyEnvelope> {
  const size = { count: rows.length, maxChars: 0, isPage: rows.length < total };
  const build = (fit: Fit) => {
    const next = decodeOffset(cursor) + fit.count;
    const hasMore = next < total;
    const payload = {
      ...toPayload(keptOf(rows, fit)),
      cursor,
      next_cursor: hasMore ? encodeOffset(next) : null,
    };
    return withEnvelope({ ...returned, payload, hasMore, reason: fit.reason });
  };
  return listReply(size, build, shown);
}

/**
 * The session id that an older tool returns: the caller's own if given, otherwise `server-` and a UUID that stays the
 * same for the session. It names the session and grants nothing.
 */
export function sessionName({ caller }: Call, given: string | null = null): string {
  if (given) return given;
  const hex = createHash('sha256').update(`legacy session\n${caller.sessionId}`).digest('hex');
  // Looks like a random UUID: version 4, variant 8.
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `server-${parts.join('-')}`;
}

export const GRAPH_OFF = 'The graph is switched off on this server.';

/** An older tool's empty result that reports the missing graph; most older tools returned a result in this case. */
export function graphOffReply<T extends object>(
  sessionId: string,
  payload: T,
): Reply<T & { error: string; neo4j_disabled: true } & LegacyEnvelope> {
  return rowsReply({ sessionId, phase: null, rows: [] }, () => ({
    error: GRAPH_OFF,
    ...payload,
    neo4j_disabled: true as const,
  }));
}

/** The error of the older tools that had no such result. */
export function graphOffError(): BackendUnavailableError {
  return new BackendUnavailableError(GRAPH_OFF, {
    reason: 'graph',
    hint: 'Use search_sections and get_section_text, which need no graph. The operator can set PITH_GRAPH_ENGINE=sqlite.',
  });
}

const MAX_PAGE = 100;

/** Encodes an older cursor: the decimal offset in URL-safe base64 with padding. */
export function encodeOffset(offset: number): string {
  return Buffer.from(String(offset)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Decodes an older cursor. An invalid cursor means the beginning, as it always did. */
export function decodeOffset(cursor: string | null): number {
  const digits = Buffer.from(cursor ?? '', 'base64url').toString('latin1');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
}

/** Rows per page, clamped to 1 to 100; 0 means the default. */
export function pageLength(asked: number, byDefault: number): number {
  return Math.min(MAX_PAGE, Math.max(1, asked || byDefault));
}
