// src/work: the tools of MCP_DOMAINS, with which agents keep work of their own
import { Module, type Type } from '@nestjs/common';
import { ClaimsModule } from './claims/claims.module.js';
import { CLAIM_TOOLS } from './claims/claims.tools.js';
import { INDEX_TOOLS } from './corpora/indexing/index.tools.js';
import { IndexingModule } from './corpora/indexing/indexing.module.js';
import { KnowledgeModule } from './corpora/knowledge.module.js';
import { KNOWLEDGE_TOOLS } from './corpora/knowledge.tools.js';
import { DocumentsModule } from './documents/documents.module.js';
import { DOCUMENT_TOOLS } from './documents/documents.tools.js';
import { RunsModule } from './runs/runs.module.js';
import { RUN_TOOLS } from './runs/runs.tools.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { SCHEMA_TOOLS } from './schemas/schemas.tools.js';
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
