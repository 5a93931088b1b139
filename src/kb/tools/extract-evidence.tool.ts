import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { defineTool, McpTool } from '../../mcp/define-tool.js';
import { type EvidenceOutput, evidenceSchema, type ExtractInput, extractInput } from '../evidence.schemas.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import { evidenceSummary, evidenceText } from '../render-kb.js';

export const extractEvidenceTool = defineTool({
  name: 'kb.extract_evidence',
  title: 'Quote from passages',
  description:
    'Use when you already have passage_ids and want only the sentences in them that answer a question. Do not use ' +
    'when you have no passage_ids: kb.retrieve_evidence searches and quotes in one call. Returns at most max_quotes ' +
    'verbatim quotes with citations (12 KB). If you need more, call kb.expand_excerpt with a passage_id. Defaults: 6 ' +
    'quotes of 80 tokens, each with 20 tokens of context. Max: 12 quotes of 200 tokens, from at most 20 passages.',
  input: extractInput,
  output: evidenceSchema,
  feature: 'kb',
  isCore: false,
  permission: 'read',
  budget: { bytes: 12_288, tokens: 6_000 },
  rendering: { full: evidenceText, summary: evidenceSummary },
});

@McpController()
export class ExtractEvidenceTool {
  constructor(private readonly service: EvidenceService) {}

  @McpTool(extractEvidenceTool)
  extract(@Payload() input: ExtractInput, @Ctx() context: McpContext): Promise<Reply<EvidenceOutput>> {
    return this.service.extract(callOf(context), input);
  }
}
