import type { RetrievalTrace } from '../../core/call.js';
import { decodePath } from '../../core/section-id.js';
import { pagePath } from '../../kb/group-quotes.js';

/**
 * Finds the section of a page that got furthest in a retrieval: into the result, to the quotes, into a ranked list, or
 * among the hits.
 * @param path  of a document, as in section ids or as written
 * @returns null if no section of the page matched
 */
export function sectionOfPage(path: string, retrieval: RetrievalTrace): string | null {
  const { shown, listed, rankings, answers } = retrieval;
  const ranked = rankings.flatMap(({ candidates }) => candidates.map(({ section }) => section.id));
  const hits = answers.flatMap((answer) => (answer.hits ?? []).map(({ sectionId }) => sectionId));
  const wanted = decodePath(path);
  const isOfPage = (id: string): boolean => decodePath(pagePath(id)) === wanted;
  return [...shown, ...listed, ...ranked, ...hits].find(isOfPage) ?? null;
}
