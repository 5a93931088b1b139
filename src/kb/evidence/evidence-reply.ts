import type { Call } from '../../core/call.js';
import type { Ranking } from '../../core/ranking.js';
import { type Fit, listReply, type Reply } from '../../core/reply.js';
import { pagePath } from '../../core/section-id.js';
import type { NamedPassage } from '../../scratch/passages.service.js';
import { quotedLine } from '../../text/plain-line.js';
import { clipText } from '../../text/span.js';
import { sectionTitle } from '../../text/untrusted-text.js';
import type {
  Answerable,
  CitedSource,
  EvidenceOutput,
  ExtractedEvidence,
  Quote,
  RetrievedEvidence,
} from '../evidence.schemas.js';
import { diagnosticOf } from '../kb.schemas.js';
import { joinHints, leftOutText, nearestHint } from '../rewrite-hint.js';
import { answerableFrom } from './answerable.js';
import type { ChosenQuote } from './choose-by-overlap.js';
import type { EvidenceChoice } from './choose-evidence.js';

/** Where a quote is. */
export interface QuotePlace {
  readonly sectionId: string;
  readonly start: number;
}

function byKey<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/**
 * Groups quotes by section. Sections of one page are next to each other.
 * @param quotes  best first
 * @returns pages, and the sections of a page, in the order of their best quotes; the quotes of a section in the order
 * of its text
 */
export function groupBySource<T>(quotes: readonly T[], placeOf: (quote: T) => QuotePlace): T[][] {
  const sectionOf = (quote: T): string => placeOf(quote).sectionId;
  return byKey(quotes, (quote) => pagePath(sectionOf(quote))).flatMap((page) =>
    byKey(page, sectionOf).map((group) => group.toSorted((a, b) => placeOf(a).start - placeOf(b).start)),
  );
}

export interface CitedQuote extends ChosenQuote {
  readonly source: NamedPassage;
}

const NOTHING_MORE = 'Nothing more: this session was already shown all the evidence that was found.';

/** Headings of the documents as examples of keywords. */
function examples(headings: readonly string[]): string {
  if (headings.length === 0) return '';
  const quoted = headings.map(quotedLine);
  const last = quoted.pop();
  return quoted.length === 0 ? ` (${last} if it fits)` : ` (${quoted.join(', ')} or ${last} if one fits)`;
}

/** Advice for the next step. Asks for keywords only if none were sent. */
function hintFor(
  answerable: Exclude<Answerable, 'likely'>,
  { hasKeywords, near, missing, rankings }: Retrieval,
): string {
  const absent = (tryFirst: string): string =>
    hasKeywords
      ? 'Say that the documents do not contain it.'
      : `${tryFirst}; otherwise say that the documents do not contain it.`;
  if (missing.length > 0 && missing.length < rankings.length) {
    return `No evidence for ${missing.map(quotedLine).join(', ')}. ${absent('Try keywords for it once')}`;
  }
  if (answerable === 'unlikely') {
    return `These documents probably do not answer this. ${absent('Try keywords in other words once')}`;
  }
  return hasKeywords
    ? 'Uncertain. Check the quotes, or read on with kb.read_excerpt. If they do not say it, say so.'
    : `Uncertain. Try keywords${examples(near)}. If no quote says it, say so.`;
}

const MORE = 'Ask again with skip_seen for the rest.';

/** The next step, and the quotes that a limit left out. */
function hintOf(answerable: Answerable, retrieval: Retrieval): { readonly hint?: string } {
  const { isExhausted, isDebug, leftOut, rankings, unknown } = retrieval;
  const advice = unknown || (answerable === 'likely' ? '' : hintFor(answerable, retrieval));
  const lost = (leftOut?.parts ?? []).map((part) => rankings[part]?.part.question ?? '');
  const what = [...(leftOut?.what ?? []), ...lost.map((part) => `all quotes for ${quotedLine(part)}`)];
  const all = leftOut && isDebug ? [...what, 'debug'] : what;
  const hint = joinHints(
    isExhausted ? NOTHING_MORE : advice,
    nearestHint(rankings),
    leftOutText(all, what.length > 0 ? MORE : ''),
  );
  return hint === null ? {} : { hint };
}

function toQuote({ quote, confidence, start, source }: CitedQuote, maxChars: number): Quote {
  return {
    // A clipped quote is still a verbatim slice, so it gets no mark.
    quote: quote.length <= maxChars ? quote : clipText(quote, maxChars).slice(0, -1),
    passage_id: source.id,
    section_id: source.passage.sectionId,
    confidence,
    start_char: start,
  };
}

function toSource({ passage, url }: NamedPassage): CitedSource {
  const { sectionId, title, docTag } = passage;
  return { section_id: sectionId, title, doc_tag: docTag, ...(url ? { url } : {}) };
}

function buildEvidence(kept: readonly CitedQuote[], fit: Fit): EvidenceOutput {
  const { uri = '', id = '' } = kept[0]?.source ?? {};
  return {
    quotes: kept.map((quote) => toQuote(quote, fit.maxChars)),
    sources: [...new Set(kept.map(({ source }) => source))].map(toSource),
    // The URIs of the passages of a session differ in their ids.
    ...(uri === '' ? {} : { passage_uri: `${uri.slice(0, -id.length)}{passage_id}` }),
    partial: fit.reason !== null,
    limit_reason: fit.reason ?? 'none',
  };
}

