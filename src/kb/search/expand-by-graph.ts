import type { Call } from '../../core/call.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import type { Candidate } from '../../core/ports/section-index.port.js';
import type { Ranking } from '../../core/ranking.js';
import { expandRanking } from '../../graph/expand-ranking.js';
import { searchTerms } from '../../text/terms/search-terms.js';
import { inverseFrequency } from './bm25.js';

/** The terms of the question that are in a section: in its text, the headings above it or its file name. */
function heldBy({ section, document }: Candidate, terms: ReadonlySet<string>): ReadonlySet<string> {
  const all = searchTerms([...section.headingPath, document.path, section.text].join('\n'));
  return new Set(all.filter((term) => terms.has(term)));
}

function withLift({ shares, score }: Candidate, lifted: number): Candidate['shares'] {
  return lifted === score ? shares : { ...shares, graph: Math.round((lifted - score) * 10_000) / 10_000 };
}

/** Raises sections that complete a better one, if one names the other's title. Also returns the graph's generation. */
export async function expandByGraph(
  call: Call,
  graph: GraphStore,
  ranking: Ranking,
): Promise<{ readonly ranking: Ranking; readonly generation: string }> {
  const ids = ranking.candidates.map(({ section }) => section.id);
  const { named = 0, exact = 0 } = ranking.candidates[0]?.shares ?? {};
  // The title of a page or section is the whole question, or it is an identifier: no second section is needed.
  if (ids.length < 2 || named + exact > 0) return { ranking, generation: ranking.generation };
  call.signal.throwIfAborted();
  const { generation, bridges } = await graph.bridges(call.scope, ids);
  if (bridges.length === 0) return { ranking, generation };
  const { terms: asked, documentFrequency, sectionCount } = ranking;
  // Unknown words count too: if the question uses other words than the documents, no two sections cover most of it.
  const weightOf = new Map(
    asked.map((term) => [term, inverseFrequency(documentFrequency[term] ?? 0, sectionCount)]),
  );
  const terms = new Set(asked);
  const linked = new Set(bridges.flatMap(({ source, target }) => [source, target]));
  const ranked = ranking.candidates.map((candidate) => ({
    id: candidate.section.id,
    score: candidate.score,
    held: linked.has(candidate.section.id) ? heldBy(candidate, terms) : new Set<string>(),
  }));
  const candidateOf = new Map(ranking.candidates.map((candidate) => [candidate.section.id, candidate]));
  const candidates = expandRanking(ranked, weightOf, bridges).flatMap(({ id, score, liftedBy }, rank) => {
    const candidate = candidateOf.get(id);
    // The best section can get a higher score too, but it does not move.
    const isHigher = rank < ids.indexOf(id);
    if (!candidate) return [];
    return [
      {
        ...candidate,
        score,
        shares: withLift(candidate, score),
        completes: liftedBy,
        liftedBy: isHigher ? liftedBy : null,
      },
    ];
  });
  return { ranking: { ...ranking, candidates }, generation };
}
