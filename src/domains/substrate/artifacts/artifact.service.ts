import { Injectable } from '@nestjs/common';
import { SubstrateConfig } from '../../../config/settings/substrate.config.js';
import type { Call } from '../../../core/call.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import {
  ArtifactStore,
  type NewArtifact,
  type StoredArtifact,
} from '../../../core/ports/work/artifact-store.port.js';
import type { WorkSpace } from '../../../core/ports/work/work-space.js';
import { listReply, type Reply, wholeReply } from '../../../core/reply.js';
import { artifactTooLarge, unknownArtifact } from '../../../core/work/substrate-failures.js';
import type { SendContent, SentContent } from '../../../mcp/pipeline/streamed-calls.js';
import { spaceOf } from '../substrate-space.js';
import {
  type ArtifactContent,
  type ArtifactInfo,
  type GetArtifactInput,
  MAX_UPLOAD_BYTES,
  type StoredArtifactOutput,
  type UploadArtifactInput,
} from './artifact.schemas.js';
import { sentBytes } from './sent-bytes.js';
import { clippedContent, contentOf } from './shown-content.js';

const shapeOf = ({ sha256, sizeBytes, mediaType }: StoredArtifact): StoredArtifactOutput => ({
  sha256,
  size_bytes: sizeBytes,
  media_type: mediaType,
});

/** The facts about an artifact that the call gives. */
function artifactOf(call: Call, input: UploadArtifactInput): Omit<NewArtifact, 'maxBytes'> {
  return {
    space: spaceOf(call),
    expectedSha256: input.sha256 ?? null,
    mediaType: input.media_type ?? (input.text === undefined ? 'application/octet-stream' : 'text/plain'),
    publishedBy: call.caller.principal,
  };
}

/** The same parts. Their bytes count towards what the caller receives. */
async function* counted({ trace }: Call, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    trace.streamedBytes += part.length;
    yield part;
  }
}

/** Stores and shows artifacts. */
@Injectable()
export class ArtifactService {
  constructor(
    private readonly store: ArtifactStore,
    private readonly config: SubstrateConfig,
  ) {}

  async upload(call: Call, input: UploadArtifactInput): Promise<Reply<StoredArtifactOutput>> {
    const artifact = { ...artifactOf(call, input), maxBytes: MAX_UPLOAD_BYTES };
    return wholeReply(shapeOf(await this.store.save(artifact, [sentBytes(input)])));
  }

  /** Stores the body of an HTTP request while it arrives. @throws InvalidArgumentError `artifact_too_large` and others */
  async uploadSent(call: Call, input: UploadArtifactInput, sent: SentContent): Promise<StoredArtifactOutput> {
    const { artifactMaxBytes: maxBytes } = this.config;
    const artifact = { ...artifactOf(call, input), maxBytes };
    if ((sent.declaredBytes ?? 0) > maxBytes) throw artifactTooLarge(maxBytes);
    return shapeOf(await this.store.save(artifact, sent.read(call.signal)));
  }

  /** Sends all bytes in an HTTP reply. @returns the reply without them */
  async sendWhole(call: Call, sha256: string, send: SendContent): Promise<Reply<ArtifactContent>> {
    const space = spaceOf(call);
    const artifact = await this.find(space, sha256);
    await send(artifact, counted(call, this.store.read(space, sha256)), call.signal);
    const whole = { offset: 0, next_offset: null, partial: false, limit_reason: 'none' } as const;
    return wholeReply({ ...shapeOf(artifact), ...whole });
  }

  async info(call: Call, sha256: string): Promise<Reply<ArtifactInfo>> {
    const artifact = await this.find(spaceOf(call), sha256);
    return wholeReply({
      ...shapeOf(artifact),
      published_by: artifact.publishedBy,
      published_at: new Date(artifact.publishedAt).toISOString(),
    });
  }

  /** @throws InvalidArgumentError `artifact_not_found`, `offset_invalid`, `not_text` */
  async get(call: Call, input: GetArtifactInput): Promise<Reply<ArtifactContent>> {
    const space = spaceOf(call);
    const { format, offset } = input;
    const artifact = await this.find(space, input.sha256);
    const { sha256, sizeBytes } = artifact;
    if (offset > sizeBytes) throw offsetInvalid(sizeBytes);
    const end = Math.min(offset + input.max_bytes, sizeBytes);
    const bytes = await this.store.slice(space, sha256, { start: offset, end });
    const content = contentOf(bytes, format, end === sizeBytes);
    // Anybody who may upload has written it.
    call.trace.cautions.set(sha256, { untrusted: 'artifacts', changed: null });
    return listReply({ count: 1, maxChars: content.length, needsFirst: true }, ({ maxChars, reason }) => {
      const shown = clippedContent(content, format, maxChars);
      const next = offset + shown.bytes;
      const isPartial = next < sizeBytes;
      return {
        ...shapeOf(artifact),
        offset,
        ...(format === 'text' ? { text: shown.content } : { base64: shown.content }),
        next_offset: isPartial ? next : null,
        partial: isPartial,
        limit_reason: reason ?? (isPartial ? 'page_size' : 'none'),
      };
    });
  }

  private async find(space: WorkSpace, sha256: string): Promise<StoredArtifact> {
    const artifact = await this.store.find(space, sha256);
    if (!artifact) throw unknownArtifact(sha256);
    return artifact;
  }
}

function offsetInvalid(sizeBytes: number): InvalidArgumentError {
  return new InvalidArgumentError(`The artifact has ${sizeBytes} bytes.`, {
    reason: 'offset_invalid',
    hint: 'Use an offset of at most size_bytes.',
    details: { size_bytes: sizeBytes },
  });
}
