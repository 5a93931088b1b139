import { MAX_INSTRUCTIONS } from '../core/corpus-facts.js';
import type { CorpusFacts } from '../core/corpus-facts.js';
import type { Surface } from './surface/surface.js';
import { canFollow, tellTools } from './surface/tell-tools.js';
import type { Reader } from './surface/tell-tools.js';

const PURPOSE = 'Pith answers questions from its indexed documents, with verbatim quotes and citations.';

/** What to call first; the first of these counts whose tools the reader can call. */
const FIRST_STEPS = [
  'Call kb.retrieve_evidence with the question and a few keywords of your own; it is enough for most questions. ' +
    'If it says that an answer is unlikely, say that the documents do not contain it.',
  'Call search_docs to find sections and get_doc to read them.',
  'Call search_sections to find sections and get_section_text to read them.',
];

/** What a client's model reads about the server: our own words, then those of the corpus. */
export function instructionsFor(corpus: CorpusFacts | null, surface: Surface, reader: Reader): string {
  const first = FIRST_STEPS.find((step) => canFollow(step, surface, reader)) ?? '';
  const own = tellTools(`${PURPOSE} ${first}`.trim(), surface, reader);
  const more = tellTools(corpus?.instructions?.trim().slice(0, MAX_INSTRUCTIONS) ?? '', surface, reader);
  return more === '' ? own : `${own}\n\n${more}`;
}
