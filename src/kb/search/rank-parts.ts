import type { Call, Trace } from '../../core/call.js';
import { BackendUnavailableError, isBackendLost } from '../../core/errors.js';
import { noteAnswer, noteFreshStart, noteRetrieval, timedAsync } from '../../core/note-retrieval.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import type { SearchAnswer, SectionFilter, SectionIndex } from '../../core/ports/section-index.port.js';
import type { QueryPart, RankedCandidate, Ranking, SearchMode } from '../../core/ranking.js';
import { scopeAllows } from '../../core/scope.js';
import { noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { expandByGraph } from './expand-by-graph.js';
import { fillPerDocument, type RankLimits } from './rank-matches.js';
import { Repetitions } from './same-elsewhere.js';

/** Attempts to rank all parts on one generation, before a call gives up on an index that is published that often. */
const MAX_ATTEMPTS = 5;
/** Engines are filled one after the other. A graph of another generation in two attempts will not catch up in time. */
const GRAPH_ATTEMPTS = 2;
/** Minimum number of ranked sections. The graph raises sections from beyond the end of a short list. */
const POOL = 20;

/** The sources of sections. Without a graph, only words and vectors rank. */
export class RankSources {
  constructor(
    readonly index: SectionIndex,
    readonly graph: GraphStore | null,
  ) {}
}

/** Weight of a part's own words relative to its words with the keywords: docs/quality.md, "Tried and dropped". */
const OWN_SHARE = 0.4;

/** By section id: its score divided by the best score. */
export function sharesOf({ candidates }: Ranking): ReadonlyMap<string, number> {
  const best = candidates[0]?.score || 1;
  return new Map(candidates.map(({ section, score }) => [section.id, score / best]));
}

/** Merges a part's lists with keywords and by own words; keywords alone would find the same sections for each part. */
function mergeRankings(whole: Ranking, own: Ranking, limits: RankLimits): RankedCandidate[] {
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
    make: (candidates) => ({ candidates }),
  });
  return left.slice(0, limits.sections);
}

/** A duplicate is replaced by the section already shown; each section appears once. */
function shownOnce(candidates: readonly RankedCandidate[], repetitions: Repetitions): RankedCandidate[] {
  const byId = new Map<string, RankedCandidate>();
  for (const candidate of candidates) {
    const { section, document } = repetitions.shownFor(candidate) ?? candidate;
    if (!byId.has(section.id)) byId.set(section.id, { ...candidate, section, document });
  }
  return [...byId.values()];
}

/** Uses the same version of a section in all lists: the version in the first list that has one. */
function sameVersions(rankings: readonly Ranking[]): Ranking[] {
  if (rankings.length < 2) return [...rankings];
  // Variants of one text are kept: each list contains only one of them, and the choice can depend on the part.
  const repetitions = new Repetitions(rankings[0]?.collapse ?? {}, false);
  return rankings.map((ranking) => ({ ...ranking, candidates: shownOnce(ranking.candidates, repetitions) }));
}

interface RankOptions {
  readonly filter: SectionFilter;
  readonly limits: RankLimits;
  readonly mode: SearchMode;
}

interface AskedParts extends RankOptions {
  readonly parts: readonly QueryPart[];
}

/**
 * Ranks the sections for every part of a question, all on one generation of the index. If a new generation is published
 * in between, all parts are ranked again.
 * @throws BackendUnavailableError, also `index_busy`
 */
export async function rankParts(
  call: Call,
  { index, graph }: RankSources,
  asked: AskedParts,
): Promise<Ranking[]> {
  const { filter, limits, mode } = asked;
  const sources = { index, graph: mode === 'hybrid_local' ? graph : null };
  if (mode === 'hybrid_local' && !graph) noteMissing(call.trace.degraded, 'graph');
  const pool = { ...asked, limits: { ...limits, sections: Math.max(limits.sections, POOL) } };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    noteFreshStart(call);
    const { plain, expanded, generations, graphs } = await rankOnce(call, sources, pool);
    if (generations.size > 1) continue;
    const isSame = [...graphs].every((generation) => generations.has(generation));
    if (!isSame && attempt < GRAPH_ATTEMPTS) continue;
    if (!isSame) noteMissing(call.trace.degraded, 'graph');
    const cut = (isSame ? expanded : plain).map((ranking) => ({
      ...ranking,
      candidates: ranking.candidates.slice(0, limits.sections),
    }));
    const ranked = sameVersions(cut);
    noteRetrieval(call, { rankings: ranked, filter, rankedAtMs: call.elapsed() });
    return ranked;
  }
  throw new BackendUnavailableError('The index changed repeatedly during this call.', {
    reason: 'index_busy',
    hint: 'Try again in a moment, or ask without parts.',
  });
}

