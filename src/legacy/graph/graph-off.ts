import { BackendUnavailableError } from '../../core/errors.js';
import { listReply } from '../../core/reply.js';
import type { Reply } from '../../core/reply.js';
import { withEnvelope } from '../legacy-envelope.js';
import type { LegacyEnvelope } from '../legacy-envelope.js';

/** What comes on top where there is no graph. */
export interface GraphOff {
  readonly error?: string | undefined;
  readonly neo4j_disabled?: true | undefined;
}

export const GRAPH_OFF = 'The graph is switched off on this server.';

/** An older tool's empty result, which says that the graph is off; that was a result then, too. */
export function graphOffReply<T extends object>(
  sessionId: string,
  payload: T,
): Reply<T & GraphOff & LegacyEnvelope> {
  const whole = { error: GRAPH_OFF, ...payload, neo4j_disabled: true as const };
  return listReply({ count: 0, maxChars: 0 }, ({ reason }) =>
    withEnvelope({ sessionId, payload: whole, phase: null, reason }),
  );
}

/** The same for tools that had no such result. */
export function graphOffError(): BackendUnavailableError {
  return new BackendUnavailableError(GRAPH_OFF, {
    reason: 'graph',
    hint: 'Use search_sections and get_section_text, which need no graph. The operator can set PITH_GRAPH_ENGINE=sqlite.',
  });
}
