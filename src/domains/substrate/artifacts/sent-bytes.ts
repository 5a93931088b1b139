import { InvalidArgumentError } from '../../../core/errors.js';
import { artifactTooLarge } from '../../../core/work/substrate-failures.js';
import { MAX_UPLOAD_BYTES, type UploadArtifactInput } from './artifact.schemas.js';

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
