import type { Call } from '../../core/call.js';
import { BackendUnavailableError, isBackendLost } from '../../core/errors.js';
import { noteFreshStart, noteRankings, timedAsync } from '../../core/note-retrieval.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import type { QueryPart, RankedCandidate, Ranking } from '../../core/ranking.js';
import { expandByGraph } from './expand-by-graph.js';
import { fillPerDocument } from './limit-per-document.js';
import type { QueryPlan } from './plan-query.js';
import { noteMissing, type RankLimits, type RankOptions, rankSections } from './rank-sections.js';
import { Repetitions } from './same-elsewhere.js';

/** An index that is published more often than this while one question is asked is not worth waiting for. */
const MAX_ATTEMPTS = 5;
/** Engines are filled one after the other: a graph that is of another generation twice will be for longer than a call. */
const GRAPH_ATTEMPTS = 2;

/** So many sections are ranked at least: what the graph lifts is taken from further down than what is asked for. */
const POOL = 20;
/** What a part's own words count for beside those with the keywords: docs/quality.md, "Tried and dropped". */
const OWN_SHARE = 0.4;

function indexRestless(): BackendUnavailableError {
  return new BackendUnavailableError('The index changed repeatedly during this call.', {
    reason: 'index_busy',
    hint: 'Try again in a moment, or ask without parts.',
  });
}

/** Where sections come from; without a graph, words and vectors rank alone. */
export interface RankSources {
  readonly index: SectionIndex;
  readonly graph: GraphStore | null;
}

/**
 * Ranks the sections for every part of a question, all on one state of the index: where a publish came in between, once
 * more.
 * @returns in the order of the parts
 * @throws BackendUnavailableError, also `index_busy`
 */
export async function rankParts(
  call: Call,
  { index, graph }: RankSources,
  { parts }: QueryPlan,
  options: RankOptions,
): Promise<Ranking[]> {
  const { mode, limits } = options;
  const expanding = mode === 'vector_only' ? null : graph;
  if (mode === 'hybrid_local' && !graph) noteMissing(call.trace.degraded, 'graph');
  const pool = { ...options, limits: { ...limits, sections: Math.max(limits.sections, POOL) } };
  for (let attempt = 1; ; attempt++) {
    noteFreshStart(call);
    const { plain, expanded, generations, graphs } = await rankOnce(
      call,
      { index, graph: expanding },
      parts,
      pool,
    );
    const isWhole = generations.size <= 1;
    const isSame = isWhole && [...graphs].every((generation) => generations.has(generation));
    if (isSame || (isWhole && attempt >= GRAPH_ATTEMPTS)) {
      if (!isSame) noteMissing(call.trace.degraded, 'graph');
      const cut = (isSame ? expanded : plain).map((ranking) => ({
        ...ranking,
        candidates: ranking.candidates.slice(0, limits.sections),
      }));
      const ranked = eachOnce(cut);
      noteRankings(call, ranked, options.filter);
      return ranked;
    }
    if (attempt === MAX_ATTEMPTS) throw indexRestless();
  }
}

/** One try: the lists with and without the graph, and the generations that they are of. */
interface Ranked {
  readonly plain: readonly Ranking[];
  readonly expanded: readonly Ranking[];
  readonly generations: ReadonlySet<string>;
  readonly graphs: ReadonlySet<string>;
}

async function rankOnce(
  call: Call,
  { index, graph }: RankSources,
  parts: QueryPlan['parts'],
  options: RankOptions,
): Promise<Ranked> {
  const [plain, expanded]: [Ranking[], Ranking[]] = [[], []];
  const generations = new Set<string>();
  const graphs = new Set<string>();
  for (const part of parts) {
    const found = await rankPart(call, index, part, options);
    const lifted = graph && (await expandOrSay(call, graph, found.ranking));
    for (const generation of found.generations) generations.add(generation);
    if (lifted) graphs.add(lifted.generation);
    plain.push(found.ranking);
    expanded.push(lifted?.ranking ?? found.ranking);
  }
  return { plain, expanded, generations, graphs };
}

