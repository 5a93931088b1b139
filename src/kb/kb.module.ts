// src/kb: sections that answer a question: search, evidence, excerpts; the kb.* tools
import { Module } from '@nestjs/common';
import { ScratchModule } from '../scratch/scratch.module.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { ExcerptService } from './excerpts/excerpt.service.js';
import { RankSources } from './search/rank-parts.js';
import { SearchService } from './search/search.service.js';
import { ExpandExcerptTool } from './tools/expand-excerpt.tool.js';
import { ExtractEvidenceTool } from './tools/extract-evidence.tool.js';
import { ReadExcerptTool } from './tools/read-excerpt.tool.js';
import { RetrieveEvidenceTool } from './tools/retrieve-evidence.tool.js';
import { SearchTool } from './tools/search.tool.js';

export const KB_TOOLS = [
  RetrieveEvidenceTool,
  SearchTool,
  ReadExcerptTool,
  ExpandExcerptTool,
  ExtractEvidenceTool,
];

@Module({
  imports: [ScratchModule],
  controllers: KB_TOOLS,
  providers: [RankSources, SearchService, ExcerptService, EvidenceService],
  exports: [RankSources],
})
export class KbModule {}
