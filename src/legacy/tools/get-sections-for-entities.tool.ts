import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyMentionsService } from '../graph/legacy-mentions.service.js';
import type { SectionsOutput } from '../graph/legacy-mentions.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { anyInt, envelopeShape, graphOffShape, idsSchema, sessionIdSchema } from '../legacy.schemas.js';

export const getSectionsForEntitiesTool = defineLegacyTool({
  name: 'get_sections_for_entities',
  title: 'Sections of entities (older name)',
  description:
    'Legacy name of graph.sections_for_entities; prefer graph.sections_for_entities. ' +
    'Returns for each entity the sections that mention it, max_per (20) of them.',
  input: z.object({ entity_ids: idsSchema, max_per: anyInt.default(20), session_id: sessionIdSchema }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        entity_id: z.string(),
        sections: z.array(z.strictObject({ section_id: z.string(), title: z.string() })),
      }),
    ),
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<SectionsOutput>(({ results }) => results.length, 'entities with their sections'),
});

@McpController()
export class GetSectionsForEntitiesTool {
  constructor(private readonly service: LegacyMentionsService) {}

  @McpTool(getSectionsForEntitiesTool)
  list(
    @Payload() input: ToolInput<typeof getSectionsForEntitiesTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<SectionsOutput>> {
    return this.service.sections(callOf(context), {
      entityIds: input.entity_ids,
      max: input.max_per,
      sessionId: input.session_id,
    });
  }
}
