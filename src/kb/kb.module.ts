// src/kb: sections that answer a question: search, evidence, excerpts; the kb.* tools
import { type FactoryProvider, Module } from '@nestjs/common';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { ScratchModule } from '../scratch/scratch.module.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { ExcerptService } from './excerpts/excerpt.service.js';
import { RankSources } from './search/rank-parts.js';
import { SearchService } from './search/search.service.js';
import { ExpandExcerptTool } from './tools/expand-excerpt.tool.js';
import { ExtractEvidenceTool } from './tools/extract-evidence.tool.js';
import { ReadExcerptTool } from './tools/read-excerpt.tool.js';
import { RetrieveEvidenceTool } from './tools/retrieve-evidence.tool.js';
import { IndexSearchTool, SearchTool } from './tools/search.tool.js';

export const KB_TOOLS = [
  RetrieveEvidenceTool,
  SearchTool,
  ReadExcerptTool,
  ExpandExcerptTool,
  ExtractEvidenceTool,
  IndexSearchTool,
];

const SOURCES: FactoryProvider = {
  provide: RankSources,
  inject: [SectionIndex, GraphStore],
  useFactory: (index: SectionIndex, graph: GraphStore | null) => new RankSources(index, graph),
};

@Module({
  imports: [ScratchModule],
  controllers: KB_TOOLS,
  providers: [SOURCES, SearchService, ExcerptService, EvidenceService],
  exports: [RankSources, SearchService, EvidenceService],
})
export class KbModule {}
