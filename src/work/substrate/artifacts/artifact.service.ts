import { Injectable } from '@nestjs/common';
import { SubstrateConfig } from '../../../config/settings/substrate.config.js';
import type { Call } from '../../../core/call.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import { listReply, type Reply, wholeReply } from '../../../core/reply.js';
import type { SendContent, SentContent } from '../../../mcp/calls.js';
import { wholeOffset } from '../../../text/span.js';
import { spaceOf, type WorkSpace } from '../../work-space.js';
import { artifactTooLarge, unknownArtifact } from '../substrate-failures.js';
import type { NewArtifact, StoredArtifact } from './artifact.js';
import {
  type ArtifactContent,
  type ArtifactInfo,
  type GetArtifactInput,
  MAX_UPLOAD_BYTES,
  type StoredArtifactOutput,
  type UploadArtifactInput,
} from './artifact.schemas.js';
import { ArtifactStore } from './artifact-store.js';

/** Part of an artifact, in the form in which it is shown. */
interface ShownContent {
  readonly content: string;
  /** The bytes that the content stands for. */
  readonly bytes: number;
}

/** Length of the longest beginning of UTF-8 that ends with a whole character. */
function wholeUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidArgumentError('These bytes are not UTF-8 text.', {
      reason: 'not_text',
      hint: 'Set format to base64. If the artifact is text, use an offset that a reply gave as next_offset.',
      cause,
    });
  }
}

/**
 * Bytes as text or base64.
 * @param isLast  true if the bytes end the artifact; others may end within a character, which is left out
 * @throws InvalidArgumentError `not_text`
 */
export function contentOf(bytes: Uint8Array, format: 'text' | 'base64', isLast: boolean): string {
  if (format === 'base64') return Buffer.from(bytes).toString('base64');
  return decoded(isLast ? bytes : bytes.subarray(0, wholeUtf8(bytes)));
}

/** The beginning of a content. @param maxChars  most characters of it */
export function clippedContent(content: string, format: 'text' | 'base64', maxChars: number): ShownContent {
  if (format === 'text') {
    const text = content.slice(0, wholeOffset(content, maxChars));
    return { content: text, bytes: Buffer.byteLength(text) };
  }
  // Four characters stand for three bytes; fewer than four can't be decoded.
  const base64 = content.slice(0, content.length <= maxChars ? content.length : Math.floor(maxChars / 4) * 4);
  return { content: base64, bytes: Buffer.byteLength(base64, 'base64') };
}

function invalidContent(reason: string, message: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint });
}

function bytesOfText(text: string): Buffer {
  // UTF-8 has no form for half a character: the bytes would be others than those of the sender.
  if (text.isWellFormed()) return Buffer.from(text);
  throw invalidContent('text_not_unicode', 'The text is not valid Unicode.', 'Send the bytes as base64.');
}

function bytesOfBase64(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  // The decoder skips what it does not know.
  if (bytes.toString('base64') === base64) return bytes;
  throw invalidContent(
    'base64_invalid',
    'The base64 is not valid.',
    'Send standard base64 (RFC 4648, section 4) with padding and without line breaks.',
  );
}

/**
 * The bytes that a call sends.
 * @throws InvalidArgumentError `content_missing` unless there is exactly one content; `text_not_unicode`,
 *   `base64_invalid`, `artifact_too_large`
 */
export function sentBytes({ text, base64 }: Pick<UploadArtifactInput, 'text' | 'base64'>): Buffer {
  if ((text === undefined) === (base64 === undefined)) {
    const hint = 'Send the content as text, or as base64 if it is not text.';
    throw invalidContent('content_missing', 'Exactly one of text and base64 is needed.', hint);
  }
  const bytes = text === undefined ? bytesOfBase64(base64 ?? '') : bytesOfText(text);
  if (bytes.length > MAX_UPLOAD_BYTES) throw artifactTooLarge(MAX_UPLOAD_BYTES);
  return bytes;
}

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
