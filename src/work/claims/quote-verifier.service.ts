import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { NO_FILTER, SectionIndex, type StoredSection } from '../../core/ports/section-index.port.js';
import { scopeAllows } from '../../core/scope.js';
import type { Section } from '../../core/section.js';
import { decodePath, encodedId } from '../../core/section-id.js';
import { planQuery } from '../../kb/search/plan-query.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { commonEnds } from '../../text/quotes/common-ends.js';
import { findQuote, findReadQuote } from '../../text/quotes/find-quote.js';
import { type Span, wholeOffset } from '../../text/span.js';
import { unpackUnits } from '../../text/units.js';
import type { QuoteStanding } from './claims.schemas.js';

/** Characters of scripts without spaces between words, and words. */
const TOKEN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
/** Longest text that is shown for a quote (UTF-16 units). */
const MAX_CLOSEST = 1_500;

/** The part of a text that is most like a quote. */
interface ClosestText extends Span {
  /** Share of the words of the quote that it has, 0 to 1. */
  readonly likeness: number;
}

const tokensOf = (text: string): (Span & { word: string })[] =>
  Array.from(text.matchAll(TOKEN), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    word: word.toLowerCase(),
  }));

/** Widens a span to the sentences, rows or lines of code that it touches, unless they are very long. */
function toUnits(structure: string, { start, end }: Span): Span {
  const touched = unpackUnits(structure).filter((unit) => unit.start < end && unit.end > start);
  const from = Math.min(start, ...touched.map((unit) => unit.start));
  const to = Math.max(end, ...touched.map((unit) => unit.end));
  return to - from <= MAX_CLOSEST ? { start: from, end: to } : { start, end };
}

/**
 * Finds the part of a text that shares most words with a quote: the best of all windows with as many words as the quote,
 * the first one of equal ones, widened to whole sentences.
 * @returns null if they share no word
 */
export function closestText(
  { text, structure }: Pick<Section, 'text' | 'structure'>,
  quote: string,
): ClosestText | null {
  const wanted = new Map<string, number>();
  const asked = tokensOf(quote);
  for (const { word } of asked) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  const tokens = tokensOf(text);
  let [shared, most, best] = [0, 0, 0];
  tokens.forEach(({ word }, i) => {
    const missing = wanted.get(word);
    if (missing !== undefined) {
      wanted.set(word, missing - 1);
      if (missing > 0) shared++;
    }
    const left = tokens[i - asked.length];
    const freed = left && wanted.get(left.word);
    if (left && freed !== undefined) {
      wanted.set(left.word, freed + 1);
      if (freed >= 0) shared--;
    }
    if (shared > most) [most, best] = [shared, i];
  });
  const window = tokens.slice(Math.max(0, best - asked.length + 1), best + 1);
  const isAsked = ({ word }: { word: string }): boolean => wanted.has(word);
  const [first, last] = [window.find(isAsked), window.findLast(isAsked)];
  if (most === 0 || !first || !last) return null;
  return { ...toUnits(structure, { start: first.start, end: last.end }), likeness: most / asked.length };
}

/** Unchanged characters that are shown before and after a difference. */
const CONTEXT = 60;
/** Longest part that is shown of either text (UTF-16 units). */
const MAX_SHOWN = 400;

/** Both versions of a text, each around the difference. */
interface TextChange {
  readonly old_text: string;
  readonly new_text: string;
  readonly only_white_space: boolean;
}

