// src/graph: the graph of documents, sections and entities: walks, paths, mentions; the graph.* tools
import { Module } from '@nestjs/common';
import { ScratchModule } from '../scratch/scratch.module.js';
import { GraphService } from './graph.service.js';
import { GRAPH_TOOLS } from './graph.tools.js';
import { GraphAnswersService } from './graph-answers.service.js';
import { GraphMentionsService } from './graph-mentions.service.js';

@Module({
  imports: [ScratchModule],
  controllers: GRAPH_TOOLS,
  providers: [GraphService, GraphMentionsService, GraphAnswersService],
  exports: [GraphService],
})
export class GraphModule {}
