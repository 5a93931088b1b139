// src/legacy: the older tool names and result shapes, mapped to the current services
import { Module, type Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { Reply } from '../core/reply.js';
import { GraphModule } from '../graph/graph.module.js';
import { callOf } from '../mcp/calls.js';
import { McpTool } from '../mcp/define-tool.js';
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

/** The controller of one older tool. Decorators register methods, so every tool has a class of its own. */
function controllerOf<I extends z.ZodType, O extends z.ZodType>(tool: LegacyTool<I, O>): Type {
  @McpController()
  class LegacyController {
    constructor(private readonly service: LegacyService) {}

    @McpTool(tool.definition)
    answer(@Payload() input: z.output<I>, @Ctx() context: McpContext): Promise<Reply<z.output<O>>> {
      return tool.answer(this.service, callOf(context), input);
    }
  }
  return LegacyController;
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
