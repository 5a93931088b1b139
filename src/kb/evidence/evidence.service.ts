import { Inject, Injectable } from '@nestjs/common';
import { EvidenceConfig } from '../../config/settings/evidence.config.js';
import type { Call } from '../../core/call.js';
import { isBackendLost } from '../../core/errors.js';
import { noteRetrieval, timed, timedAsync } from '../../core/note-retrieval.js';
import { Reranker } from '../../core/ports/reranker.port.js';
import { NO_FILTER, type SectionFilter } from '../../core/ports/section-index.port.js';
import type { Ranking } from '../../core/ranking.js';
import type { Reply } from '../../core/reply.js';
import { VERSION_KEY } from '../../core/section.js';
import { cautionAbout } from '../../mcp/rendering/cautious-text.js';
import { unknownValues } from '../../scope/unknown-values.js';
import { type NamedPassage, PassagesService, type SeenSection } from '../../scratch/passages.service.js';
import { clipText } from '../../text/span.js';
import type {
  ExtractedEvidence,
  ExtractInput,
  RetrievedEvidence,
  RetrieveInput,
} from '../evidence.schemas.js';
import { sectionIdsOf, toSectionFilter } from '../kb.schemas.js';
import { leftOutText, nearHeadings } from '../rewrite-hint.js';
import { planQuery } from '../search/plan-query.js';
import { noteMissing, rankParts, rankSections, RankSources, sharesOf } from '../search/rank-parts.js';
import { answerableFrom, confidenceInQuotes, confidenceOfParts } from './answerable.js';
import type { ChosenQuote, QuoteOptions } from './choose-by-overlap.js';
import {
  chooseEvidence,
  type EvidenceBudget,
  type EvidenceChoice,
  poolLimits,
  quoteOptions,
  type ReadRanking,
  readRanking,
  readTexts,
  rerankSpans,
  WITH_SEEN,
} from './choose-evidence.js';
import {
  type CitedEvidence,
  type CitedQuote,
  describeRetrieval,
  evidenceReply,
  groupBySource,
  withCitations,
} from './evidence-reply.js';
import { UnitMemo } from './sections/read-section.js';
import { leaveOutSeen, noteSeen, seenTest } from './seen-quotes.js';
import { splitQuestion } from './split-question.js';

/** Characters of a part in a hint. */
const MAX_SHOWN_PART = 200;

interface FoundEvidence {
  readonly parts: readonly ReadRanking[];
  readonly confidence: ReturnType<typeof confidenceOfParts>;
}

/** Finds the few sentences that answer a question. */
@Injectable()
export class EvidenceService {
  private readonly memo = new UnitMemo();

  constructor(
    private readonly sources: RankSources,
    private readonly passages: PassagesService,
    private readonly config: EvidenceConfig,
    @Inject(Reranker) private readonly reranker: Reranker | null,
  ) {}

  /** The same service over another index. */
  over(sources: RankSources): EvidenceService {
    return new EvidenceService(sources, this.passages, this.config, this.reranker);
  }

  /** @throws InvalidArgumentError `passage_not_found`; BackendUnavailableError */
  async extract(call: Call, input: ExtractInput): Promise<Reply<ExtractedEvidence>> {
    const ids = [...new Set(input.passage_ids)];
    const named = await Promise.all(ids.map((id) => this.passages.read(call, id)));
    const read = await this.rerank(call, [await this.readPassages(call, input.question, named)]);
    const options = quoteOptions(input, this.config);
    const sources = new Map(named.map((passage) => [passage.id, passage]));
    const choice = chooseEvidence(read, options, this.config.spanReranker);
    const evidence = cited(choice, sources, options);
    // kb.expand_excerpt starts from the best quote of each passage.
    for (const quote of evidence.whole.toReversed()) await this.passages.remember(call, quote.source, quote);
    return evidenceReply(
      evidence,
      (shown, leftOut) => {
        const hint = leftOutText(leftOut?.what ?? [], 'Name fewer passages for the rest.');
        return { ...withCitations(shown, sources), ...(hint === '' ? {} : { hint }) };
      },
      (shown) => noteSeen(call, this.passages.seen, { parts: read, shown }),
    );
  }

