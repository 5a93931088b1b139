import type { Candidate, SearchAnswer } from '../../../core/ports/section-index.port.js';
import { clipText } from '../../../text/clip-text.js';
import { queryTerms } from '../../../text/terms/search-terms.js';
import { type ReadDocument, titlesOf } from '../source/read-document.js';
import type { ScoredLabel } from './score-labels.js';

/** Similar documents that vote. */
const VOTERS = 10;
/** Values of a facet that are listed. */
const MAX_VALUES = 3;
/** Similar documents that are named for a value. */
const MAX_SIMILAR = 3;
/** More of a document makes the search slower, and hardly better. */
const MAX_QUERY_CHARS = 2_000;

/** The title, the headings and the beginning of a document, as a question. */
export function likenessQuery({ facts, outline, sections }: ReadDocument): string {
  const titles = [...new Set(titlesOf({ facts, outline }))].join('\n');
  const half = MAX_QUERY_CHARS / 2;
  const texts = clipText(sections.map(({ text }) => clipText(text, half)).join('\n'), MAX_QUERY_CHARS);
  return clipText(`${clipText(titles, half)}\n${texts}`, MAX_QUERY_CHARS);
}

const valueOf = ({ document }: Candidate, facet: string): string | undefined =>
  facet === 'doc_tag' ? document.docTag : document.metadata[facet];

/**
 * Lets the most similar documents vote for their values. The score of a value is its share of the scores of those that
 * have the facet.
 * @param candidates  best first, one per document, without the document itself
 */
export function scoreFacets(
  facets: readonly string[],
  candidates: readonly Candidate[],
  { sectionCount, documentFrequency }: Pick<SearchAnswer, 'sectionCount' | 'documentFrequency'>,
): ScoredLabel[] {
  const voters = candidates.slice(0, VOTERS);
  const weightOf = (term: string): number => {
    const found = documentFrequency[term] ?? 0;
    return found > 0 ? Math.log(1 + sectionCount / found) : 0;
  };
  return facets.flatMap((facet) => {
    const voting = voters.filter((each) => valueOf(each, facet) !== undefined);
    const total = voting.reduce((sum, { score }) => sum + score, 0);
    const values = [...new Set(voting.flatMap((each) => valueOf(each, facet) ?? []))];
    return values
      .map((label) => {
        const own = voting.filter((each) => valueOf(each, facet) === label);
        const score = total > 0 ? own.reduce((sum, each) => sum + each.score, 0) / total : 0;
        const terms = new Set(own.flatMap(({ section }) => queryTerms(`${section.title}\n${section.text}`)));
        const weights = new Map(Array.from(terms, (term) => [term, weightOf(term)] as const));
        return {
          facet,
          label,
          score,
          weights,
          similar: own.slice(0, MAX_SIMILAR).map((each) => each.document.path),
        };
      })
      .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1))
      .slice(0, MAX_VALUES);
  });
}
