import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { sectionsSummary, sectionsText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import { idsSchema, statusShape } from './graph.schemas.js';

const input = z.strictObject({
  entity_ids: idsSchema(10).describe('Ids or names.'),
  max_per: z.int().min(1).max(50).default(20),
  scope: scopeSchema.optional(),
});
export type SectionsInput = z.output<typeof input>;

const output = z.strictObject({
  results: z.array(
    z.strictObject({
      entity_id: z.string(),
      name: z.string(),
      total: z.int(),
      sections: z.array(z.strictObject({ section_id: z.string(), title: z.string(), mentions: z.int() })),
    }),
  ),
  ...statusShape,
});
export type SectionsOutput = z.output<typeof output>;

export const sectionsForEntitiesTool = defineGraphTool({
  name: 'graph.sections_for_entities',
  title: 'Where things are named',
  description:
    'Use when you want the sections that name a command, setting, symbol, error, file or concept. Do not use when you ' +
    'have a topic: call kb.search. Returns at most max_per sections for each id, defining ones first. If you need ' +
    'more, call kb.search with the name. Defaults: 20 sections. Max: 10 ids, 50 sections.',
  input,
  output,
  rendering: { full: sectionsText, summary: sectionsSummary },
});

@McpController()
export class SectionsForEntitiesTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(sectionsForEntitiesTool)
  sections(@Payload() input: SectionsInput, @Ctx() context: McpContext): Promise<Reply<SectionsOutput>> {
    return this.service.sections(callOf(context), input);
  }
}
