// src/work: the tools of MCP_DOMAINS, with which agents keep work of their own
import { Module, type Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { OpenedModels } from '../engines/open-models.js';
import type { ServerFeature, StoreProvider } from '../mcp/serving.js';
import { ClaimStore } from './claims/claim-store.js';
import { ClaimsModule } from './claims/claims.module.js';
import { CLAIM_TOOLS } from './claims/claims.tools.js';
import { CorpusIndexes } from './corpora/corpus-indexes.js';
import { CorpusStore } from './corpora/corpus-store.js';
import { INDEX_TOOLS } from './corpora/indexing/index.tools.js';
import { IndexingModule } from './corpora/indexing/indexing.module.js';
import { KnowledgeModule } from './corpora/knowledge.module.js';
import { KNOWLEDGE_TOOLS } from './corpora/knowledge.tools.js';
import { DocumentsModule } from './documents/documents.module.js';
import { DOCUMENT_TOOLS } from './documents/documents.tools.js';
import { TextReader } from './documents/text-reader.js';
import { RunStore } from './runs/run-store.js';
import { RunsModule } from './runs/runs.module.js';
import { RUN_TOOLS } from './runs/runs.tools.js';
import { SchemaChecker } from './schemas/checking/schema-checker.js';
import { SchemaStore } from './schemas/schema-store.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { SCHEMA_TOOLS } from './schemas/schemas.tools.js';
import { uploadArtifactTool } from './substrate/artifacts/artifact.tools.js';
import { ArtifactStore } from './substrate/artifacts/artifact-store.js';
import { ManifestStore } from './substrate/manifests/manifest-store.js';
import { PointerStore } from './substrate/pointers/pointer-store.js';
import { SUBSTRATE_TOOLS, SubstrateModule } from './substrate/substrate.module.js';

/** The tools of agents' work, in the order of the tool list. */
export const WORK_TOOLS: readonly Type[] = [
  ...RUN_TOOLS,
  ...INDEX_TOOLS,
  ...SUBSTRATE_TOOLS,
  ...DOCUMENT_TOOLS,
  ...SCHEMA_TOOLS,
  ...CLAIM_TOOLS,
  ...KNOWLEDGE_TOOLS,
];

@Module({
  imports: [
    RunsModule,
    IndexingModule,
    SubstrateModule,
    DocumentsModule,
    SchemasModule,
    ClaimsModule,
    KnowledgeModule,
  ],
})
export class WorkModule {}

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
  stores: workStores,
  modules: () => [WorkModule],
  routes: async ({ domains }, offers) => {
    if (!domains.offered.includes('substrate') && !offers(uploadArtifactTool.name)) return [];
    const { ArtifactRoutesModule } = await import('./substrate/artifact-routes.controller.js');
    return [ArtifactRoutesModule];
  },
};
