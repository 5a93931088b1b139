// src/legacy: the older tool names and result shapes, mapped to the current services
import { Module, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { LimitsConfig } from '../config/settings/limits.config.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { GraphModule } from '../graph/graph.module.js';
import { GraphService } from '../graph/graph.service.js';
import { toolController } from '../mcp/tool-controller.js';
import { LegacyService } from './legacy.service.js';
import type { LegacyTool } from './legacy-tool.js';
import { legacyDescribeNodes, legacySummarizeNeighborhood } from './tools/describe-nodes.js';
import { legacyExpandNeighbors } from './tools/expand-neighbors.js';
import { legacyPathsBetween } from './tools/get-paths-between.js';
import { legacyEntitiesForSections, legacySectionsForEntities } from './tools/list-mentions.js';
import { legacyListChildren, legacyListParents } from './tools/list-structure.js';
import { legacyContextBundle, legacySectionText } from './tools/read-sections.js';
import { legacySearchDocumentation } from './tools/search-documentation.js';
import { legacySearchSections } from './tools/search-sections.js';
import { legacyTraverse } from './tools/traverse-relationships.js';

function controllerOf<I extends z.ZodType, O extends z.ZodType>(tool: LegacyTool<I, O>): Type {
  return toolController(LegacyService, tool.definition, tool.answer);
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

const SERVICE = {
  provide: LegacyService,
  inject: [SectionIndex, LimitsConfig, GraphService, GraphStore],
  useFactory: (index: SectionIndex, limits: LimitsConfig, graph: GraphService, store: GraphStore | null) =>
    new LegacyService(index, limits, store ? graph : null),
};

/** The older tool names, for clients that were written for them. */
@Module({ imports: [GraphModule], controllers: LEGACY_TOOLS, providers: [SERVICE] })
export class LegacyModule {}
