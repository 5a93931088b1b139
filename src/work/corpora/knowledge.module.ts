import { Module } from '@nestjs/common';
import { KbModule } from '../../kb/kb.module.js';
import { IndexingModule } from './indexing/indexing.module.js';
import { CreateKbService } from './create-kb.service.js';
import { CreateKbTool } from './create-kb.tool.js';
import { KnowledgeService } from './knowledge.service.js';
import { ListKbsTool } from './list-kbs.tool.js';
import { QueryKbTool } from './query-kb.tool.js';

export const KNOWLEDGE_TOOLS = [CreateKbTool, QueryKbTool, ListKbsTool];

/** The tools knowledge.*: corpora beside the server's own, each with a name and an index. */
@Module({
  imports: [KbModule, IndexingModule],
  controllers: KNOWLEDGE_TOOLS,
  providers: [CreateKbService, KnowledgeService],
})
export class KnowledgeModule {}
