// src/work: the tools of MCP_DOMAINS, with which agents keep work of their own
import { Module, type Type } from '@nestjs/common';
import { CLAIM_TOOLS, ClaimsModule } from './claims/claims.module.js';
import { DOCUMENT_TOOLS, DocumentsModule } from './documents/documents.module.js';
import { INDEX_TOOLS, IndexingModule } from './corpora/indexing/indexing.module.js';
import { KNOWLEDGE_TOOLS, KnowledgeModule } from './corpora/knowledge.module.js';
import { RUN_TOOLS, RunsModule } from './runs/runs.module.js';
import { SCHEMA_TOOLS, SchemasModule } from './schemas/schemas.module.js';
import { SUBSTRATE_TOOLS, SubstrateModule } from './substrate/substrate.module.js';

/** The tools of all domains, in the order of the tool list. */
export const DOMAIN_TOOLS: readonly Type[] = [
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
export class DomainsModule {}
