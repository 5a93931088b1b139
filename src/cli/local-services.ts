import { randomBytes, randomUUID } from 'node:crypto';
import { embedderNamed } from '../adapters/embedding/embedder-named.js';
import { InProcessGraphStore } from '../adapters/sqlite/in-process-graph-store.js';
import { InProcessSectionIndex } from '../adapters/sqlite/in-process-section-index.js';
import type { Call } from '../call.js';
import { newTrace } from '../call.js';
import type { Config } from '../config/config.js';
import type { GraphStore } from '../graph/graph-store.port.js';
import { EvidenceService } from '../kb/evidence.service.js';
import { GENERIC_PROFILE } from '../mcp/host-profiles.js';
import { ScopeService } from '../scope/scope.service.js';
import { MemoryScratchStore } from '../scratch/memory-scratch-store.js';
import { PassageNaming, PassagesService } from '../scratch/passages.service.js';

/** What the command line needs of the server, made by hand: no container, no thread. */
export interface LocalServices {
  readonly index: InProcessSectionIndex;
  /** Null where it is switched off. */
  readonly graph: GraphStore | null;
  readonly evidence: EvidenceService;
  readonly passages: PassagesService;
  /** A call of the person at the keyboard, with the configured scope. @throws BackendUnavailableError */
  readonly newCall: () => Promise<Call>;
  readonly close: () => Promise<void>;
}

function graphOf({ index }: Config): GraphStore | null {
  return index.graph === 'none' ? null : new InProcessGraphStore(index.file, embedderNamed(index.embedder));
}

function passagesOf({ scratch, surface }: Config): PassagesService {
  const { ttlS, maxBytes } = scratch;
  const limits = { ttlMs: ttlS * 1000, maxBytes, now: Date.now, onPressure: () => undefined };
  const secret = randomBytes(32).toString('base64url');
  return new PassagesService(new MemoryScratchStore(limits), new PassageNaming(secret, surface.uriScheme));
}

/** Makes the services over the configured index. */
export function localServices(config: Config): LocalServices {
  const index = new InProcessSectionIndex(config.index.file, embedderNamed(config.index.embedder));
  const graph = graphOf(config);
  const passages = passagesOf(config);
  const scopes = new ScopeService(index, config.scope);
  const caller = {
    principal: 'local',
    sessionId: randomBytes(12).toString('base64url'),
    host: GENERIC_PROFILE,
    isLocal: true,
  };
  return {
    index,
    graph,
    evidence: new EvidenceService(index, passages, config.evidence, graph),
    passages,
    newCall: async () => ({
      id: randomUUID(),
      caller,
      scope: await scopes.resolve(undefined, Date.now()),
      signal: AbortSignal.timeout(config.limits.callTimeoutMs),
      now: Date.now,
      trace: newTrace(),
    }),
    close: async () => {
      await index.close();
      await graph?.close();
    },
  };
}
