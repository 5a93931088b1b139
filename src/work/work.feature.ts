import type { Config } from '../config/config.js';
import { OpenedModels } from '../engines/open-models.js';
import type { ServerFeature, StoreProvider } from '../mcp/serving.js';
import { ClaimStore } from './claims/claim-store.js';
import { CorpusIndexes } from './corpora/corpus-indexes.js';
import { CorpusStore } from './corpora/corpus-store.js';
import { TextReader } from './documents/text-reader.js';
import { RunStore } from './runs/run-store.js';
import { SchemaChecker } from './schemas/checking/schema-checker.js';
import { SchemaStore } from './schemas/schema-store.js';
import { uploadArtifactTool } from './substrate/artifacts/artifact.tools.js';
import { ArtifactStore } from './substrate/artifacts/artifact-store.js';
import { ManifestStore } from './substrate/manifests/manifest-store.js';
import { PointerStore } from './substrate/pointers/pointer-store.js';
import { WORK_TOOLS, WorkModule } from './work.module.js';

/** The ports of the tools of MCP_DOMAINS. The stores are one file; each is opened when a tool first uses it. */
function workStores(config: Config): StoreProvider[] {
  const { domains, substrate } = config;
  const place = { file: domains.workFile, creates: true };
  const bounded = { ...place, now: Date.now, maxBytes: substrate.maxBytes };
  return [
    { provide: RunStore, useFactory: () => new RunStore(place) },
    { provide: SchemaStore, useFactory: () => new SchemaStore(place) },
    { provide: TextReader, useFactory: () => new TextReader() },
    { provide: SchemaChecker, useFactory: () => new SchemaChecker() },
    { provide: ArtifactStore, useFactory: () => new ArtifactStore(bounded) },
    { provide: ManifestStore, useFactory: () => new ManifestStore(bounded) },
    { provide: ClaimStore, useFactory: () => new ClaimStore(bounded) },
    { provide: PointerStore, useFactory: () => new PointerStore(bounded) },
    { provide: CorpusStore, useFactory: () => new CorpusStore(place) },
    {
      provide: CorpusIndexes,
      inject: [OpenedModels],
      useFactory: (models: OpenedModels) => new CorpusIndexes(config, models),
    },
  ];
}

/** The tools of MCP_DOMAINS, with which agents keep work of their own. */
export const WORK: ServerFeature = {
  tools: WORK_TOOLS,
  stages: [],
  observers: [],
  stores: workStores,
  modules: () => [WorkModule],
  routes: async ({ domains }, offers) => {
    if (!domains.offered.includes('substrate') && !offers(uploadArtifactTool.name)) return [];
    const { ArtifactRoutesModule } = await import('./substrate/artifact-routes.controller.js');
    return [ArtifactRoutesModule];
  },
};
