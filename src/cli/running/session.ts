import type { Config } from '../../config/config.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import type { EvidenceService } from '../../kb/evidence/evidence.service.js';
import type { CallTool } from '../../mcp/answered-call.js';
import type { PassagesService } from '../../scratch/passages.service.js';

/** The application of the servers, opened in this process for the person at the keyboard. */
export interface Session {
  readonly call: CallTool;
  /** The configured scope. @throws BackendUnavailableError */
  readonly scope: () => Promise<Scope>;
  readonly index: SectionIndex;
  /** Null where it is switched off. */
  readonly graph: GraphStore | null;
  readonly evidence: EvidenceService;
  readonly passages: PassagesService;
  readonly close: () => Promise<void>;
}

export interface SessionOptions {
  /** True if traces hold all candidates, as with `diagnostic_debug`. Default: false. */
  readonly isDebug?: boolean;
}

/** @throws InvalidConfigurationError */
export type OpenSession = (config: Config, options?: SessionOptions) => Promise<Session>;

/** Uses a session and closes it. */
export async function withSession<T>(
  opening: Promise<Session>,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await opening;
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}
