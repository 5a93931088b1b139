import { Module } from '@nestjs/common';
import { KbModule } from '../../../kb/kb.module.js';
import { SubstrateModule } from '../../substrate/substrate.module.js';
import { ExplainService } from './explain.service.js';
import { INDEX_TOOLS } from './index.tools.js';
import { IndexStatusService } from './index-status.service.js';
import { IngestService } from './ingest.service.js';
import { SourceService } from './source.service.js';

/** The tools index.status, index.explain and index.ingest. `index.search` is in kb. */
@Module({
  imports: [KbModule, SubstrateModule],
  controllers: INDEX_TOOLS,
  providers: [ExplainService, IndexStatusService, IngestService, SourceService],
  exports: [SourceService],
})
export class IndexingModule {}
