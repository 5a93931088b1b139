import { ExpandExcerptTool } from './expand-excerpt.tool.js';
import { ExcerptService } from './excerpt.service.js';
import { EvidenceService } from './evidence.service.js';
import { ExtractEvidenceTool } from './extract-evidence.tool.js';
import { ReadExcerptTool } from './read-excerpt.tool.js';
import { RetrieveEvidenceTool } from './retrieve-evidence.tool.js';
import { SearchService } from './search.service.js';
import { SearchTool } from './search.tool.js';
import { Module } from '@nestjs/common';
import { ScratchModule } from '../scratch/scratch.module.js';

export const KB_TOOLS = [
  RetrieveEvidenceTool,
  SearchTool,
  ReadExcerptTool,
  ExpandExcerptTool,
  ExtractEvidenceTool,
];

/** Sections that answer a question. */
@Module({
  imports: [ScratchModule],
  controllers: KB_TOOLS,
  providers: [SearchService, ExcerptService, EvidenceService],
})
export class KbModule {}
