import { Module } from '@nestjs/common';
import { ComputeContextBundleTool } from './tools/compute-context-bundle.tool.js';
import { DescribeNodesTool } from './tools/describe-nodes.tool.js';
import { ExpandNeighborsTool } from './tools/expand-neighbors.tool.js';
import { GetEntitiesForSectionsTool } from './tools/get-entities-for-sections.tool.js';
import { GetPathsBetweenTool } from './tools/get-paths-between.tool.js';
import { GetSectionTextTool } from './tools/get-section-text.tool.js';
import { GetSectionsForEntitiesTool } from './tools/get-sections-for-entities.tool.js';
import { LegacyAnswerService } from './legacy-answer.service.js';
import { LegacyBundleService } from './graph/legacy-bundle.service.js';
import { LegacyExpandService } from './graph/legacy-expand.service.js';
import { LegacyGraphService } from './graph/legacy-graph.service.js';
import { LegacyMentionsService } from './graph/legacy-mentions.service.js';
import { LegacyPathsService } from './graph/legacy-paths.service.js';
import { LegacySearchService } from './legacy-search.service.js';
import { LegacyTextService } from './legacy-text.service.js';
import { LegacyTraverseService } from './graph/legacy-traverse.service.js';
import { ListChildrenTool } from './tools/list-children.tool.js';
import { ListParentsTool } from './tools/list-parents.tool.js';
import { SearchDocumentationTool } from './tools/search-documentation.tool.js';
import { SearchSectionsTool } from './tools/search-sections.tool.js';
import { SummarizeNeighborhoodTool } from './tools/summarize-neighborhood.tool.js';
import { TraverseRelationshipsTool } from './tools/traverse-relationships.tool.js';

export const LEGACY_TOOLS = [
  SearchSectionsTool,
  GetSectionTextTool,
  DescribeNodesTool,
  ExpandNeighborsTool,
  GetPathsBetweenTool,
  ListChildrenTool,
  ListParentsTool,
  GetEntitiesForSectionsTool,
  GetSectionsForEntitiesTool,
  TraverseRelationshipsTool,
  SummarizeNeighborhoodTool,
  ComputeContextBundleTool,
  SearchDocumentationTool,
];

/** The tools under their older names, for clients that were written for them. */
@Module({
  controllers: LEGACY_TOOLS,
  providers: [
    LegacySearchService,
    LegacyTextService,
    LegacyGraphService,
    LegacyExpandService,
    LegacyPathsService,
    LegacyMentionsService,
    LegacyTraverseService,
    LegacyBundleService,
    LegacyAnswerService,
  ],
})
export class LegacyModule {}
