import { randomUUID } from 'node:crypto';
import { type Call, Decisions, newTrace, UNCORRELATED } from '../../core/call.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import { type Candidate, NO_FILTER, type SectionIndex } from '../../core/ports/section-index.port.js';
import type { SearchMode } from '../../core/ranking.js';
import type { Scope } from '../../core/scope.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import type { EvidenceService } from '../../kb/evidence/evidence.service.js';
import { planQuery } from '../../kb/search/plan-query.js';
import type { RankLimits } from '../../kb/search/rank-matches.js';
import { rankParts } from '../../kb/search/rank-parts.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { LOCAL_OPERATOR } from '../../mcp/principals.js';
import type { PassagesService } from '../../scratch/passages.service.js';
import type { EvalRow } from './eval-row.js';
import type { GoldenQuestion } from './sets/golden-set.js';

/** Services for the steps that are measured without a tool call. */
export interface EvalServices {
  readonly index: SectionIndex;
  /** Null if the graph is off. */
  readonly graph: GraphStore | null;
  readonly evidence: EvidenceService;
  readonly passages: PassagesService;
  readonly scope: () => Promise<Scope>;
  readonly mode: SearchMode;
}

/** Creates a call for steps that run without a tool. */
export function callIn(scope: Scope): Call {
  const begunAt = performance.now();
  return {
    id: randomUUID(),
    caller: makeCaller(LOCAL_OPERATOR, { agent: 'default', sessionId: 'eval' }),
    namedRun: null,
    scope,
    signal: new AbortController().signal,
    now: Date.now,
    elapsed: () => performance.now() - begunAt,
    correlation: UNCORRELATED,
    decisions: new Decisions(),
    trace: newTrace(),
  };
}

/** The answer to a question, as its caller receives it. */
export interface Asked {
  /** Null if the call failed. */
  readonly output: RetrievedEvidence | null;
  readonly content: string;
  /** `structuredContent` as JSON. */
  readonly structured: string;
  /** UTF-8 bytes of the whole result. */
  readonly bytes: number;
  readonly calls: number;
  /** Time from the arguments to the rendered result. */
  readonly ms: number;
  /** The estimate behind `answerable`; null if the call has none. */
  readonly confidence: number | null;
}

/** Asks as an agent does, through the whole pipeline of a tool call. */
export type Ask = (
  question: Pick<GoldenQuestion, 'id' | 'question' | 'keywords' | 'parts'>,
) => Promise<Asked>;

/** Measures one question after the other. */
export async function measureEach<T>(
  questions: readonly T[],
  onProgress: RunOptions['onProgress'],
  measure: (question: T) => Promise<EvalRow>,
): Promise<EvalRow[]> {
  const rows: EvalRow[] = [];
  for (const [done, question] of questions.entries()) {
    onProgress(done, questions.length);
    rows.push(await measure(question));
  }
  onProgress(questions.length, questions.length);
  return rows;
}

export interface RunOptions {
  /** Milliseconds from any start; only differences count. */
  readonly clock: () => number;
  readonly onProgress: (done: number, total: number) => void;
}

/** Takes one candidate from each list in turn; each section appears once. */
function interleave(lists: readonly (readonly Candidate[])[]): Candidate[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? []));
  return [...new Map(turns.flat().map((candidate) => [candidate.section.id, candidate])).values()];
}

/** Ranks sections as the tools do; the lists of several parts alternate. @returns best first, each section once */
export async function rankQuestion(
  { index, graph, scope, mode }: EvalServices,
  { question: text, keywords = [], parts = [] }: Pick<GoldenQuestion, 'question'> & Partial<GoldenQuestion>,
  limits: RankLimits,
): Promise<Candidate[]> {
  const call = callIn(await scope());
  const plan = planQuery({ text, keywords, parts, rewrite: true });
  const rankings = await rankParts(call, { index, graph }, { ...plan, filter: NO_FILTER, limits, mode });
  return interleave(rankings.map(({ candidates }) => candidates));
}
