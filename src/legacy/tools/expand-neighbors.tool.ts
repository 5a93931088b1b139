import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyExpandService } from '../graph/legacy-expand.service.js';
import type { ExpandOutput } from '../graph/legacy-expand.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import {
  anyInt,
  cursorSchema,
  cursorShape,
  envelopeShape,
  graphOffShape,
  idsSchema,
  nodeShape,
  relTypesSchema,
  sessionIdSchema,
} from '../legacy.schemas.js';

export const expandNeighborsTool = defineLegacyTool({
  name: 'expand_neighbors',
  title: 'Expand neighbours (older name)',
  description:
    'Legacy name of graph.expand; prefer graph.expand. ' +
    'Returns nodes up to max_hops (1, at most 3) away, with the edges that lead there; page_size 25, at most 100. ' +
    'What this session_id was sent in the last 15 minutes is left out.',
  input: z.object({
    node_ids: idsSchema,
    rel_types: relTypesSchema,
    direction: z.string().max(64).default('both').describe('in, out; anything else is both.'),
    max_hops: anyInt.default(1),
    include_snippet: z.boolean().default(false),
    cursor: cursorSchema,
    page_size: anyInt.default(25),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    nodes: z.array(z.strictObject({ ...nodeShape, snippet: z.string().nullable().optional() })),
    edges: z.array(z.strictObject({ src: z.string(), dst: z.string(), type: z.string() })),
    ...cursorShape,
    dedupe_applied: z.boolean().optional(),
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<ExpandOutput>(({ nodes }) => nodes.length, 'new nodes'),
});

@McpController()
export class ExpandNeighborsTool {
  constructor(private readonly service: LegacyExpandService) {}

  @McpTool(expandNeighborsTool)
  expand(
    @Payload() input: ToolInput<typeof expandNeighborsTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ExpandOutput>> {
    return this.service.expand(callOf(context), {
      nodeIds: input.node_ids,
      relTypes: input.rel_types,
      direction: input.direction,
      maxHops: input.max_hops,
      includeSnippet: input.include_snippet,
      cursor: input.cursor,
      pageSize: input.page_size,
      sessionId: input.session_id,
    });
  }
}