/** One attempt: the lists with and without the graph, and their generations. */
interface Attempt {
  readonly plain: readonly Ranking[];
  readonly expanded: readonly Ranking[];
  readonly generations: ReadonlySet<string>;
  readonly graphs: ReadonlySet<string>;
}

async function rankOnce(
  call: Call,
  { index, graph }: RankSources,
  { parts, ...options }: AskedParts,
): Promise<Attempt> {
  const [plain, expanded]: [Ranking[], Ranking[]] = [[], []];
  const generations = new Set<string>();
  const graphs = new Set<string>();
  for (const part of parts) {
    const found = await rankPart(call, index, { ...options, part });
    const lifted = graph && (await expandOrDegrade(call, graph, found.ranking));
    for (const generation of found.generations) generations.add(generation);
    if (lifted) graphs.add(lifted.generation);
    plain.push(found.ranking);
    expanded.push(lifted?.ranking ?? found.ranking);
  }
  return { plain, expanded, generations, graphs };
}

/** If the graph fails or is late, the call is marked degraded and does not ask it again. */
async function expandOrDegrade(
  call: Call,
  graph: GraphStore,
  ranking: Ranking,
): Promise<Awaited<ReturnType<typeof expandByGraph>> | null> {
  if (call.trace.degraded.includes('graph')) return null;
  try {
    return await timedAsync(call, 'graph_expansion', () => expandByGraph(call, graph, ranking));
  } catch (error) {
    // The call's own deadline is not a failure of the graph.
    if (!isBackendLost(error) || call.signal.aborted) throw error;
    noteMissing(call.trace.degraded, 'graph');
    return null;
  }
}

interface AskedPart extends RankOptions {
  readonly part: QueryPart;
}

async function rankPart(
  call: Call,
  index: SectionIndex,
  asked: AskedPart,
): Promise<{ readonly ranking: Ranking; readonly generations: readonly string[] }> {
  const { part, limits } = asked;
  const whole = await rankSections(call, index, asked);
  if (!part.own) return { ranking: whole, generations: [whole.generation] };
  const ownPart = { ...part, asked: part.own, text: part.question };
  const own = await rankSections(call, index, { ...asked, part: ownPart });
  const [first = whole, second = own] = sameVersions([whole, own]);
  const candidates = mergeRankings(first, second, limits);
  return { ranking: { ...whole, candidates }, generations: [whole.generation, own.generation] };
}

/** Ranks the sections for one part of a question, and checks every row against the scope again. */
export async function rankSections(
  call: Call,
  index: SectionIndex,
  { part, filter, limits, mode }: AskedPart,
): Promise<Ranking> {
  call.signal.throwIfAborted();
  const { scope, trace } = call;
  const startedAt = call.elapsed();
  const { sections: limit, perDocument, fillTo } = limits;
  const answer = await index.search({
    text: part.text,
    asked: part.asked,
    rankedBy: 'both',
    scope,
    filter,
    limit,
    perDocument,
    ...(fillTo === undefined ? {} : { fillTo }),
    ...(trace.isDebug ? { explain: true } : {}),
  });
  noteAnswer(call, answer);
  count(trace.timings, 'search_ms', call.elapsed() - startedAt);
  const candidates = answer.candidates.filter(({ document }) => scopeAllows(scope, document));
  for (const { section, document } of candidates) noteOrigin(call, document, [section.id]);
  count(trace.drops, 'scope_mismatch', answer.candidates.length - candidates.length);
  count(trace.drops, 'same_document', answer.dropped.sameDocument);
  count(trace.drops, 'near_duplicate', answer.dropped.nearDuplicate);
  count(trace.counts, 'matched', answer.matched);
  noteDegraded(trace, mode, answer);
  return { ...answer, part, candidates };
}

function count(record: Record<string, number>, key: string, by: number): void {
  if (by > 0) record[key] = (record[key] ?? 0) + by;
}

/** Adds a signal or stage that is unavailable, once. */
export function noteMissing(degraded: string[], leg: string): void {
  if (!degraded.includes(leg)) degraded.push(leg);
}

function noteDegraded(
  { degraded }: Trace,
  mode: SearchMode,
  { candidates, degraded: missing = [] }: SearchAnswer,
): void {
  for (const leg of missing) noteMissing(degraded, leg);
  const hasVectors = candidates.length === 0 || candidates.some(({ vector }) => vector !== null);
  if (mode === 'vector_only' && !hasVectors) noteMissing(degraded, 'vector');
}
