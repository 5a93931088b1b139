// src/graph: the graph of documents, sections and entities: walks, paths, mentions; the graph.* tools
import { Module } from '@nestjs/common';
import { ScratchModule } from '../scratch/scratch.module.js';
import { GraphService } from './graph.service.js';
import { GraphAnswersService } from './graph-answers.service.js';
import { GraphMentionsService } from './graph-mentions.service.js';
import { DescribeNodesTool } from './tools/describe-nodes.tool.js';
import { EntitiesForSectionsTool } from './tools/entities-for-sections.tool.js';
import { ExpandNodesTool } from './tools/expand-nodes.tool.js';
import { FindPathsTool } from './tools/find-paths.tool.js';
import { ListChildrenTool } from './tools/list-children.tool.js';
import { ListParentsTool } from './tools/list-parents.tool.js';
import { SectionsForEntitiesTool } from './tools/sections-for-entities.tool.js';

export const GRAPH_TOOLS = [
  DescribeNodesTool,
  ExpandNodesTool,
  FindPathsTool,
  ListParentsTool,
  ListChildrenTool,
  EntitiesForSectionsTool,
  SectionsForEntitiesTool,
];

@Module({
  imports: [ScratchModule],
  controllers: GRAPH_TOOLS,
  providers: [GraphService, GraphMentionsService, GraphAnswersService],
  exports: [GraphService],
})
export class GraphModule {}