const words = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** The part of a text around a difference, with `…` where something is left out. */
function around(text: string, from: number, to: number): string {
  const start = wholeOffset(text, Math.max(0, from - CONTEXT));
  const end = wholeOffset(text, Math.min(text.length, Math.max(to + CONTEXT, start), start + MAX_SHOWN));
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Shows how a text differs from an older one; long texts in part, from shortly before the first difference. */
export function textChange(before: string, after: string): TextChange {
  const { start, end } = commonEnds(before, after);
  return {
    old_text: around(before, start, before.length - end),
    new_text: around(after, start, after.length - end),
    only_white_space: words(before) === words(after),
  };
}

/** Who asks: a call, or an operator. */
type Reader = Pick<Call, 'scope' | 'signal' | 'trace'>;

/** A quote that somebody holds, with the place that it was taken from. */
export interface HeldQuote {
  readonly text: string;
  /** Null if only the document is known. */
  readonly sectionId: string | null;
  /** Of the document, not encoded. */
  readonly path: string;
  /** Offset in the section; null if it may be anywhere. */
  readonly start: number | null;
}

/** A text that may have replaced a quote. */
interface Replacement {
  readonly stored: StoredSection;
  readonly span: Span;
  readonly likeness: number;
}

/** Sections in which a changed text is looked for, besides its own. */
const MAX_CANDIDATES = 5;
/** Share of the words of a quote that a text must have to be a changed version of it. */
const MIN_LIKENESS = 0.5;

/** Says where quotes are now. */
@Injectable()
export class QuoteVerifierService {
  constructor(private readonly index: SectionIndex) {}

  /**
   * The visible sections with these ids, by id as written. A path gives the first section of its document.
   * @throws BackendUnavailableError
   */
  async sectionsOf(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, StoredSection>> {
    const { sections } = await this.index.sections(reader.scope, ids);
    const visible = sections.filter(({ document }) => scopeAllows(reader.scope, document));
    const byId = new Map(visible.map((stored) => [stored.section.id, stored]));
    const byPath = new Map(visible.map((stored) => [stored.document.path, stored]));
    return new Map(
      ids.flatMap((id): [string, StoredSection][] => {
        const stored =
          byId.get(id) ?? byId.get(encodedId(id)) ?? byPath.get(id) ?? byPath.get(decodePath(id));
        return stored ? [[id, stored]] : [];
      }),
    );
  }

  /** @returns in the order of the quotes */
  async verify(reader: Reader, quotes: readonly HeldQuote[]): Promise<QuoteStanding[]> {
    const ids = [...new Set(quotes.flatMap(({ sectionId }) => sectionId ?? []))];
    const sections = ids.length > 0 ? await this.sectionsOf(reader, ids) : new Map<string, StoredSection>();
    const standings: QuoteStanding[] = [];
    for (const quote of quotes) {
      reader.signal.throwIfAborted();
      const own = quote.sectionId === null ? undefined : sections.get(quote.sectionId);
      standings.push(standingIn(reader, quote, own) ?? (await this.elsewhere(reader, quote, own)));
    }
    return standings;
  }

  /** For a quote that its own section no longer contains. */
  private async elsewhere(
    reader: Reader,
    quote: HeldQuote,
    own: StoredSection | undefined,
  ): Promise<QuoteStanding> {
    const { found, isComplete } = await this.index.quoting(reader.scope, quote);
    const quoting = found && scopeAllows(reader.scope, found.document) ? found : null;
    const [span] = quoting ? findQuote(quoting.section.text, quote.text) : [];
    if (quoting && span) {
      const isThere = quote.sectionId === null && quoting.document.path === quote.path;
      return { state: isThere ? 'holds' : 'moved', place: placeOf(reader, quoting, span) };
    }
    const replacement =
      (own && readIn(own, quote.text)) ??
      (quoting && readIn(quoting, quote.text)) ??
      (await this.replacementOf(reader, quote, own));
    if (!replacement) return { state: isComplete ? 'gone' : 'unknown' };
    const { stored, span: now } = replacement;
    return {
      state: 'changed',
      place: placeOf(reader, stored, now),
      change: textChange(quote.text, stored.section.text.slice(now.start, now.end)),
    };
  }

  /** The text that is most like a quote: in its own section if it is there, else in those that share most words. */
  private async replacementOf(
    reader: Reader,
    { text }: HeldQuote,
    own: StoredSection | undefined,
  ): Promise<Replacement | null> {
    const inOwn = own ? replacementIn(own, text) : null;
    if (inOwn) return inOwn;
    const { asked } = planQuery({ text, keywords: [], parts: [], rewrite: false }).parts[0];
    const { candidates } = await this.index.search({
      ...{ text, asked, rankedBy: 'lexical', scope: reader.scope, filter: NO_FILTER },
      ...{ limit: MAX_CANDIDATES, perDocument: MAX_CANDIDATES },
    });
    const found = candidates
      .filter(({ document }) => scopeAllows(reader.scope, document))
      .flatMap((candidate) => replacementIn(candidate, text) ?? []);
    // Of equal ones, the first of the ranking.
    return found.reduce<Replacement | null>(
      (best, each) => (best && best.likeness >= each.likeness ? best : each),
      null,
    );
  }
}

/** Looks for a quote in its own section; null if it is not there. */
function standingIn(reader: Reader, quote: HeldQuote, own: StoredSection | undefined): QuoteStanding | null {
  if (!own) return null;
  const { sectionId, start } = quote;
  const places = findQuote(own.section.text, quote.text);
  const from = start ?? 0;
  const [nearest] = places.sort((a, b) => Math.abs(a.start - from) - Math.abs(b.start - from));
  if (!nearest) return null;
  // A document that had one section has its path as its id, and later perhaps several sections.
  const isSame = sectionId !== null && [sectionId, encodedId(sectionId)].includes(own.section.id);
  const holds = isSame && (start === null || nearest.start === start);
  return { state: holds ? 'holds' : 'moved', place: placeOf(reader, own, nearest) };
}

/** The text of a section that differs from a quote only in white space, or goes on within a word at its ends. */
function readIn(stored: StoredSection, quote: string): Replacement | null {
  const [span] = findReadQuote(stored.section.text, quote);
  return span ? { stored, span, likeness: 1 } : null;
}

/** The text of a section that may have replaced a quote; null if none is like it. */
function replacementIn(stored: StoredSection, quote: string): Replacement | null {
  const closest = closestText(stored.section, quote);
  return closest && closest.likeness >= MIN_LIKENESS
    ? { stored, span: closest, likeness: closest.likeness }
    : null;
}

function placeOf(
  reader: Reader,
  { section, document }: StoredSection,
  { start, end }: Span,
): NonNullable<QuoteStanding['place']> {
  noteOrigin(reader, document, [section.id]);
  return { section_id: section.id, start_char: start, end_char: end, path: document.path };
}
