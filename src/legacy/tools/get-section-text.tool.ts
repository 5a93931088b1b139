import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { jsonRendering } from '../legacy-rendering.js';
import { LegacyTextService } from '../legacy-text.service.js';
import type { SectionTextOutput } from '../legacy-text.service.js';
import { anyInt, envelopeShape, idsSchema, sessionIdSchema, textRowSchema } from '../legacy.schemas.js';

export const getSectionTextTool = defineLegacyTool({
  name: 'get_section_text',
  title: 'Read sections (older name)',
  description:
    'Legacy name of kb.read_excerpt; prefer kb.read_excerpt, which reads by passage_id and in steps. ' +
    'Returns the start of each section, max_bytes_per bytes of it (8192, at most 32768), in the order asked for.',
  input: z.object({
    section_ids: idsSchema,
    max_bytes_per: anyInt.default(8_192),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    results: z.array(textRowSchema),
    hints: z.strictObject({ next_tools: z.array(z.string()) }),
    ...envelopeShape,
  }),
  rendering: jsonRendering<SectionTextOutput>(({ results }) => results.length, 'sections'),
});

@McpController()
export class GetSectionTextTool {
  constructor(private readonly service: LegacyTextService) {}

  @McpTool(getSectionTextTool)
  read(
    @Payload() input: ToolInput<typeof getSectionTextTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<SectionTextOutput>> {
    return this.service.read(callOf(context), {
      sectionIds: input.section_ids,
      maxBytesPer: input.max_bytes_per,
      sessionId: input.session_id,
    });
  }
}
