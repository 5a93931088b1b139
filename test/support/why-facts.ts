import type { RetrievalTrace } from '../../src/core/call.js';
import { NOTHING_RANKED } from '../../src/core/note-retrieval.js';
import type { ExplainedHit, StoredSection } from '../../src/core/ports/section-index.port.js';
import type { Ranking } from '../../src/core/ranking.js';
import type { WhyFacts } from '../../src/diagnostics/why/why-missing.js';
import { aCandidate, aDocument, aRanking, aScope, aSection, NO_FILTER } from './builders.js';

/** A stored section; its document is the part of the id before `#`. */
export function aStored(id: string, document: Partial<StoredSection['document']> = {}): StoredSection {
  return {
    section: aSection({ id, text: `The text of ${id}.` }),
    document: aDocument({ path: id.split('#')[0] ?? id, ...document }),
  };
}

/** A matching row; the first of a list has the highest score. */
export function aHit(sectionId: string, parts: Partial<ExplainedHit> = {}): ExplainedHit {
  return {
    sectionId,
    docTag: 'guides',
    score: 1,
    lexical: 1,
    vector: 0.5,
    shares: { words: 1 },
    fate: 'candidate',
    instead: null,
    ...parts,
  };
}

/** A ranked list of these sections. */
export function aList(...ids: readonly string[]): Ranking {
  return aRanking({
    candidates: ids.map((id) => ({ ...aCandidate(), ...aStored(id) })),
  });
}

/** A retrieval with one search that explained these rows, and with these ranked sections. */
export function aRetrieval(
  hits: readonly ExplainedHit[],
  list: readonly string[],
  parts: Partial<RetrievalTrace> = {},
): RetrievalTrace {
  const rankings = [aList(...list)];
  return {
    ...NOTHING_RANKED,
    answers: [aRanking({ hits })],
    rankings,
    listed: list,
    shown: list,
    ...parts,
  };
}

/** The facts about `wanted.md#here`, which is in the index and contains one of two words. */
export function whyFacts(parts: Partial<WhyFacts> = {}): WhyFacts {
  return {
    sectionId: 'wanted.md#here',
    stored: aStored('wanted.md#here'),
    nearest: [],
    scope: aScope(),
    filter: NO_FILTER,
    terms: { asked: ['install', 'source'], held: ['install'] },
    retrieval: aRetrieval([], []),
    ...parts,
  };
}