  /** @throws BackendUnavailableError; nothing found is a result with a hint */
  async retrieve(call: Call, input: RetrieveInput): Promise<Reply<RetrievedEvidence>> {
    const { keywords, options } = input;
    const seen = options.skip_seen ? seenTest(call, this.passages.seen) : null;
    const quoting = quoteOptions(input, this.config);
    const limits = poolLimits(this.config, quoting, options.max_per_doc ?? null);
    const rankings = await rankParts(call, this.sources, {
      ...planOf(input, quoting),
      filter: wholeFilter(input),
      limits: seen ? WITH_SEEN : limits,
      mode: options.mode,
    });
    const read = timed(call, 'rerank', () => {
      const whole = rankings.map((ranking) => readRanking(ranking, this.memo));
      return seen ? whole.map((part) => leaveOutSeen(part, seen, limits)) : whole;
    });
    const { found, parts } = await this.quote(call, await this.rerank(call, read), quoting);
    const confidence = confidenceOfParts(parts.map((part) => part.confidence));
    const ids = found.whole.map(({ source }) => source.passage.sectionId);
    noteRetrieval(call, { listed: ids });
    const isExhausted = found.whole.length === 0 && parts.some(({ hasSeen = false }) => hasSeen);
    const unknown = await this.unknownIn(call, input, rankings);
    return evidenceReply(
      found,
      (evidence, leftOut) =>
        describeRetrieval(call, evidence, {
          rankings,
          confidence,
          hasKeywords: keywords.length > 0,
          isExhausted,
          unknown,
          near: keywords.length > 0 ? [] : headingsNear(call, parts),
          missing: this.config.spanReranker === 'none' ? [] : missingParts(parts),
          isDebug: options.include_debug,
          leftOut,
        }),
      (shown) => this.noteReply(call, shown, { parts, confidence }),
    );
  }

  /** Filter values that no visible document has; '' if something was found. */
  private async unknownIn(call: Call, input: RetrieveInput, rankings: readonly Ranking[]): Promise<string> {
    const isEmpty = rankings.every(({ candidates }) => candidates.length === 0);
    return isEmpty ? unknownValues(call, this.sources.index, input) : '';
  }

  private noteReply(call: Call, shown: RetrievedEvidence, from: FoundEvidence): void {
    noteRetrieval(call, {
      shown: sectionIdsOf(shown.sources),
      answerable: { verdict: shown.answerable, confidence: from.confidence },
    });
    noteSeen(call, this.passages.seen, { parts: from.parts, shown });
  }

  /** Reranks the best sentences if a reranker is configured. If it fails, the call is marked degraded. */
  private async rerank(call: Call, parts: readonly ReadRanking[]): Promise<readonly ReadRanking[]> {
    const { reranker } = this;
    if (!reranker || this.config.spanReranker === 'none' || call.trace.degraded.includes('rerank'))
      return parts;
    try {
      return await timedAsync(call, 'rerank', () =>
        Promise.all(parts.map((part) => rerankSpans(reranker, part))),
      );
    } catch (error) {
      if (!isBackendLost(error) || call.signal.aborted) throw error;
      noteMissing(call.trace.degraded, 'rerank');
      return parts;
    }
  }

  /** Ranks passages among themselves, with term weights from the index. */
  private async readPassages(
    call: Call,
    question: string,
    named: readonly NamedPassage[],
  ): Promise<ReadRanking> {
    const [part] = planQuery({ text: question, keywords: [], parts: [], rewrite: true }).parts;
    const sectionIds = named.map(({ passage }) => passage.sectionId);
    const ranking = await rankSections(call, this.sources.index, {
      part,
      filter: { ...NO_FILTER, sectionIds },
      limits: { sections: named.length, perDocument: named.length },
      mode: 'auto',
    });
    const shares = sharesOf(ranking);
    const texts = named.map(({ id, passage }) => ({
      id,
      text: passage.text,
      structure: passage.structure,
      headingPath: passage.headingPath,
      share: shares.get(passage.sectionId) ?? 0,
    }));
    // A term of a passage counts even if the current index no longer contains it.
    const known = ranking.terms.map((term) => [term, Math.max(1, ranking.documentFrequency[term] ?? 0)]);
    return readTexts({ ...ranking, documentFrequency: Object.fromEntries(known) }, texts, this.memo);
  }

