import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyMentionsService } from '../graph/legacy-mentions.service.js';
import type { EntitiesOutput } from '../graph/legacy-mentions.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { anyInt, envelopeShape, graphOffShape, idsSchema, sessionIdSchema } from '../legacy.schemas.js';

export const getEntitiesForSectionsTool = defineLegacyTool({
  name: 'get_entities_for_sections',
  title: 'Entities of sections (older name)',
  description:
    'Legacy name of graph.entities_for_sections; prefer graph.entities_for_sections. ' +
    'Returns for each section the entities that it mentions, max_per_section (20) of them, of these labels if labels are given.',
  input: z.object({
    section_ids: idsSchema,
    labels: z.array(z.string().max(64)).max(64).nullable().default(null),
    max_per_section: anyInt.default(20),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        section_id: z.string(),
        entities: z.array(z.strictObject({ id: z.string(), label: z.string(), name: z.string() })),
      }),
    ),
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<EntitiesOutput>(({ results }) => results.length, 'sections with their entities'),
});

@McpController()
export class GetEntitiesForSectionsTool {
  constructor(private readonly service: LegacyMentionsService) {}

  @McpTool(getEntitiesForSectionsTool)
  list(
    @Payload() input: ToolInput<typeof getEntitiesForSectionsTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<EntitiesOutput>> {
    return this.service.entities(callOf(context), {
      sectionIds: input.section_ids,
      labels: input.labels,
      max: input.max_per_section,
      sessionId: input.session_id,
    });
  }
}
