import { randomBytes, randomUUID } from 'node:crypto';
import type { Call } from '../../core/call.js';
import { newTrace, UNCORRELATED } from '../../core/call.js';
import type { Config } from '../../config/config.js';
import { SearchDocsService } from '../../search-docs/search-docs.service.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { SearchService } from '../../kb/search/search.service.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import { LegacyService } from '../../legacy/legacy.service.js';
import { GENERIC_PROFILE } from '../../core/host-profile.js';
import { openLocalEngines } from '../../engines/open-engines.js';
import { openModels } from '../../engines/open-models.js';
import { ScopeService } from '../../scope/scope.service.js';
import { MemoryScratchStore } from '../../scratch/memory-scratch-store.js';
import { PassageNaming, PassagesService } from '../../scratch/passages.service.js';

/** What the command line needs of the server, made by hand: no container, no thread. */
export interface LocalServices {
  readonly index: SectionIndex;
  /** Null where it is switched off. */
  readonly graph: GraphStore | null;
  readonly evidence: EvidenceService;
  readonly search: SearchService;
  readonly searchDocs: SearchDocsService;
  readonly legacy: LegacyService;
  readonly passages: PassagesService;
  /** A call of the person at the keyboard, with the configured scope. @throws BackendUnavailableError */
  readonly newCall: () => Promise<Call>;
  readonly close: () => Promise<void>;
}

function passagesOf({ scratch }: Config, naming: PassageNaming): PassagesService {
  const { ttlS, maxBytes } = scratch;
  const limits = { ttlMs: ttlS * 1000, maxBytes, now: Date.now, onPressure: () => undefined };
  return new PassagesService(new MemoryScratchStore(limits), naming);
}

/** Makes calls of the person at the keyboard. */
function callMaker(scopes: ScopeService, { limits }: Config): () => Promise<Call> {
  const caller = {
    principal: 'local',
    sessionId: randomBytes(12).toString('base64url'),
    // Nothing on the command line refuses dots, and the documentation spells tools with them.
    host: { ...GENERIC_PROFILE, names: 'dotted' as const },
    isLocal: true,
    isOperator: true,
  };
  return async () => {
    const scope = await scopes.resolve(undefined, Date.now());
    const begunAt = performance.now();
    return {
      id: randomUUID(),
      caller,
      scope,
      signal: AbortSignal.timeout(limits.callTimeoutMs),
      now: Date.now,
      elapsed: () => performance.now() - begunAt,
      correlation: UNCORRELATED,
      trace: newTrace(),
    };
  };
}

/** Makes the services over the configured index. */
export function localServices(config: Config): LocalServices {
  const models = openModels(config);
  const { index, graph } = openLocalEngines(config, models);
  const naming = new PassageNaming(randomBytes(32).toString('base64url'), config.surface.uriScheme);
  const passages = passagesOf(config, naming);
  const evidence = new EvidenceService(index, passages, config.evidence, graph);
  evidence.reranker = models.reranker;
  return {
    index,
    graph,
    evidence,
    search: new SearchService(index, passages, naming, graph),
    searchDocs: new SearchDocsService(index, naming, graph),
    legacy: new LegacyService(index, config.limits, null),
    passages,
    newCall: callMaker(new ScopeService(index, config.scope), config),
    close: async () => {
      await index.close();
      await graph?.close();
    },
  };
}
