import { BackendUnavailableError } from '../../core/errors.js';
import type { Reply } from '../../core/reply.js';
import type { LegacyEnvelope } from '../legacy.schemas.js';
import { rowsReply } from '../legacy-envelope.js';

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
