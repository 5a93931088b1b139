import { block } from './delimited-text.js';
import type { GetDocOutput } from './get-doc.service.js';

const LIMITED =
  '(Not everything fitted into this reply: the farthest chunks were left out, then the end of the text. ' +
  'Fetch what is missing by its own ID.)';

/** Every section behind its delimiter, in reading order; where something had to go, a last line says so. */
export function docText({ chunks, partial }: GetDocOutput): string {
  return [...chunks.map(block), ...(partial ? [LIMITED] : [])].join('\n\n');
}
