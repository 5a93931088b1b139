import type { Reranker } from '../../core/ports/reranker.port.js';
import { questionShape } from './answer-cues.js';
import type { ReadRanking } from './choose-evidence.js';
import { COVERAGE_WEIGHTS, type ScoredUnit, scoreUnits, spanKey } from './score-units.js';

/** Number of top sentences to rerank per part: enough for six quotes and their competitors. */
const RERANKED_SPANS = 24;

/** The best units of a part. */
function bestUnits({ sections, question }: ReadRanking): readonly ScoredUnit[] {
  const shape = questionShape(question);
  const scored = sections.flatMap((section) => scoreUnits(section, shape, COVERAGE_WEIGHTS));
  return scored.sort((a, b) => b.score - a.score).slice(0, RERANKED_SPANS);
}

/**
 * Has a model read the best sentences of a part again.
 * @returns the part with what the model says of them, 0 to 1
 * @throws BackendUnavailableError, DeadlineExceededError `reranker`
 */
export async function rerankSpans(reranker: Reranker, part: ReadRanking): Promise<ReadRanking> {
  const units = bestUnits(part);
  if (units.length === 0) return part;
  const texts = units.map(({ section, unit }) => section.text.slice(unit.start, unit.end));
  const scores = await reranker.score(part.question, texts);
  const spanScores = new Map(units.map(({ section, at }, i) => [spanKey(section.id, at), scores[i] ?? 0]));
  return { ...part, spanScores };
}