  /** Chooses quotes, keeps their sections, and lowers the confidence in parts that the quotes may not answer. */
  private async quote(
    call: Call,
    parts: readonly ReadRanking[],
    options: QuoteOptions | EvidenceBudget,
  ): Promise<{ readonly found: CitedEvidence; readonly parts: readonly ReadRanking[] }> {
    const choice = timed(call, 'rerank', () => chooseEvidence(parts, options, this.config.spanReranker));
    const seen = new Map<string, SeenSection>();
    for (const quote of choice.whole) {
      const section = seen.has(quote.textId) ? null : seenIn(parts, quote);
      if (section) seen.set(quote.textId, section);
    }
    const named = await this.passages.keepAll(call, [...seen.values()]);
    const sources = new Map([...seen.keys()].flatMap((id, i) => (named[i] ? [[id, named[i]] as const] : [])));
    // Quotes that were shown before may answer too.
    const inQuotes = ({ confidence, hasSeen = false }: ReadRanking, i: number): number =>
      hasSeen ? confidence : confidenceInQuotes(confidence, choice.quoted[i] ?? 1);
    return {
      found: cited(choice, sources, options),
      parts: parts.map((part, i) => ({ ...part, confidence: inQuotes(part, i) })),
    };
  }
}

/** Adds the passages of quotes. Within a budget, a reply has them grouped by section; otherwise best first. */
function cited(
  choice: EvidenceChoice,
  sources: ReadonlyMap<string, NamedPassage>,
  options: QuoteOptions | EvidenceBudget,
): CitedEvidence {
  const cite = (quotes: readonly ChosenQuote[]): CitedQuote[] =>
    quotes.flatMap((quote) => {
      const source = sources.get(quote.textId);
      return source ? [{ ...quote, source }] : [];
    });
  const place = ({ source, start }: CitedQuote) => ({ sectionId: source.passage.sectionId, start });
  const inOrder = (quotes: readonly CitedQuote[]): readonly CitedQuote[] =>
    'budgetTokens' in options ? groupBySource(quotes, place).flat() : quotes;
  return { ...choice, whole: cite(choice.whole), choose: (fit) => inOrder(cite(choice.choose(fit))) };
}

/** Without parts, the questions in the text are the parts. A call with limits has only the parts that it names. */
function planOf(
  { question, keywords, parts, options: { rewrite } }: RetrieveInput,
  quoting: QuoteOptions | EvidenceBudget,
): ReturnType<typeof planQuery> {
  const isDivided = parts.length === 0 && 'budgetTokens' in quoting;
  return planQuery({ text: question, keywords, parts: isDivided ? splitQuestion(question) : parts, rewrite });
}

function wholeFilter({ filters, version }: RetrieveInput): SectionFilter {
  const filter = toSectionFilter(filters);
  return version === undefined ? filter : { ...filter, metadata: { [VERSION_KEY]: version } };
}

/** The parts without a section, or with sections that probably do not contain an answer. */
function missingParts(parts: readonly ReadRanking[]): string[] {
  if (parts.length < 2) return [];
  return parts
    .filter(({ confidence }) => answerableFrom(confidence) === 'unlikely')
    .map(({ question }) => clipText(question.toWellFormed(), MAX_SHOWN_PART));
}

/** Headings near the parts that are `unsure`. None are from documents that are not trusted. */
function headingsNear(call: Call, parts: readonly ReadRanking[]): readonly string[] {
  const unsure = parts.filter(({ confidence }) => answerableFrom(confidence) === 'unsure');
  const isTrusted = (id: string): boolean => typeof cautionAbout(call, id)?.untrusted !== 'string';
  return nearHeadings(
    unsure.map(({ ranking }) => ranking),
    isTrusted,
  );
}

function seenIn(parts: readonly ReadRanking[], { textId, start, end }: ChosenQuote): SeenSection | null {
  for (const { ranking } of parts) {
    const candidate = ranking.candidates.find(({ section }) => section.id === textId);
    if (candidate) return { candidate, generation: ranking.generation, window: { start, end } };
  }
  return null;
}
