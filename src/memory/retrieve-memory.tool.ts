import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../mcp/define-tool.js';
import { invalidInput } from '../mcp/invalid-input.js';
import {
  clampedCount,
  clampedNumber,
  instantSchema,
  type MemoryOutput,
  memoryOutputSchema,
  tagsSchema,
} from './memory.schemas.js';
import { MemoryService } from './memory.service.js';
import { memorySummary, memoryText } from './render-memory.js';

export const retrieveMemoryTool = defineTool({
  name: 'inner_voice.retrieve',
  title: 'Retrieve memories',
  description:
    'Use when earlier thoughts or known facts (a knowledge graph) may bear on a question. ' +
    'Do not use when the documents should answer: call kb.retrieve_evidence. ' +
    'Returns at most top_k verbatim snippets, best first, with id, date, origin and trust tier (48 KB); ' +
    'green is noted by people or curated, amber by tools, red by models or unknown. Nothing is synthesised. ' +
    'If you need more, call inner_voice.retrieve with a larger top_k or a lower floor. ' +
    'Defaults: top_k 10, floor 0.08, mix 0.6, no private thoughts. Max: 50 snippets of 800 characters.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(4_000),
    top_k: clampedCount(1, 50).optional(),
    floor: clampedNumber(0, 1)
      .optional()
      .describe('Lowest similarity; lowered automatically for a source without results.'),
    mix: clampedNumber(0, 1).optional().describe('Share of graph facts; 0: thoughts only, 1: graph only.'),
    include_private: z.boolean().default(false),
    include_tags: tagsSchema.optional().describe('At least one of these.'),
    exclude_tags: tagsSchema.default([]),
    recency_half_life_days: z
      .number()
      .min(0.01)
      .max(36_500)
      .optional()
      .describe('Age in days at which a score is halved.'),
    created_after: instantSchema.optional().describe('ISO date, inclusive.'),
    created_before: instantSchema.optional().describe('ISO date, inclusive.'),
  }),
  output: memoryOutputSchema,
  feature: 'inner_voice',
  isCore: false,
  permission: 'read',
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: { full: memoryText, summary: memorySummary },
  refuse: (error) => invalidInput(error, 'invalid_params'),
  unexpected: 'internal_error',
  isPersonal: true,
});

@McpController()
export class RetrieveMemoryTool {
  constructor(private readonly service: MemoryService) {}

  @McpTool(retrieveMemoryTool)
  retrieve(
    @Payload() input: ToolInput<typeof retrieveMemoryTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<MemoryOutput>> {
    return this.service.retrieve(callOf(context), {
      query: input.query,
      topK: input.top_k,
      floor: input.floor,
      mix: input.mix,
      includePrivate: input.include_private,
      includeTags: input.include_tags ?? null,
      excludeTags: input.exclude_tags,
      halfLifeDays: input.recency_half_life_days,
      createdFrom: input.created_after,
      createdTo: input.created_before,
    });
  }
}
