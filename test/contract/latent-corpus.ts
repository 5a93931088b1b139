import type { IndexedDocument } from '../../src/core/indexed-document.js';
import { anIndexedDocument } from '../support/indexed-documents.js';

const COMPANY = 'cargo diesel axle trailer freight highway depot clutch tarpaulin driver';
const SECTIONS = 4;
/** Each subject is in two sections of 58 documents: more subjects than dimensions, so not all words can be told apart. */
const SUBJECTS = 115;

/** Five words of a subject that no other subject has. */
function wordsOn(subject: number): string {
  const first = String.fromCharCode(97 + Math.floor(subject / 26)) + String.fromCharCode(97 + (subject % 26));
  return ['orb', 'ust', 'ild', 'amp', 'onk'].map((end) => `${first}${end}`).join(' ');
}

/**
 * A document of four sections, mostly on four subjects. Half of the first document is about lorries, half of the second
 * about trucks. The two words never occur together, but co-occur with the same words.
 */
export function latentDocument(number: number): IndexedDocument {
  const vehicle = ['lorry', 'truck'][number];
  const texts = Array.from({ length: SECTIONS }, (_, i) =>
    vehicle && i < 2 ? `${vehicle} ${COMPANY} part${i + 1}` : wordsOn((number * SECTIONS + i) % SUBJECTS),
  );
  return anIndexedDocument({ path: `note-${number}.md`, title: `Number${number}`, texts });
}

export function latentCorpus(documents: number): IndexedDocument[] {
  return Array.from({ length: documents }, (_, number) => latentDocument(number));
}

/** Two documents that differ in one word: one is about another subject, the other about lorries. */
export const WARRANTIES: readonly IndexedDocument[] = [
  anIndexedDocument({ path: 'a-other.md', texts: [`The warranty of an ${wordsOn(3).split(' ')[0]}.`] }),
  anIndexedDocument({ path: 'z-lorry.md', texts: ['The warranty of a lorry.'] }),
];
