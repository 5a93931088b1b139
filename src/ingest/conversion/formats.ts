import { readStart } from '../../config/given-path.js';
import { extensionOf, isTextDocument } from '../reading/readers.js';
import { CODE_EXTENSIONS, CONVERTED } from './converted-text.js';
import { mayBeRecognised, recognise } from './recognise.js';

/** True for a file of a format that is converted to text first, by its extension in any case. */
export function isConverted(path: string): boolean {
  const extension = extensionOf(path);
  return CONVERTED.some((converted) => converted === extension);
}

/** True for a file of code whose documentation can be read. */
export const isCode = (path: string): boolean =>
  CODE_EXTENSIONS.some((extension) => extension === extensionOf(path));

/** True for a file that can be indexed, by its extension. */
export function isDocument(path: string): boolean {
  return isTextDocument(path) || isConverted(path);
}

/** True for a file that can be indexed, or that can if it has the content of a known format. */
export function mayBeDocument(path: string): boolean {
  return isDocument(path) || mayBeRecognised(path);
}

/** The format from which a file is converted: its extension, or what its content tells; null for a file that needs no conversion. */
export function formatToConvert(path: string, bytes: Uint8Array): string | null {
  return isConverted(path) ? extensionOf(path) : recognise(path, (count) => bytes.subarray(0, count));
}

/**
 * True for a file that can be indexed because of its content. Only its start is read.
 * @param ifUnreadable  the answer for a file that can't be read
 */
export function isRecognised(path: string, absolute: string, ifUnreadable: boolean): boolean {
  if (!mayBeRecognised(path)) return false;
  try {
    return recognise(path, (count) => readStart(absolute, count)) !== null;
  } catch {
    return ifUnreadable;
  }
}
