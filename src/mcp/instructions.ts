import { type CorpusFacts, MAX_INSTRUCTIONS } from '../core/corpus-facts.js';
import { adaptAdvice, canCallTools, type Reader } from './surface/adapt-text.js';
import type { Surface } from './surface/surface.js';

const PURPOSE = 'Pith answers questions from its indexed documents, with verbatim quotes and citations.';

/** Advice on the first call; the first entry whose tools the reader can call is used. */
const FIRST_STEPS = [
  'Call kb.retrieve_evidence with the question and a few keywords of your own; it is enough for most questions. ' +
    'If it says that an answer is unlikely, say that the documents do not contain it.',
  'Call search_docs to find sections and get_doc to read them.',
  'Call search_sections to find sections and get_section_text to read them.',
];

/** The server's instructions for a client's model: Pith's own text, then the text of the corpus. */
export function instructionsFor(corpus: CorpusFacts | null, surface: Surface, reader: Reader): string {
  const first = FIRST_STEPS.find((step) => canCallTools(step, surface, reader)) ?? '';
  const own = adaptAdvice(`${PURPOSE} ${first}`.trim(), surface, reader);
  const more = adaptAdvice(corpus?.instructions?.trim().slice(0, MAX_INSTRUCTIONS) ?? '', surface, reader);
  return more === '' ? own : `${own}\n\n${more}`;
}
