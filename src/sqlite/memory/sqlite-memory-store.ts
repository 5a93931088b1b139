import { BackendUnavailableError } from '../../core/errors.js';
import {
  BUILT_IN_PROVIDER,
  type MemoryAnswer,
  type MemoryQuery,
  MemoryStore,
} from '../../core/ports/memory-store.port.js';
import { makePort, type TaskRunner } from '../reader-ports.js';

/** Memory in an index file. */
export class SqliteMemoryStore extends MemoryStore {
  private readonly rows: MemoryStore;

  /** @param provider  embeds the questions; unless it is the built-in one, questions must arrive embedded */
  constructor(
    reader: TaskRunner,
    private readonly provider = BUILT_IN_PROVIDER,
  ) {
    super();
    this.rows = makePort('memory', reader);
  }

  async candidates(query: MemoryQuery): Promise<MemoryAnswer> {
    if (this.provider === BUILT_IN_PROVIDER || query.embedded) return this.rows.candidates(query);
    throw new BackendUnavailableError(`The embedder ${JSON.stringify(this.provider)} is not configured.`, {
      reason: 'embedder_unavailable',
      hint: `Set SURR_EMBED_MODEL and PITH_EMBED_URL, or SURR_EMBED_PROVIDER=${BUILT_IN_PROVIDER} for the built-in embedder.`,
    });
  }

  close(): Promise<void> {
    return this.rows.close();
  }
}
