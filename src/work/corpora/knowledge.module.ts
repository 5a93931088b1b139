import { Module } from '@nestjs/common';
import { KbModule } from '../../kb/kb.module.js';
import { CreateKbService } from './create-kb.service.js';
import { IndexingModule } from './indexing/indexing.module.js';
import { KnowledgeService } from './knowledge.service.js';
import { KNOWLEDGE_TOOLS } from './knowledge.tools.js';

/** The tools knowledge.*: corpora beside the server's own, each with a name and an index. */
@Module({
  imports: [KbModule, IndexingModule],
  controllers: KNOWLEDGE_TOOLS,
  providers: [CreateKbService, KnowledgeService],
})
export class KnowledgeModule {}
