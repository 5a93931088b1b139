import type { MemoryQuery } from '../../core/ports/memory-store.port.js';
import { readEnd, readInstant } from '../../memory/rows/read-instant.js';
import { bytesOrNull, type Row } from '../driver.js';
import { indexWords, type WordPostings } from '../index/word-postings.js';

/** Columns of some rows of one table for filtering and comparing, in the order of their ids. */
export interface MemoryColumns {
  readonly count: number;
  readonly rows: Float64Array;
  /** Milliseconds since 1970. */
  readonly createdAt: Float64Array;
  readonly isPrivate: Uint8Array;
  /** 1 if the row has a vector in the space of the question, so that both can be compared. */
  readonly isComparable: Uint8Array;
  /** Row i has the tag numbers in `tags` from `tagStart[i]` up to, but not including, `tagStart[i + 1]`. */
  readonly tagStart: Uint32Array;
  readonly tags: Uint32Array;
  readonly words: WordPostings;
  /** Reciprocal length of each word vector; computed after all rows are counted. */
  readonly inverseLength: Float32Array;
  /** Packed latent vectors in sequence, zeros for rows without one; empty if no row has one. */
  readonly latent: Uint8Array;
}

/** Assigns a number to each tag, so that rows are filtered by numbers. */
export class TagNumbers {
  private readonly numbers = new Map<string, number>();

  numberOf(tag: string): number {
    const known = this.numbers.get(tag) ?? this.numbers.size;
    this.numbers.set(tag, known);
    return known;
  }

  /** The numbers of the given tags. Tags that no row has are left out. */
  known(tags: readonly string[]): ReadonlySet<number> {
    return new Set(tags.flatMap((tag) => this.numbers.get(tag) ?? []));
  }
}

/** Parses a column with a list of texts. */
export function stringsOf(json: unknown): string[] {
  const list: unknown = JSON.parse(String(json));
  return Array.isArray(list) ? list.map(String) : [];
}

/** Start offsets of concatenated lists, and the end of the last one. */
function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => (starts[i + 1] = (starts[i] ?? 0) + length));
  return starts;
}

/** Concatenates vectors of one length. */
function joined(vectors: readonly (Uint8Array | null)[]): Uint8Array {
  const width = vectors.find((vector) => vector !== null)?.length ?? 0;
  const all = new Uint8Array(width * vectors.length);
  vectors.forEach((vector, i) => {
    if (vector?.length === width) all.set(vector, i * width);
  });
  return all;
}

/** Builds columns from rows. */
export function toColumns(records: readonly Row[], numbers: TagNumbers): MemoryColumns {
  const tags = records.map((record) => stringsOf(record['tags']).map((tag) => numbers.numberOf(tag)));
  return {
    count: records.length,
    rows: Float64Array.from(records, (record) => Number(record['row'])),
    createdAt: Float64Array.from(records, (record) => readInstant(String(record['created_at'])) ?? 0),
    isPrivate: Uint8Array.from(records, (record) => Number(record['is_private'])),
    isComparable: Uint8Array.from(records, (record) => Number(record['is_comparable'])),
    tagStart: startsOf(tags.map(({ length }) => length)),
    tags: Uint32Array.from(tags.flat()),
    words: indexWords(records.map((record) => bytesOrNull(record['words']))),
    inverseLength: new Float32Array(records.length),
    latent: joined(records.map((record) => bytesOrNull(record['vector']))),
  };
}

function hasAny({ tagStart, tags }: MemoryColumns, row: number, wanted: ReadonlySet<number>): boolean {
  if (wanted.size === 0) return false;
  for (let i = tagStart[row] ?? 0; i < (tagStart[row + 1] ?? 0); i++) {
    if (wanted.has(tags[i] ?? -1)) return true;
  }
  return false;
}

/** Builds the filter of a question. @throws RangeError for an invalid date */
export function rowFilter(
  query: MemoryQuery,
  numbers: TagNumbers,
): (columns: MemoryColumns, row: number) => boolean {
  const included = query.includeTags && numbers.known(query.includeTags);
  const excluded = numbers.known(query.excludeTags);
  const own = query.ownTag === null ? null : numbers.known([query.ownTag]);
  const from = query.createdFrom === null ? -Infinity : instantOf(query.createdFrom, readInstant);
  const to = query.createdTo === null ? Infinity : instantOf(query.createdTo, readEnd);
  return (columns, row) => {
    if (columns.isPrivate[row] !== 0 && !query.includePrivate) return false;
    const at = columns.createdAt[row] ?? 0;
    if (at < from || at > to) return false;
    if (own && !hasAny(columns, row, own)) return false;
    if (included && !hasAny(columns, row, included)) return false;
    return !hasAny(columns, row, excluded);
  };
}

function instantOf(text: string, read: (text: string) => number | null): number {
  const at = read(text);
  if (at === null) throw new RangeError(`${JSON.stringify(text)} is not an ISO-8601 date or time`);
  return at;
}
