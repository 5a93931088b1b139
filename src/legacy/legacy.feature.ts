// src/legacy: the older tool names and result shapes, mapped to the current services
import { Module, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { GraphModule } from '../graph/graph.module.js';
import type { ServerFeature } from '../mcp/serving.js';
import { toolController } from '../mcp/tool-controller.js';
import { LegacyService } from './legacy.service.js';
import type { LegacyTool } from './legacy-tool.js';
import { legacyExpandNeighbors } from './tools/expand-neighbors.js';
import {
  legacyEntitiesForSections,
  legacyListChildren,
  legacyListParents,
  legacySectionsForEntities,
} from './tools/list-linked.js';
import {
  legacyDescribeNodes,
  legacyPathsBetween,
  legacySummarizeNeighborhood,
} from './tools/nodes-and-paths.js';
import { legacyContextBundle, legacySectionText } from './tools/read-sections.js';
import { legacySearchDocumentation } from './tools/search-documentation.js';
import { legacySearchSections } from './tools/search-sections.js';
import { legacyTraverse } from './tools/traverse-relationships.js';

function controllerOf<I extends z.ZodType, O extends z.ZodType>({
  definition,
  answer,
}: LegacyTool<I, O>): Type {
  return toolController(LegacyService, definition, answer);
}

export const LEGACY_TOOLS = [
  controllerOf(legacySearchSections),
  controllerOf(legacySectionText),
  controllerOf(legacyDescribeNodes),
  controllerOf(legacyExpandNeighbors),
  controllerOf(legacyPathsBetween),
  controllerOf(legacyListChildren),
  controllerOf(legacyListParents),
  controllerOf(legacyEntitiesForSections),
  controllerOf(legacySectionsForEntities),
  controllerOf(legacyTraverse),
  controllerOf(legacySummarizeNeighborhood),
  controllerOf(legacyContextBundle),
  controllerOf(legacySearchDocumentation),
];

/** The older tool names, for clients that were written for them. */
@Module({ imports: [GraphModule], controllers: LEGACY_TOOLS, providers: [LegacyService] })
export class LegacyModule {}

/** The older tool names and result shapes. */
export const LEGACY: ServerFeature = {
  tools: LEGACY_TOOLS,
  modules: () => [LegacyModule],
};
