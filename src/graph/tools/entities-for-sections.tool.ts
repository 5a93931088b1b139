import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { entitiesSummary, entitiesText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import { idsSchema, labelsSchema, statusShape } from './graph.schemas.js';

const input = z.strictObject({
  section_ids: idsSchema(10),
  labels: labelsSchema,
  max_per_section: z.int().min(1).max(50).default(20),
  scope: scopeSchema.optional(),
});
export type EntitiesInput = z.output<typeof input>;

const output = z.strictObject({
  results: z.array(
    z.strictObject({
      section_id: z.string(),
      entities: z.array(
        z.strictObject({
          id: z.string(),
          label: z.string(),
          name: z.string(),
          mentions: z.int(),
          sections: z.int(),
        }),
      ),
    }),
  ),
  ...statusShape,
});
export type EntitiesOutput = z.output<typeof output>;

export const entitiesForSectionsTool = defineGraphTool({
  name: 'graph.entities_for_sections',
  title: 'What sections name',
  description:
    'Use when you want the commands, settings, symbols, errors, files and concepts that given sections name. Do not ' +
    'use when you want their text: call kb.read_excerpt. Returns at most max_per_section entities for each, most ' +
    'characteristic first. If you need more, call graph.sections_for_entities to see where else they are ' +
    'named. Defaults: 20 entities. Max: 10 ids, 50 entities.',
  input,
  output,
  rendering: { full: entitiesText, summary: entitiesSummary },
});

@McpController()
export class EntitiesForSectionsTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(entitiesForSectionsTool)
  entities(@Payload() input: EntitiesInput, @Ctx() context: McpContext): Promise<Reply<EntitiesOutput>> {
    return this.service.entities(callOf(context), input);
  }
}
