import { nearbyTerms } from '../../kb/search/nearest-term.js';
import type { KnownTerm } from '../../kb/search/nearest-term.js';

/** One term a line; terms hold letters and digits only. */
export function packVocabulary(terms: Iterable<readonly [string, number]>): Buffer {
  const lines: string[] = [];
  for (const [term, sections] of terms) lines.push(`${term}\t${sections}`);
  return Buffer.from(lines.join('\n'));
}

function groupByStart(terms: Iterable<string>, length: number): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const term of terms) {
    const start = term.slice(0, length);
    const group = groups.get(start);
    if (group) group.push(term);
    else groups.set(start, [term]);
  }
  return groups;
}

/** The terms of an index and in how many sections each occurs. */
export class Vocabulary {
  private readonly sections = new Map<string, number>();
  /** Terms by how they start. */
  private byStart: Map<string, string[]> | null = null;

  constructor(packed: Buffer) {
    for (const line of packed.toString().split('\n')) {
      const [term = '', sections = ''] = line.split('\t');
      if (term !== '') this.sections.set(term, Number(sections));
    }
  }

  /** In how many sections a term occurs. */
  sectionsWith(term: string): number {
    return this.sections.get(term) ?? 0;
  }

  /** Terms that a misspelt one may have been meant to be, before anything is compared. */
  near(term: string): KnownTerm[] {
    const { start, shortest, longest } = nearbyTerms(term);
    this.byStart ??= groupByStart(this.sections.keys(), start.length);
    const known = this.byStart.get(start) ?? [];
    return known
      .filter(({ length }) => length >= shortest && length <= longest)
      .map((near) => ({ term: near, sections: this.sectionsWith(near) }));
  }
}
