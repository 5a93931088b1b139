import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { defineTool, McpTool } from '../../mcp/define-tool.js';
import {
  type ExcerptOutput,
  excerptSchema,
  type ReadExcerptInput,
  readExcerptInput,
} from '../excerpt.schemas.js';
import { ExcerptService } from '../excerpts/excerpt.service.js';
import { excerptSummary, excerptText } from '../render-kb.js';

export const readExcerptTool = defineTool({
  name: 'kb.read_excerpt',
  title: 'Read part of a passage',
  description:
    'Use when a preview or quote is not enough and you want to read the passage from start_char on. Do not use when ' +
    'you want only the sentences that answer a question: call kb.extract_evidence. With a chunk_id instead of a ' +
    'passage_id, call get_doc. Returns at most max_tokens tokens of verbatim text. If you need more, call it again ' +
    'with start_char = next_start_char. Defaults: 300 tokens from start_char 0, as text with its citation. Max: 800 ' +
    'tokens. A passage_id expires {ttl} after its last use.',
  input: readExcerptInput,
  output: excerptSchema,
  feature: 'kb',
  isCore: true,
  permission: 'read',
  budget: { bytes: 49_152, tokens: 5_000 },
  rendering: { full: excerptText, summary: excerptSummary },
});

@McpController()
export class ReadExcerptTool {
  constructor(private readonly service: ExcerptService) {}

  @McpTool(readExcerptTool)
  read(@Payload() input: ReadExcerptInput, @Ctx() context: McpContext): Promise<Reply<ExcerptOutput>> {
    return this.service.read(callOf(context), input);
  }
}
