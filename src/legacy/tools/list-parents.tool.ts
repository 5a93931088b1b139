import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyGraphService } from '../graph/legacy-graph.service.js';
import type { ParentsOutput } from '../graph/legacy-graph.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { envelopeShape, graphOffShape, idsSchema, sessionIdSchema } from '../legacy.schemas.js';

export const listParentsTool = defineLegacyTool({
  name: 'list_parents',
  title: 'List parents (older name)',
  description:
    'Legacy name of graph.parents; prefer graph.parents. ' +
    'Returns for each section the heading or document right above it.',
  input: z.object({ section_ids: idsSchema, session_id: sessionIdSchema }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({ section_id: z.string(), parent_id: z.string(), parent_title: z.string() }),
    ),
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<ParentsOutput>(({ results }) => results.length, 'parents'),
});

@McpController()
export class ListParentsTool {
  constructor(private readonly service: LegacyGraphService) {}

  @McpTool(listParentsTool)
  list(
    @Payload() input: ToolInput<typeof listParentsTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ParentsOutput>> {
    return this.service.parents(callOf(context), {
      sectionIds: input.section_ids,
      sessionId: input.session_id,
    });
  }
}
