import type { KnownTerm, NearbyTerms } from '../../kb/search/nearest-term.js';
import { rowsByKey } from '../../sqlite/group-rows.js';

/** Packs terms and their section counts, one per line; terms contain only letters and digits. */
export function packVocabulary(terms: Iterable<readonly [string, number]>): Buffer {
  const lines: string[] = [];
  for (const [term, sections] of terms) lines.push(`${term}\t${sections}`);
  return Buffer.from(lines.join('\n'));
}

const KEY_LETTERS = 2;

/** The terms of an index, each with the number of sections that contain it. */
export class Vocabulary {
  private readonly sections = new Map<string, number>();
  /** Terms by their first two letters; built for the first unknown word. */
  private byStart: Map<string, string[]> | null = null;

  constructor(packed: Buffer) {
    for (const line of packed.toString().split('\n')) {
      const [term = '', sections = ''] = line.split('\t');
      if (term !== '') this.sections.set(term, Number(sections));
    }
  }

  /** Number of sections that contain a term. */
  sectionsWith(term: string): number {
    return this.sections.get(term) ?? 0;
  }

  /** Terms with a given start, of two letters or more, and length. */
  near({ start, shortest, longest }: NearbyTerms): KnownTerm[] {
    this.byStart ??= rowsByKey(this.sections.keys(), (term) => term.slice(0, KEY_LETTERS));
    const known = this.byStart.get(start.slice(0, KEY_LETTERS)) ?? [];
    return known
      .filter((term) => term.startsWith(start) && term.length >= shortest && term.length <= longest)
      .map((term) => ({ term, sections: this.sectionsWith(term) }));
  }
}
