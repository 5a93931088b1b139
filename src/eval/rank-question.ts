import { type Candidate, NO_FILTER } from '../core/ports/section-index.port.js';
import type { RankLimits } from '../kb/search/limit-per-document.js';
import { planQuery } from '../kb/search/plan-query.js';
import { rankParts } from '../kb/search/rank-parts.js';
import { callIn, type EvalServices } from './eval-services.js';

/** What is searched for. */
export interface RankedQuestion {
  readonly question: string;
  readonly keywords?: readonly string[];
  readonly parts?: readonly string[];
}

/** One from each list in turn, each section once. */
function interleave(lists: readonly (readonly Candidate[])[]): Candidate[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? []));
  return [...new Map(turns.flat().map((candidate) => [candidate.section.id, candidate])).values()];
}

/**
 * The ranked list that the tools would choose from; the lists of several parts are dealt in turn.
 * @returns best first, each section once
 */
export async function rankQuestion(
  { index, graph, scope, mode }: Pick<EvalServices, 'index' | 'graph' | 'scope' | 'mode'>,
  { question: text, keywords = [], parts = [] }: RankedQuestion,
  limits: RankLimits,
): Promise<Candidate[]> {
  const call = callIn(await scope());
  const plan = planQuery({ text, keywords, parts, rewrite: true });
  const rankings = await rankParts(call, { index, graph }, { ...plan, filter: NO_FILTER, limits, mode });
  return interleave(rankings.map(({ candidates }) => candidates));
}
