import { extensionOf, isTextDocument } from '../reading/readers.js';
import { CONVERTED } from './converted-text.js';

/** True for a file of a format that is converted to text first, by its extension in any case. */
export function isConverted(path: string): boolean {
  const extension = extensionOf(path);
  return CONVERTED.some((converted) => converted === extension);
}

/** True for a file that can be indexed. */
export function isDocument(path: string): boolean {
  return isTextDocument(path) || isConverted(path);
}
