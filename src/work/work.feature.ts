// src/work: the tools of MCP_DOMAINS, with which agents keep work of their own; kept questions (`questions/`)
import { Logger, Module, type Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { OpenedModels } from '../engines/open-models.js';
import { KbModule } from '../kb/kb.module.js';
import type { ServedOver, ServerFeature, StoreProvider } from '../mcp/serving.js';
import { ScopeModule } from '../scope/scope.module.js';
import { ScratchModule } from '../scratch/scratch.module.js';
import { SqlDatabase } from '../sqlite/stores/sql-database.port.js';
import { ClaimStore } from './claims/claim-store.js';
import { ClaimDecisionsService, ClaimsService } from './claims/claims.service.js';
import { CLAIM_TOOLS } from './claims/claims.tools.js';
import { EvidenceCheckerService } from './claims/evidence-checker.service.js';
import { QuoteVerifierService } from './claims/quote-verifier.service.js';
import { VerificationService } from './claims/verification.service.js';
import { CorpusIndexes } from './corpora/corpus-indexes.js';
import { CorpusStore } from './corpora/corpus-store.js';
import { INDEX_TOOLS } from './corpora/indexing/index.tools.js';
import { ExplainService, IndexStatusService } from './corpora/indexing/index-status.service.js';
import { IngestService } from './corpora/indexing/ingest.service.js';
import { SourceService } from './corpora/indexing/source.service.js';
import { CreateKbService, KnowledgeService } from './corpora/knowledge.service.js';
import { KNOWLEDGE_TOOLS } from './corpora/knowledge.tools.js';
import { ClassifyDocumentService } from './documents/classify-document.service.js';
import { DocumentSourceService } from './documents/document-source.service.js';
import { DOCUMENT_TOOLS } from './documents/documents.tools.js';
import { ExtractTablesService, ParseDocumentService } from './documents/parse-document.service.js';
import { TextReader } from './documents/text-reader.js';
import { FeedbackService } from './questions/feedback.service.js';
import { QUESTION_TOOLS } from './questions/feedback.tool.js';
import { GapStatementService } from './questions/gap-statement.service.js';
import { GapsService } from './questions/gaps.service.js';
import { privateHider } from './questions/hide-private.js';
import {
  QUESTION_OBSERVER,
  QuestionMaintenance,
  QuestionParts,
  WEEKLY_SUMMARY,
} from './questions/question-maintenance.service.js';
import { QuestionRecorder } from './questions/question-recorder.js';
import { QuestionStore } from './questions/question-store.js';
import { ChangeRunService } from './runs/change-run.service.js';
import { FollowRunService } from './runs/follow-run.service.js';
import { ReadRunService } from './runs/read-run.service.js';
import { RUN_JOURNAL, RunMaintenance } from './runs/run-maintenance.service.js';
import { RunStore } from './runs/run-store.js';
import { RUN_TOOLS } from './runs/runs.tools.js';
import { SchemaChecker } from './schemas/checking/schema-checker.js';
import { RegisteredSchemasService } from './schemas/registered-schemas.service.js';
import { SchemaStore } from './schemas/schema-store.js';
import { SchemasService } from './schemas/schemas.service.js';
import { SCHEMA_TOOLS } from './schemas/schemas.tools.js';
import { ArtifactService } from './substrate/artifacts/artifact.service.js';
import { ARTIFACT_TOOLS, uploadArtifactTool } from './substrate/artifacts/artifact.tools.js';
import { ArtifactStore } from './substrate/artifacts/artifact-store.js';
import { ManifestService } from './substrate/manifests/manifest.service.js';
import { MANIFEST_TOOLS } from './substrate/manifests/manifest.tools.js';
import { ManifestFilesService } from './substrate/manifests/manifest-files.service.js';
import { ManifestStore } from './substrate/manifests/manifest-store.js';
import { PointerService } from './substrate/pointers/pointer.service.js';
import { POINTER_TOOLS } from './substrate/pointers/pointer.tools.js';
import { PointerStore } from './substrate/pointers/pointer-store.js';
import { openWorkDatabase } from './work-databases.js';
import type { BoundedWork } from './work-rows.js';

/** The tools of agents' work, in the order of the tool list. */
export const WORK_TOOLS: readonly Type[] = [
  ...RUN_TOOLS,
  ...INDEX_TOOLS,
  ...ARTIFACT_TOOLS,
  ...MANIFEST_TOOLS,
  ...POINTER_TOOLS,
  ...DOCUMENT_TOOLS,
  ...SCHEMA_TOOLS,
  ...CLAIM_TOOLS,
  ...KNOWLEDGE_TOOLS,
  ...QUESTION_TOOLS,
];

@Module({
  imports: [KbModule, ScopeModule, ScratchModule],
  controllers: [...WORK_TOOLS],
  providers: [
    ...[RUN_JOURNAL, RunMaintenance, ChangeRunService, ReadRunService, FollowRunService],
    ...[ExplainService, IndexStatusService, IngestService, SourceService],
    ...[ArtifactService, ManifestFilesService, ManifestService, PointerService],
    ...[DocumentSourceService, ParseDocumentService, ExtractTablesService, ClassifyDocumentService],
    ...[SchemasService, RegisteredSchemasService],
    ...[
      QuoteVerifierService,
      EvidenceCheckerService,
      ClaimsService,
      ClaimDecisionsService,
      VerificationService,
    ],
    ...[CreateKbService, KnowledgeService],
    ...[FeedbackService, GapsService, GapStatementService],
    ...[WEEKLY_SUMMARY, QuestionParts, QuestionMaintenance],
  ],
  exports: [GapsService],
})
export class WorkModule {}

/** Keeps the questions of servers; null for commands, and where none are kept. */
const openRecorder =
  ({ questions }: Config, over: ServedOver) =>
  (store: QuestionStore): QuestionRecorder | null =>
    over === 'command' || questions.mode === 'off'
      ? null
      : new QuestionRecorder({
          record: (seen) => store.record(seen),
          hide: privateHider(questions.redact),
          onLost: (count, error) =>
            new Logger('questions').warn(`questions that could not be kept: ${count}; ${String(error)}`),
        });

/** The ports of the tools of MCP_DOMAINS. The stores share one database, which is opened when a tool first uses one. */
function workStores(config: Config, over: ServedOver): StoreProvider[] {
  const on = (Store: new (database: SqlDatabase) => object): StoreProvider => ({
    ...{ provide: Store, inject: [SqlDatabase], isClosedElsewhere: true },
    useFactory: (database: SqlDatabase) => new Store(database),
  });
  const { maxBytes } = config.substrate;
  const boundedBy = (database: SqlDatabase): BoundedWork => ({ database, now: Date.now, maxBytes });
  const bounded = (Store: new (work: BoundedWork) => object): StoreProvider => ({
    ...{ provide: Store, inject: [SqlDatabase], isClosedElsewhere: true },
    useFactory: (database: SqlDatabase) => new Store(boundedBy(database)),
  });
  return [
    { provide: SqlDatabase, useFactory: () => openWorkDatabase(config) },
    ...[RunStore, SchemaStore, CorpusStore, QuestionStore].map(on),
    ...[ArtifactStore, ManifestStore, PointerStore].map(bounded),
    {
      ...{ provide: ClaimStore, inject: [SqlDatabase, SectionIndex], isClosedElsewhere: true },
      useFactory: (database: SqlDatabase, index: SectionIndex) => new ClaimStore(boundedBy(database), index),
    },
    {
      provide: QuestionRecorder,
      inject: [QuestionStore],
      isClosedElsewhere: true,
      useFactory: openRecorder(config, over),
    },
    { provide: TextReader, useFactory: () => new TextReader() },
    { provide: SchemaChecker, useFactory: () => new SchemaChecker() },
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
  observers: [QUESTION_OBSERVER],
  modules: () => [WorkModule],
  routes: async ({ domains }, offers) => {
    if (!domains.offered.includes('substrate') && !offers(uploadArtifactTool.name)) return [];
    const { ArtifactRoutesModule } = await import('./substrate/artifact-routes.controller.js');
    return [ArtifactRoutesModule];
  },
};
