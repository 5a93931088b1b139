import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { type Reply, wholeReply } from '../../../core/reply.js';
import { callOf, streamedCallIn } from '../../../mcp/calls.js';
import { defineTool, McpTool, type ToolInput } from '../../../mcp/define-tool.js';
import { answeredTool } from '../../../mcp/tool-controller.js';
import { NO_FENCE, type TextFence } from '../../../text/untrusted-text.js';
import { artifactLine, artifactRefs, SUBSTRATE } from '../substrate-texts.js';
import {
  type ArtifactContent,
  artifactContentOutput,
  type ArtifactInfo,
  artifactInfoOutput,
  artifactInput,
  DEFAULT_CONTENT_BYTES,
  getArtifactInput,
  MAX_CONTENT_BYTES,
  MAX_UPLOAD_BYTES,
  type StoredArtifactOutput,
  storedArtifactOutput,
  uploadArtifactInput,
} from './artifact.schemas.js';
import { ArtifactService } from './artifact.service.js';

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
  ...SUBSTRATE,
  safety: 'write',
  isAdditive: true,
  isRepeatable: true,
  budget: { bytes: 4_096, tokens: 2_000 },
  rendering: { refs: artifactRefs, full: artifactLine, summary: artifactLine },
});

@McpController()
class UploadArtifactTool {
  constructor(private readonly service: ArtifactService) {}

  @McpTool(uploadArtifactTool)
  async upload(
    @Payload() input: ToolInput<typeof uploadArtifactTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<StoredArtifactOutput>> {
    const streamed = streamedCallIn(context);
    if (!streamed?.sent) return this.service.upload(callOf(context), input);
    const stored = await this.service.uploadSent(callOf(context), input, streamed.sent);
    streamed.output = stored;
    return wholeReply(stored);
  }
}

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
  ...SUBSTRATE,
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
class GetArtifactTool {
  constructor(private readonly service: ArtifactService) {}

  @McpTool(getArtifactTool)
  get(
    @Payload() input: ToolInput<typeof getArtifactTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ArtifactContent>> {
    const send = streamedCallIn(context)?.send;
    const call = callOf(context);
    return send ? this.service.sendWhole(call, input.sha256, send) : this.service.get(call, input);
  }
}

function infoText(artifact: ArtifactInfo): string {
  return `${artifactLine(artifact)} Stored by ${artifact.published_by}, ${artifact.published_at}.`;
}

/** The tools of artifacts, in the order of the tool list. */
export const ARTIFACT_TOOLS = [
  UploadArtifactTool,
  GetArtifactTool,
  answeredTool(ArtifactService, {
    name: 'substrate.artifact.info',
    title: 'About a stored document',
    description:
      'Use when you want to know if an artifact exists, its size, its media type, and who stored it when. ' +
      'Do not use when you look for a file by its path: call substrate.manifest.checkout. ' +
      'Returns at most one artifact. ' +
      'If you need more, call substrate.artifact.get for its content. ' +
      'Defaults: none. Max: one artifact.',
    input: artifactInput,
    output: artifactInfoOutput,
    ...SUBSTRATE,
    budget: { bytes: 4_096, tokens: 2_000 },
    rendering: { refs: artifactRefs, full: infoText, summary: artifactLine },
    answer: (service, call, { sha256 }) => service.info(call, sha256),
  }),
];
