// src/domains: the tools of MCP_DOMAINS, with which agents keep work of their own
import { Module, type Type } from '@nestjs/common';
import { RUN_TOOLS, RunsModule } from './runs/runs.module.js';
import { SCHEMA_TOOLS, SchemasModule } from './schemas/schemas.module.js';

/** The tools of all domains, in the order of the tool list. */
export const DOMAIN_TOOLS: readonly Type[] = [...RUN_TOOLS, ...SCHEMA_TOOLS];

@Module({ imports: [RunsModule, SchemasModule] })
export class DomainsModule {}
