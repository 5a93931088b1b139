import { Module } from '@nestjs/common';
import { ComputeContextBundleTool } from './compute-context-bundle.tool.js';
import { DescribeNodesTool } from './describe-nodes.tool.js';
import { ExpandNeighborsTool } from './expand-neighbors.tool.js';
import { GetEntitiesForSectionsTool } from './get-entities-for-sections.tool.js';
import { GetPathsBetweenTool } from './get-paths-between.tool.js';
import { GetSectionTextTool } from './get-section-text.tool.js';
import { GetSectionsForEntitiesTool } from './get-sections-for-entities.tool.js';
import { LegacyAnswerService } from './legacy-answer.service.js';
import { LegacyBundleService } from './legacy-bundle.service.js';
import { LegacyExpandService } from './legacy-expand.service.js';
import { LegacyGraphService } from './legacy-graph.service.js';
import { LegacyMentionsService } from './legacy-mentions.service.js';
import { LegacyPathsService } from './legacy-paths.service.js';
import { LegacySearchService } from './legacy-search.service.js';
import { LegacyTextService } from './legacy-text.service.js';
import { LegacyTraverseService } from './legacy-traverse.service.js';
import { ListChildrenTool } from './list-children.tool.js';
import { ListParentsTool } from './list-parents.tool.js';
import { SearchDocumentationTool } from './search-documentation.tool.js';
import { SearchSectionsTool } from './search-sections.tool.js';
import { SummarizeNeighborhoodTool } from './summarize-neighborhood.tool.js';
import { TraverseRelationshipsTool } from './traverse-relationships.tool.js';

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