/** A graph that can't answer, or not in time, is said and not asked again; words and vectors rank without it. */
async function expandOrSay(
  call: Call,
  graph: GraphStore,
  ranking: Ranking,
): Promise<Awaited<ReturnType<typeof expandByGraph>> | null> {
  if (call.trace.degraded.includes('graph')) return null;
  try {
    return await timedAsync(call, 'graph_expansion', () => expandByGraph(call, graph, ranking));
  } catch (error) {
    // Our own deadline is the caller's, and no fault of the graph.
    if (!isBackendLost(error) || call.signal.aborted) throw error;
    noteMissing(call.trace.degraded, 'graph');
    return null;
  }
}

async function rankPart(
  call: Call,
  index: SectionIndex,
  part: QueryPart,
  options: RankOptions,
): Promise<{ readonly ranking: Ranking; readonly generations: readonly string[] }> {
  const whole = await rankSections(call, index, part, options);
  if (!part.own) return { ranking: whole, generations: [whole.generation] };
  const own = await rankSections(call, index, { ...part, asked: part.own, text: part.question }, options);
  const [first = whole, second = own] = eachOnce([whole, own]);
  const candidates = balance(first, second, options.limits);
  return { ranking: { ...whole, candidates }, generations: [whole.generation, own.generation] };
}

/**
 * What a part finds with the keywords and in its own words, at even weight: keywords are given for all parts together,
 * and alone they would find the same sections for each.
 */
function balance(whole: Ranking, own: Ranking, limits: RankLimits): RankedCandidate[] {
  const [inWhole, inOwn] = [sharesOf(whole), sharesOf(own)];
  const found = new Map([...own.candidates, ...whole.candidates].map((each) => [each.section.id, each]));
  const scored = [...found.values()].map((candidate) => {
    const { id } = candidate.section;
    const withKeywords = (1 - OWN_SHARE) * (inWhole.get(id) ?? 0);
    const ownWords = OWN_SHARE * (inOwn.get(id) ?? 0);
    const shares = { with_keywords: withKeywords, own_words: ownWords };
    return { ...candidate, score: withKeywords + ownWords, shares };
  });
  scored.sort((a, b) => b.score - a.score || (a.section.id < b.section.id ? -1 : 1));
  const { left } = fillPerDocument(scored, limits, {
    documentOf: ({ document }) => document.path,
    make: (spread) => spread,
    countOf: (spread) => spread.length,
  });
  return left.slice(0, limits.sections);
}

/** In the place of a section that repeats one that was shown stands that one; each section once. */
function shownOnce(candidates: readonly RankedCandidate[], repetitions: Repetitions): RankedCandidate[] {
  const byId = new Map<string, RankedCandidate>();
  for (const candidate of candidates) {
    const { section, document } = repetitions.shownFor(candidate) ?? candidate;
    if (!byId.has(section.id)) byId.set(section.id, { ...candidate, section, document });
  }
  return [...byId.values()];
}

/** Lists in which a section stands in one version: the one that the first of them found. */
function eachOnce(rankings: readonly Ranking[]): Ranking[] {
  if (rankings.length < 2) return [...rankings];
  // Each list holds one variant of a text already; which of them each part found tells more than that they are alike.
  const repetitions = new Repetitions(rankings[0]?.collapse ?? {}, false);
  return rankings.map((ranking) => ({
    ...ranking,
    candidates: shownOnce(ranking.candidates, repetitions),
  }));
}

/** Each section's score as a share of the best one's. */
function sharesOf({ candidates }: Ranking): ReadonlyMap<string, number> {
  const best = candidates[0]?.score || 1;
  return new Map(candidates.map(({ section, score }) => [section.id, score / best]));
}
