import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { type Reply, wholeReply } from '../../../core/reply.js';
import { callOf } from '../../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../../mcp/define-tool.js';
import { streamedCallOf } from '../../../mcp/pipeline/streamed-calls.js';
import {
  MAX_UPLOAD_BYTES,
  type StoredArtifactOutput,
  storedArtifactOutput,
  uploadArtifactInput,
} from '../artifacts/artifact.schemas.js';
import { ArtifactService } from '../artifacts/artifact.service.js';
import { artifactLine, artifactRefs } from './substrate-texts.js';

export const uploadArtifactTool = defineTool({
  name: 'substrate.artifact.upload',
  title: 'Store a document',
  description:
    'Use when you want to store the bytes of a document; equal bytes are stored once. ' +
    'Do not use when the document is stored already: pass its sha256 on. ' +
    'Returns at most the sha256, size and media type. ' +
    'If you need more, call substrate.manifest.create to give artifacts paths. ' +
    `Defaults: text/plain for text. Max: ${MAX_UPLOAD_BYTES} bytes.`,
  input: uploadArtifactInput,
  output: storedArtifactOutput,
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  safety: 'write',
  isAdditive: true,
  isRepeatable: true,
  mounts: ['work'],
  budget: { bytes: 4_096, tokens: 2_000 },
  rendering: { refs: artifactRefs, full: artifactLine, summary: artifactLine },
});

@McpController()
export class UploadArtifactTool {
  constructor(private readonly service: ArtifactService) {}

  @McpTool(uploadArtifactTool)
  async upload(
    @Payload() input: ToolInput<typeof uploadArtifactTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<StoredArtifactOutput>> {
    const streamed = streamedCallOf(context);
    if (!streamed?.sent) return this.service.upload(callOf(context), input);
    const stored = await this.service.uploadSent(callOf(context), input, streamed.sent);
    streamed.output = stored;
    return wholeReply(stored);
  }
}
