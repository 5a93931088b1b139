import { Injectable } from '@nestjs/common';
import type { Call } from '../call.js';
import { EvidenceConfig } from '../config/evidence.config.js';
import { BackendUnavailableError } from '../errors.js';
import { listReply } from '../reply.js';
import type { Fit, LimitReason, Reply } from '../reply.js';
import { PassagesService } from '../scratch/passages.service.js';
import type { NamedPassage } from '../scratch/passages.service.js';
import { clipText } from '../text/clip-text.js';
import { answerableFrom, confidenceOf } from './answerable.js';
import type { Answerable } from './answerable.js';
import { chooseQuotes } from './choose-quotes.js';
import type { ChosenQuote, QuoteOptions } from './choose-quotes.js';
import { planQuery } from './plan-query.js';
import type { QueryPart, Question } from './plan-query.js';
import { rankSections } from './rank-sections.js';
import type { Ranking, RankOptions, SearchMode } from './rank-sections.js';
import type { Debug } from './search.service.js';
import { SectionIndex } from './section-index.port.js';
import type { SectionFilter } from './section-index.port.js';

export interface ExtractInput extends QuoteOptions {
  readonly question: string;
  readonly passageIds: readonly string[];
}

export interface RetrieveInput extends QuoteOptions {
  readonly question: Question;
  readonly filter: SectionFilter;
  /** Null takes the configured number. */
  readonly maxPerDoc: number | null;
  readonly includeDebug: boolean;
  readonly mode: SearchMode;
}

export interface Quote {
  readonly quote: string;
  readonly passage_id: string;
  readonly section_id: string;
  readonly title: string;
  readonly uri: string;
  readonly confidence: number;
  readonly start_char: number;
  readonly end_char: number;
}

export interface Source {
  readonly section_id: string;
  readonly title: string;
  readonly doc_tag: string;
  readonly uri: string;
  readonly url?: string | undefined;
}

export interface EvidenceOutput {
  readonly quotes: readonly Quote[];
  readonly sources: readonly Source[];
  readonly partial: boolean;
  readonly limit_reason: LimitReason;
}

export interface RetrievedEvidence extends EvidenceOutput {
  readonly answerable: Answerable;
  readonly hint?: string | undefined;
  readonly degraded?: readonly string[] | undefined;
  readonly debug?: Debug | undefined;
}

interface CitedQuote extends ChosenQuote {
  readonly source: NamedPassage;
}

const HINTS: Readonly<Record<Exclude<Answerable, 'likely'>, string>> = {
  unsure:
    'Some words of the question were not found together. Ask again with keywords that the documents may use.',
  unlikely:
    'These documents probably do not answer this. Try keywords in other words once; otherwise say that it is not in here.',
};

/** An index that is published more often than this while one question is asked is not worth waiting for. */
const MAX_ATTEMPTS = 5;

function indexRestless(): BackendUnavailableError {
  return new BackendUnavailableError('The index changed again and again while this was answered.', {
    reason: 'index_busy',
    hint: 'Call again in a moment, or ask without parts.',
  });
}

