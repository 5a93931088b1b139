import { Module } from '@nestjs/common';
import { KbModule } from '../../../kb/kb.module.js';
import { SubstrateModule } from '../../substrate/substrate.module.js';
import { ExplainService } from './explain.service.js';
import { ExplainTool } from './explain.tool.js';
import { IndexStatusService } from './index-status.service.js';
import { IndexStatusTool } from './index-status.tool.js';
import { IngestService } from './ingest.service.js';
import { IngestTool } from './ingest.tool.js';
import { SourceService } from './source.service.js';

export const INDEX_TOOLS = [ExplainTool, IndexStatusTool, IngestTool];

/** The tools index.status, index.explain and index.ingest. `index.search` is in kb. */
@Module({
  imports: [KbModule, SubstrateModule],
  controllers: INDEX_TOOLS,
  providers: [ExplainService, IndexStatusService, IngestService, SourceService],
  exports: [SourceService],
})
export class IndexingModule {}