/** Quotes with their passages, which can be chosen again for a smaller reply. */
export interface CitedEvidence extends Pick<EvidenceChoice, 'count' | 'needsFirst'> {
  readonly whole: readonly CitedQuote[];
  /** In the order of reading. */
  readonly choose: (fit: Fit) => readonly CitedQuote[];
}

const charsOf = (quotes: readonly CitedQuote[]): number =>
  quotes.reduce((sum, { start, end }) => sum + end - start, 0);
const countSections = (quotes: readonly CitedQuote[]): number =>
  new Set(quotes.map(({ source }) => source)).size;

/** Quotes that a limit on the size of a reply left out. */
export interface LeftOut {
  /** In words, such as `2 of 5 sections`. */
  readonly what: readonly string[];
  /** Positions of the parts of the question whose quotes were all left out. */
  readonly parts: readonly number[];
}

/** Describes the quotes that a smaller reply leaves out. */
function leftOutOf(whole: readonly CitedQuote[], kept: readonly CitedQuote[], maxChars: number): LeftOut {
  const [all, left] = [countSections(whole), countSections(kept)];
  const isShorter = charsOf(kept) < charsOf(whole) || kept.some(({ quote }) => quote.length > maxChars);
  const shown = new Set(kept.map(({ part }) => part));
  const lost = whole.flatMap(({ part }) => (part === undefined || shown.has(part) ? [] : [part]));
  return {
    what: left < all ? [`${all - left} of ${all} sections`] : isShorter ? ['parts of the quotes'] : [],
    parts: [...new Set(lost)],
  };
}

/** A result of quotes. For a limit on its size, the quotes are chosen again. */
export function evidenceReply<T>(
  { whole, count, needsFirst, choose }: CitedEvidence,
  finish: (evidence: EvidenceOutput, leftOut: LeftOut | null) => T,
  shown?: (output: T) => void,
): Reply<T> {
  const maxChars = Math.max(1, ...whole.map(({ quote }) => quote.length));
  const build = (fit: Fit): T => {
    const kept = choose(fit);
    return finish(
      buildEvidence(kept, fit),
      fit.reason === null ? null : leftOutOf(whole, kept, fit.maxChars),
    );
  };
  return listReply({ count, maxChars, needsFirst }, build, shown);
}

export interface Retrieval {
  readonly rankings: readonly Ranking[];
  readonly confidence: number;
  readonly hasKeywords: boolean;
  /** True if everything that was found is left out, because the caller was shown it. */
  readonly isExhausted: boolean;
  /** Values of the filters of the request that no document has; empty if something was found. */
  readonly unknown: string;
  /** Headings near the question, for keywords. */
  readonly near: readonly string[];
  /** The parts of a question of several parts that probably have no answer. */
  readonly missing: readonly string[];
  /** True if debug facts were requested. They are dropped first if a result is over its budget. */
  readonly isDebug: boolean;
  /** Null for a complete result. */
  readonly leftOut: LeftOut | null;
}

/** Adds how likely an answer is, and how it was retrieved. */
export function describeRetrieval(
  call: Call,
  evidence: EvidenceOutput,
  retrieval: Retrieval,
): RetrievedEvidence {
  const { rankings, confidence, isDebug, isExhausted, missing } = retrieval;
  const isEmpty = evidence.quotes.length === 0 && !isExhausted;
  const answerable = isEmpty ? 'unlikely' : answerableFrom(confidence);
  const { drops, degraded } = call.trace;
  const debug = {
    confidence: Math.round(confidence * 10_000) / 10_000,
    parts: rankings.map(({ terms, rewrites, candidates }) => ({
      terms,
      ...(rewrites.length > 0 ? { rewrites } : {}),
      sections: candidates.map(({ section }) => section.id),
    })),
    dropped: { ...drops },
  };
  return {
    answerable,
    ...evidence,
    ...(missing.length > 0 ? { parts_without_evidence: [...missing] } : {}),
    ...diagnosticOf(call),
    ...hintOf(answerable, retrieval),
    ...(degraded.length > 0 ? { degraded: [...degraded] } : {}),
    ...(isDebug && retrieval.leftOut === null ? { debug } : {}),
  };
}

/** Adds to each quote the citation of its passage. */
export function withCitations(
  { passage_uri: _, quotes, ...rest }: EvidenceOutput,
  sources: ReadonlyMap<string, NamedPassage>,
): ExtractedEvidence {
  return {
    quotes: quotes.map(({ confidence, start_char, ...quote }) => {
      const named = sources.get(quote.passage_id);
      const title = sectionTitle(named?.passage.headingPath.slice(-1) ?? []);
      const end_char = start_char + quote.quote.length;
      return { ...quote, title, uri: named?.uri ?? '', confidence, start_char, end_char };
    }),
    ...rest,
  };
}
