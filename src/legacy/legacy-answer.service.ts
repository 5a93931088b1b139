import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { isBackendLost, PithError } from '../core/errors.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { readRanking } from '../kb/evidence/choose-evidence.js';
import type { ReadRanking } from '../kb/evidence/choose-evidence.js';
import { noteListed, noteShown } from '../core/note-retrieval.js';
import { noteMissing } from '../kb/search/rank-sections.js';
import type { Candidate } from '../core/ports/section-index.port.js';
import { keptOf, listReply } from '../core/reply.js';
import type { Fit, Reply } from '../core/reply.js';
import { answerMarkdown, toAnswerEvidence } from './answer-evidence.js';
import type { AnswerEvidence, SectionLinks } from './answer-evidence.js';
import { readFilters } from './legacy-filters.js';
import { readRelations } from './graph/legacy-relations.js';
import { LegacySearchService } from './legacy-search.service.js';
import { GraphReads } from './graph/read-graph.js';
import { neighboursOf, reach } from './graph/ways.js';

export interface AnswerInput {
  readonly query: string;
  readonly topK: number;
  readonly verbosity: string;
}

export interface AnswerOutput {
  readonly answer_markdown: string;
  readonly answer_json: {
    readonly answer: string;
    readonly evidence: readonly AnswerEvidence[];
    readonly confidence: number;
    readonly diagnostics: Readonly<Record<string, unknown>>;
  };
}

const VERBOSITIES = ['graph', 'full', 'markdown', 'md', 'snippet', 'snip', 'short'];
const MAX_EVIDENCE = 5;
const MAX_ENTITIES = 20;
const MAX_TOP_K = 100;
const MENTIONS = readRelations(['MENTIONS']);
const NO_LINKS: SectionLinks = { level: null, entities: [] };

/** Answers as it was done under the oldest name: errors are part of the result, and there is no envelope. */
@Injectable()
export class LegacyAnswerService {
  constructor(
    @Inject(GraphStore) private readonly store: GraphStore | null,
    private readonly searches: LegacySearchService,
  ) {}

  async answer(call: Call, input: AnswerInput): Promise<Reply<AnswerOutput>> {
    if (!VERBOSITIES.includes(input.verbosity)) {
      return failed(`Validation error: verbosity must be one of ${VERBOSITIES.slice(0, 4).join(', ')}`);
    }
    try {
      return await this.found(call, input);
    } catch (error) {
      if (error instanceof PithError) return failed(`Search failed: ${error.message}`);
      throw error;
    }
  }

  private async found(call: Call, { query, topK }: AnswerInput): Promise<Reply<AnswerOutput>> {
    const most = Math.min(MAX_TOP_K, Math.max(1, topK));
    const ranking = await this.searches.rank(call, { query, filters: readFilters(null), most });
    const read = readRanking(ranking);
    const cited = ranking.candidates.slice(0, MAX_EVIDENCE);
    const links = await this.linksOrSay(call, cited, ranking.generation);
    const maxChars = cited.reduce((longest, { section }) => Math.max(longest, section.text.length), 0);
    const diagnostics = diagnosticsOf(call, read);
    const answer =
      cited.length > 0
        ? `Found ${ranking.candidates.length} sections for: ${query}`
        : 'No section was found.';
    noteListed(
      call,
      cited.map(({ section }) => section.id),
    );
    const shown = ({ answer_json }: AnswerOutput): void =>
      noteShown(
        call,
        answer_json.evidence.map(({ section_id }) => section_id),
      );
    const build = (fit: Fit): AnswerOutput => {
      const evidence = keptOf(cited, fit).map((found) =>
        toAnswerEvidence(found, read, links.get(found.section.id) ?? NO_LINKS, fit.maxChars),
      );
      const confidence = Math.round(read.confidence * 10_000) / 10_000;
      return {
        answer_markdown: answerMarkdown(answer, evidence),
        answer_json: { answer, evidence, confidence, diagnostics },
      };
    };
    return listReply({ count: cited.length, maxChars }, build, shown);
  }

  /** Links are an extra: a graph that is down, late or of another generation leaves an answer without them. */
  private async linksOrSay(
    call: Call,
    cited: readonly Candidate[],
    generation: string,
  ): Promise<ReadonlyMap<string, SectionLinks>> {
    try {
      return await this.linksOf(call, cited, generation);
    } catch (error) {
      if (!isBackendLost(error) || call.signal.aborted) throw error;
      noteMissing(call.trace.degraded, 'graph');
      return new Map();
    }
  }

  private async linksOf(
    call: Call,
    cited: readonly Candidate[],
    generation: string,
  ): Promise<ReadonlyMap<string, SectionLinks>> {
    if (!this.store) return new Map();
    const reads = new GraphReads(this.store, call);
    reads.expect(generation);
    const ids = cited.map(({ section }) => section.id);
    const walk = { rules: MENTIONS, direction: 'out' as const, maxHops: 1, fanOut: MAX_ENTITIES };
    const { edges } = await reads.walk({ ...walk, seeds: ids });
    const neighbours = neighboursOf(edges, MENTIONS, 'out');
    const ends = (id: string): string[] => [...reach(neighbours, [id], 1).keys()].slice(1);
    const nodes = await reads.byId([...ids, ...ids.flatMap(ends)]);
    return new Map(
      ids.map((id) => [
        id,
        {
          level: nodes.get(id)?.level ?? null,
          entities: ends(id).flatMap((end) => nodes.get(end) ?? []),
        },
      ]),
    );
  }
}

function diagnosticsOf({ trace }: Call, { ranking }: ReadRanking): Readonly<Record<string, unknown>> {
  return {
    ranking_features: { method: 'weighted_sum', signals: ['bm25', 'vector', 'title'] },
    timing: { ...trace.timings },
    total_candidates: ranking.matched,
    filters_applied: {},
  };
}

/** What was always answered to what went wrong. */
function failed(error: string): Reply<AnswerOutput> {
  const answer_json = { answer: error, evidence: [], confidence: 0, diagnostics: { error } };
  return listReply({ count: 0, maxChars: 0 }, () => ({ answer_markdown: error, answer_json }));
}
