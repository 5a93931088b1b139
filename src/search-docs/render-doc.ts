import { block } from './delimited-text.js';
import type { GetDocOutput } from './get-doc.service.js';

const LIMITED =
  '(This reply is truncated: the farthest chunks were omitted first, then the end of the text. ' +
  'Fetch missing chunks by their own ID.)';

/** Every section behind its delimiter, in reading order; where something had to go, a last line says so. */
export function docText({ chunks, partial }: GetDocOutput): string {
  return [...chunks.map(block), ...(partial ? [LIMITED] : [])].join('\n\n');
}
