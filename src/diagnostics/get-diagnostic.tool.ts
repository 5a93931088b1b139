import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { listReply, type Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../mcp/define-tool.js';
import { clipText } from '../text/span.js';
import { type DiagnosticOutput, diagnosticOutputSchema, DiagnosticsService } from './diagnostics.service.js';

export const getDiagnosticTool = defineTool({
  name: 'diagnostics.get',
  title: 'What a retrieval did',
  description:
    'Use when you operate this server and want to know why a retrieval found what it found. ' +
    'Do not use when you want to answer a question from the documents: call kb.retrieve_evidence. ' +
    'Returns at most one diagnostic as Markdown: stages, counts, candidates, drops, budget (32 KB). ' +
    'If you need more, call pith diagnostics show on the command line. ' +
    'Defaults: searches the newest days. Max: one diagnostic.',
  input: z.strictObject({
    diagnostic_id: z.uuid().describe('The diagnostic_id of a result with a diagnostic_hint.'),
    date: z.iso.date().optional().describe('UTC day of the call, such as 2026-01-31.'),
  }),
  output: diagnosticOutputSchema,
  feature: 'diagnostics',
  isCore: false,
  permission: 'operator',
  mounts: ['diagnostics'],
  budget: { bytes: 32_768, tokens: 12_000 },
  rendering: {
    full: ({ markdown, partial }) => (partial ? `${markdown}\nThe diagnostic is truncated.` : markdown),
    summary: ({ diagnostic_id, date }) => `Diagnostic ${diagnostic_id} of ${date}.`,
  },
});

@McpController()
export class GetDiagnosticTool {
  constructor(private readonly service: DiagnosticsService) {}

  @McpTool(getDiagnosticTool)
  async get(
    @Payload() { diagnostic_id, date }: ToolInput<typeof getDiagnosticTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<DiagnosticOutput>> {
    const found = await this.service.read(callOf(context), diagnostic_id, date);
    return listReply({ count: 1, maxChars: found.markdown.length }, ({ maxChars, reason }) => ({
      ...found,
      markdown: clipText(found.markdown, maxChars),
      partial: reason !== null,
      limit_reason: reason ?? 'none',
    }));
  }
}