/** Finds the few sentences that answer a question. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly index: SectionIndex,
    private readonly passages: PassagesService,
    private readonly config: EvidenceConfig,
  ) {}

  /** @throws InvalidArgumentError `passage_not_found` */
  async extract(call: Call, input: ExtractInput): Promise<Reply<EvidenceOutput>> {
    const ids = [...new Set(input.passageIds)];
    const named = await Promise.all(ids.map((id) => this.passages.read(call, id)));
    const texts = named.map(({ id, passage }) => ({ id, text: passage.text }));
    const chosen = chooseQuotes([{ question: input.question, texts }], input);
    const quotes = chosen.flatMap((quote) => cite(quote, named));
    // The best quote of each passage is what expanding starts from.
    for (const quote of quotes.toReversed()) await this.passages.remember(call, quote.source, quote);
    return evidenceReply(quotes, (evidence) => evidence);
  }

  /** @throws BackendUnavailableError; nothing found is a result with a hint */
  async retrieve(call: Call, input: RetrieveInput): Promise<Reply<RetrievedEvidence>> {
    const [sections = 8, perDocument = 3] = this.config.pool.split('x').map(Number);
    const limits = { sections, perDocument: input.maxPerDoc ?? perDocument };
    const { filter, mode } = input;
    const rankings = await this.rank(call, planQuery(input.question).parts, { filter, limits, mode });
    const quotes = await this.quote(call, rankings, input);
    const confidence = Math.min(...rankings.map(confidenceOf));
    return evidenceReply(quotes, (evidence, isWhole) =>
      describe(call, evidence, { rankings, confidence, isDebug: input.includeDebug && isWhole }),
    );
  }

  /** Ranks every part on one state of the index: where a publish came in between, all of them once more. */
  private async rank(call: Call, parts: readonly QueryPart[], options: RankOptions): Promise<Ranking[]> {
    for (let attempt = 1; ; attempt++) {
      const rankings: Ranking[] = [];
      for (const part of parts) rankings.push(await rankSections(call, this.index, part, options));
      const generations = new Set(rankings.map(({ generation }) => generation));
      if (generations.size <= 1) return rankings;
      if (attempt === MAX_ATTEMPTS) throw indexRestless();
    }
  }

  /** Chooses quotes and keeps the sections they come from. */
  private async quote(
    call: Call,
    rankings: readonly Ranking[],
    options: QuoteOptions,
  ): Promise<CitedQuote[]> {
    const parts = rankings.map(({ part, candidates }) => ({
      question: part.text,
      texts: candidates.map(({ section }) => ({ id: section.id, text: section.text })),
    }));
    const sources = new Map<string, NamedPassage>();
    const quotes: CitedQuote[] = [];
    for (const chosen of chooseQuotes(parts, options)) {
      const source = sources.get(chosen.textId) ?? (await this.keep(call, chosen, rankings));
      if (!source) continue;
      sources.set(chosen.textId, source);
      quotes.push({ ...chosen, source });
    }
    return quotes;
  }

  private async keep(
    call: Call,
    quote: ChosenQuote,
    rankings: readonly Ranking[],
  ): Promise<NamedPassage | null> {
    for (const { candidates, generation } of rankings) {
      const candidate = candidates.find(({ section }) => section.id === quote.textId);
      const window = { start: quote.start, end: quote.end };
      if (candidate) return this.passages.keep(call, candidate, { generation, window });
    }
    return null;
  }
}

function cite(quote: ChosenQuote, named: readonly NamedPassage[]): CitedQuote[] {
  const source = named.find(({ id }) => id === quote.textId);
  return source ? [{ ...quote, source }] : [];
}

function toQuote({ quote, confidence, start, end, source }: CitedQuote, maxChars: number): Quote {
  const isWhole = quote.length <= maxChars;
  // A clipped quote stays a verbatim slice: it ends earlier, without a mark.
  const kept = isWhole ? quote : clipText(quote, maxChars).slice(0, -1);
  return {
    quote: kept,
    passage_id: source.id,
    section_id: source.passage.sectionId,
    title: source.passage.title,
    uri: source.uri,
    confidence,
    start_char: start,
    end_char: isWhole ? end : start + kept.length,
  };
}

function toSource({ passage, uri }: NamedPassage): Source {
  const { sectionId, title, docTag, url } = passage;
  return { section_id: sectionId, title, doc_tag: docTag, uri, ...(url ? { url } : {}) };
}

function buildEvidence(quotes: readonly CitedQuote[], fit: Fit): EvidenceOutput {
  const kept = quotes.slice(0, fit.count);
  return {
    quotes: kept.map((quote) => toQuote(quote, fit.maxChars)),
    sources: [...new Set(kept.map(({ source }) => source))].map(toSource),
    partial: fit.reason !== null,
    limit_reason: fit.reason ?? 'none',
  };
}

function evidenceReply<T>(
  quotes: readonly CitedQuote[],
  finish: (evidence: EvidenceOutput, isWhole: boolean) => T,
): Reply<T> {
  const maxChars = Math.max(1, ...quotes.map(({ quote }) => quote.length));
  return listReply({ count: quotes.length, maxChars }, (fit) =>
    finish(buildEvidence(quotes, fit), fit.reason === null),
  );
}

interface Retrieval {
  readonly rankings: readonly Ranking[];
  readonly confidence: number;
  /** Debug facts are the first to go when a result is over its budget. */
  readonly isDebug: boolean;
}

function describe(call: Call, evidence: EvidenceOutput, retrieval: Retrieval): RetrievedEvidence {
  const { rankings, confidence, isDebug } = retrieval;
  const answerable = evidence.quotes.length === 0 ? 'unlikely' : answerableFrom(confidence);
  const { drops, degraded } = call.trace;
  const debug = {
    confidence: Math.round(confidence * 10_000) / 10_000,
    parts: rankings.map(({ part, candidates }) => ({
      terms: part.terms,
      sections: candidates.map(({ section }) => section.id),
    })),
    dropped: { ...drops },
  };
  return {
    answerable,
    ...evidence,
    ...(answerable === 'likely' ? {} : { hint: HINTS[answerable] }),
    ...(degraded.length > 0 ? { degraded: [...degraded] } : {}),
    ...(isDebug ? { debug } : {}),
  };
}
