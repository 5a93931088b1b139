import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, ResourceTemplate } from '@rekog/mcp-nest';
import { z } from 'zod';
import { LimitsConfig } from '../config/settings/limits.config.js';
import { callOf } from '../mcp/calls.js';
import { clipToBytes } from '../text/span.js';
import { DiagnosticsService } from './diagnostics.service.js';

const paramsSchema = z.object({ uri: z.string() });

/** The limit of diagnostics.get. Half of the configured limit leaves room for JSON escapes. */
const MAX_BYTES = 32_768;

const template = {
  name: 'retrieval-diagnostic',
  uriTemplate: 'wekadocs://diagnostics/{date}/{diagnostic_id}',
  description: 'A retrieval diagnostic as Markdown, for operators.',
  mimeType: 'text/markdown',
};

/** Diagnostics as resources, for operators who debug inside a host. */
@McpController()
export class DiagnosticResource {
  constructor(
    private readonly service: DiagnosticsService,
    private readonly limits: LimitsConfig,
  ) {}

  @ResourceTemplate(template)
  async read(@Payload() params: unknown, @Ctx() context: McpContext) {
    const { uri } = paramsSchema.parse(params);
    const { markdown } = await this.service.readUri(callOf(context), uri);
    const maxBytes = Math.min(MAX_BYTES, this.limits.maxResponseBytes / 2);
    const text = markdown.slice(0, clipToBytes(markdown, maxBytes));
    return { contents: [{ uri, mimeType: template.mimeType, text }] };
  }
}
