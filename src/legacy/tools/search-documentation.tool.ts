import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyAnswerService } from '../legacy-answer.service.js';
import type { AnswerOutput } from '../legacy-answer.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { anyInt } from '../legacy.schemas.js';
import { answerEvidenceSchema } from '../answer-evidence.js';

export const searchDocumentationTool = defineLegacyTool(
  {
    name: 'search_documentation',
    title: 'Search the documentation (older name)',
    description:
      'Legacy name of kb.retrieve_evidence; prefer kb.retrieve_evidence. ' +
      'Returns the five best sections of top_k (20) with their text as Markdown and as JSON. ' +
      'verbosity: graph, full or markdown. Problems come as diagnostics.error in a result.',
    input: z.object({
      query: z.string().max(4_000),
      top_k: anyInt.default(20),
      verbosity: z.string().max(64).default('graph'),
    }),
    output: z.strictObject({
      answer_markdown: z.string(),
      answer_json: z.strictObject({
        answer: z.string(),
        evidence: z.array(answerEvidenceSchema),
        confidence: z.number(),
        diagnostics: z.record(z.string(), z.unknown()),
      }),
    }),
    isRetrieval: true,
    rendering: jsonRendering<AnswerOutput>(({ answer_json }) => answer_json.evidence.length, 'sections'),
  },
  'legacy_search',
);

@McpController()
export class SearchDocumentationTool {
  constructor(private readonly service: LegacyAnswerService) {}

  @McpTool(searchDocumentationTool)
  search(
    @Payload() input: ToolInput<typeof searchDocumentationTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<AnswerOutput>> {
    return this.service.answer(callOf(context), {
      query: input.query,
      topK: input.top_k,
      verbosity: input.verbosity,
    });
  }
}
