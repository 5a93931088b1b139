import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { defineTool, McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { ExcerptService, MAX_EXCERPT_TOKENS } from '../excerpts/excerpt.service.js';
import {
  diagnosticDebugSchema,
  excerptOptionsSchema,
  type ExcerptOutput,
  excerptSchema,
  passageIdSchema,
} from '../kb.schemas.js';
import { excerptSummary, excerptText } from '../render-kb.js';

const offset = z.int().min(0).max(1_000_000_000).optional();

const input = z.strictObject({
  passage_id: passageIdSchema,
  before_tokens: z.int().min(0).max(MAX_EXCERPT_TOKENS).default(150),
  after_tokens: z.int().min(0).max(MAX_EXCERPT_TOKENS).default(150),
  start_char: offset.describe('Start of the window to widen; default: the last one.'),
  end_char: offset.describe('End of that window.'),
  scope: scopeSchema.optional(),
  options: excerptOptionsSchema,
  diagnostic_debug: diagnosticDebugSchema,
});
export type ExpandExcerptInput = z.output<typeof input>;

export const expandExcerptTool = defineTool({
  name: 'kb.expand_excerpt',
  title: 'Read around a quote',
  description:
    'Use when you want the text right before and after what you last saw of a passage: a quote, preview or excerpt. ' +
    'Do not use when you want to read from the start: call kb.read_excerpt. Returns at most 800 tokens of verbatim ' +
    'text from the same section (32 KB). If you need more, call it again: each call widens the window. Defaults: 150 ' +
    'tokens on each side, as text with its citation. Max: 800 tokens.',
  input,
  output: excerptSchema,
  feature: 'kb',
  isCore: false,
  permission: 'read',
  budget: { bytes: 49_152, tokens: 5_000 },
  rendering: { full: excerptText, summary: excerptSummary },
});

@McpController()
export class ExpandExcerptTool {
  constructor(private readonly service: ExcerptService) {}

  @McpTool(expandExcerptTool)
  expand(@Payload() input: ExpandExcerptInput, @Ctx() context: McpContext): Promise<Reply<ExcerptOutput>> {
    return this.service.expand(callOf(context), input);
  }
}
