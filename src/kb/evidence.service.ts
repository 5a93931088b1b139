import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../call.js';
import { EvidenceConfig } from '../config/evidence.config.js';
import type { Reply } from '../reply.js';
import type { StemMemo } from '../text/search-terms.js';
import { GraphStore } from '../graph/graph-store.port.js';
import { PassagesService } from '../scratch/passages.service.js';
import type { NamedPassage } from '../scratch/passages.service.js';
import { chooseEvidence, readRanking, readTexts } from './choose-evidence.js';
import type { ReadRanking } from './choose-evidence.js';
import type { ChosenQuote, QuoteOptions } from './choose-quotes.js';
import { describeRetrieval, evidenceReply } from './evidence-reply.js';
import type { CitedQuote, EvidenceOutput, RetrievedEvidence } from './evidence-reply.js';
import { planQuery } from './plan-query.js';
import type { Question } from './plan-query.js';
import { rankParts } from './rank-parts.js';
import { rankSections } from './rank-sections.js';
import type { SearchMode } from './rank-sections.js';
import { NO_FILTER, SectionIndex } from './section-index.port.js';
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

/** Some 5 MB; a corpus of a thousand pages has about as many words. */
const MAX_STEMS = 30_000;

/** Finds the few sentences that answer a question. */
@Injectable()
export class EvidenceService {
  private readonly stems: StemMemo = new Map();

  constructor(
    private readonly index: SectionIndex,
    private readonly passages: PassagesService,
    private readonly config: EvidenceConfig,
    @Inject(GraphStore) private readonly graph: GraphStore | null,
  ) {}

  /** @throws InvalidArgumentError `passage_not_found`; BackendUnavailableError */
  async extract(call: Call, input: ExtractInput): Promise<Reply<EvidenceOutput>> {
    const ids = [...new Set(input.passageIds)];
    const named = await Promise.all(ids.map((id) => this.passages.read(call, id)));
    const read = await this.readPassages(call, input.question, named);
    const chosen = chooseEvidence([read], input, this.config.spanReranker);
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
    const rankings = await rankParts(
      call,
      { index: this.index, graph: this.graph },
      planQuery(input.question),
      { filter, limits, mode },
    );
    const parts = rankings.map((ranking) => readRanking(ranking, this.knownStems()));
    const quotes = await this.quote(call, parts, input);
    const confidence = Math.min(...parts.map((part) => part.confidence));
    return evidenceReply(quotes, (evidence, isWhole) =>
      describeRetrieval(call, evidence, {
        rankings,
        confidence,
        hasKeywords: input.question.keywords.length > 0,
        isDebug: input.includeDebug && isWhole,
      }),
    );
  }

  private knownStems(): StemMemo {
    // Bounded: documents hold any number of different words.
    if (this.stems.size > MAX_STEMS) this.stems.clear();
    return this.stems;
  }

  /** Reads passages, ranked among themselves; the words of the index say which terms tell something. */
  private async readPassages(
    call: Call,
    question: string,
    named: readonly NamedPassage[],
  ): Promise<ReadRanking> {
    const [part] = planQuery({ text: question, keywords: [], parts: [], rewrite: true }).parts;
    if (!part) throw new Error('a question has at least one part');
    const sectionIds = named.map(({ passage }) => passage.sectionId);
    const ranking = await rankSections(call, this.index, part, {
      filter: { ...NO_FILTER, sectionIds },
      limits: { sections: named.length, perDocument: named.length },
      mode: 'auto',
    });
    const best = ranking.candidates[0]?.score || 1;
    const shares = new Map(ranking.candidates.map(({ section, score }) => [section.id, score / best]));
    const texts = named.map(({ id, passage }) => ({
      id,
      text: passage.text,
      headingPath: passage.headingPath,
      share: shares.get(passage.sectionId) ?? 0,
    }));
    // A term of a passage tells something even when the index of today does not hold it any more.
    const known = ranking.terms.map((term) => [term, Math.max(1, ranking.documentFrequency[term] ?? 0)]);
    return readTexts({ ...ranking, documentFrequency: Object.fromEntries(known) }, texts, this.knownStems());
  }

  /** Chooses quotes and keeps the sections they come from. */
  private async quote(
    call: Call,
    parts: readonly ReadRanking[],
    options: QuoteOptions,
  ): Promise<CitedQuote[]> {
    const sources = new Map<string, NamedPassage>();
    const quotes: CitedQuote[] = [];
    for (const chosen of chooseEvidence(parts, options, this.config.spanReranker)) {
      const source = sources.get(chosen.textId) ?? (await this.keep(call, chosen, parts));
      if (!source) continue;
      sources.set(chosen.textId, source);
      quotes.push({ ...chosen, source });
    }
    return quotes;
  }

  private async keep(
    call: Call,
    quote: ChosenQuote,
    parts: readonly ReadRanking[],
  ): Promise<NamedPassage | null> {
    for (const { ranking } of parts) {
      const candidate = ranking.candidates.find(({ section }) => section.id === quote.textId);
      const window = { start: quote.start, end: quote.end };
      const { generation } = ranking;
      if (candidate) return this.passages.keep(call, candidate, { generation, window });
    }
    return null;
  }
}

function cite(quote: ChosenQuote, named: readonly NamedPassage[]): CitedQuote[] {
  const source = named.find(({ id }) => id === quote.textId);
  return source ? [{ ...quote, source }] : [];
}
