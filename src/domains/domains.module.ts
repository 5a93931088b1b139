// src/domains: the tools of MCP_DOMAINS, with which agents keep work of their own
import { Module, type Type } from '@nestjs/common';
import { INDEX_TOOLS, IndexingModule } from './indexing/indexing.module.js';
import { SCHEMA_TOOLS, SchemasModule } from './schemas/schemas.module.js';
import { SUBSTRATE_TOOLS, SubstrateModule } from './substrate/substrate.module.js';

/** The tools of all domains, in the order of the tool list. */
export const DOMAIN_TOOLS: readonly Type[] = [...SCHEMA_TOOLS, ...SUBSTRATE_TOOLS];

@Module({ imports: [SchemasModule, SubstrateModule] })
export const DOMAIN_TOOLS: readonly Type[] = [...INDEX_TOOLS, ...SCHEMA_TOOLS];

@Module({ imports: [IndexingModule, SchemasModule] })
export class DomainsModule {}
