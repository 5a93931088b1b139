import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { Reply } from '../../../core/reply.js';
import { callOf } from '../../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../../mcp/define-tool.js';
import { streamedCallOf } from '../../../mcp/pipeline/streamed-calls.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import {
  type ArtifactContent,
  artifactContentOutput,
  DEFAULT_CONTENT_BYTES,
  getArtifactInput,
  MAX_CONTENT_BYTES,
} from '../artifacts/artifact.schemas.js';
import { ArtifactService } from '../artifacts/artifact.service.js';
import { artifactLine, artifactRefs } from './substrate-texts.js';

export const getArtifactTool = defineTool({
  name: 'substrate.artifact.get',
  title: 'Read a stored document',
  description:
    'Use when you want the content of an artifact, as text or base64. ' +
    'Do not use when its size and type are enough: call substrate.artifact.info. ' +
    'Returns at most max_bytes bytes from offset on; its hash is checked. ' +
    'If you need more, call it again with offset = next_offset. ' +
    `Defaults: text, offset 0, ${DEFAULT_CONTENT_BYTES} bytes. Max: ${MAX_CONTENT_BYTES} bytes.`,
  input: getArtifactInput,
  output: artifactContentOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
  budget: { bytes: 131_072, tokens: 65_536 },
  rendering: { refs: artifactRefs, full: contentText, summary: artifactLine },
});

function contentText(artifact: ArtifactContent, fence: TextFence = NO_FENCE): string {
  const { sha256, offset, text, base64, next_offset: next } = artifact;
  return [
    artifactLine(artifact),
    `From byte ${offset}${next === null ? ' to the end' : `, next_offset ${next}`}:`,
    text === undefined ? (base64 ?? '') : fence(sha256, text),
  ].join('\n');
}

@McpController()
export class GetArtifactTool {
  constructor(private readonly service: ArtifactService) {}

  @McpTool(getArtifactTool)
  get(
    @Payload() input: ToolInput<typeof getArtifactTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ArtifactContent>> {
    const send = streamedCallOf(context)?.send;
    const call = callOf(context);
    return send ? this.service.sendWhole(call, input.sha256, send) : this.service.get(call, input);
  }
}
