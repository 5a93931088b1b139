import { rowsByKey } from '../../core/collections/group-rows.js';
import type { KnownTerm, NearbyTerms } from '../../kb/search/nearest-term.js';

type Counted = readonly [term: string, sections: number];

/** Packs terms and their section counts, one per line; terms contain only letters and digits. */
export function packVocabulary(terms: Iterable<Counted>): Buffer {
  const lines: string[] = [];
  for (const [term, sections] of terms) lines.push(`${term}\t${sections}`);
  return Buffer.from(lines.join('\n'));
}

function unpackTerms(packed: Buffer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of packed.toString().split('\n')) {
    const [term = '', sections = ''] = line.split('\t');
    if (term !== '') counts.set(term, Number(sections));
  }
  return counts;
}

/** Packs the terms whose counts differ from an earlier vocabulary; 0 for those that are gone. */
export function packTermChanges(before: Buffer, now: Iterable<Counted>): Buffer {
  const gone = unpackTerms(before);
  const changed = function* (): Generator<Counted> {
    for (const [term, sections] of now) {
      const had = gone.get(term);
      gone.delete(term);
      if (had !== sections) yield [term, sections];
    }
    for (const term of gone.keys()) yield [term, 0];
  };
  return packVocabulary(changed());
}

const KEY_LETTERS = 2;

/** Terms with their counts. Parsing many takes seconds, so generations share them. */
export class Terms {
  readonly counts: ReadonlyMap<string, number>;
  /** Terms by their first two letters; built for the first unknown word. */
  private byStart: Map<string, string[]> | null = null;

  constructor(packed: Buffer) {
    this.counts = unpackTerms(packed);
  }

  near({ start, shortest, longest }: NearbyTerms): string[] {
    this.byStart ??= rowsByKey(this.counts.keys(), (term) => term.slice(0, KEY_LETTERS));
    const known = this.byStart.get(start.slice(0, KEY_LETTERS)) ?? [];
    return known.filter(
      (term) => term.startsWith(start) && term.length >= shortest && term.length <= longest,
    );
  }
}

/** The terms of an index, each with the number of sections that contain it. */
export class Vocabulary {
  private readonly changes: Terms;

  /** @param base  the terms of an earlier generation */
  constructor(
    readonly base: Terms,
    changes: Buffer = Buffer.alloc(0),
  ) {
    this.changes = new Terms(changes);
  }

  /** Number of sections that contain a term. */
  sectionsWith(term: string): number {
    return this.changes.counts.get(term) ?? this.base.counts.get(term) ?? 0;
  }

  /** Terms with a given start, of two letters or more, and length. */
  near(sought: NearbyTerms): KnownTerm[] {
    // Sorted as the index file sorts them.
    const terms = [...new Set([...this.base.near(sought), ...this.changes.near(sought)])].sort((a, b) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    return terms
      .map((term) => ({ term, sections: this.sectionsWith(term) }))
      .filter(({ sections }) => sections > 0);
  }
}
