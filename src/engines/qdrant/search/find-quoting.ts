import type { QuotingSection, SoughtQuote } from '../../../core/ports/section-index.port.js';
import { type Scope, scopeAllows } from '../../../core/scope.js';
import { findQuote, findReadQuote, quoteTerms } from '../../../text/quotes/find-quote.js';
import type { KnownGeneration } from '../known-generation.js';
import { byCodePoint, type View } from '../live-collection.js';
import { payloadSection } from '../points.js';
import type { Search } from '../qdrant-connection.js';
import { askForTerms } from './sparse-terms.js';
import { pointsOf, visibleConditions } from './visible-points.js';

/** Sections whose text is compared. Only a quote of words that more sections contain has more. */
const MAX_COMPARED = 1_000;
/** Words that a section must contain to be compared; the rarest. */
const MAX_WORDS = 4;

/** Finds a quote: the sections with its rarest words first, then the text itself in these. */
export async function findQuoting(
  { view, known }: { readonly view: View; readonly known: KnownGeneration },
  scope: Scope,
  { text, path }: SoughtQuote,
): Promise<Omit<QuotingSection, 'generation'>> {
  const sectionsWith = (term: string): number => known.vocabulary.sectionsWith(term);
  const terms = quoteTerms(text).sort((a, b) => sectionsWith(a) - sectionsWith(b));
  const [rarest] = terms;
  if (rarest === undefined) return { found: null, isComplete: false };
  if (sectionsWith(rarest) === 0) return { found: null, isComplete: true };
  const filter = pointsOf('section', visibleConditions(scope));
  // Each search is limited to the sections that the one before it has found.
  const of = (term: string): Search => {
    return { query: askForTerms([term]), using: 'bm25', filter, limit: MAX_COMPARED };
  };
  const others = terms.slice(1, MAX_WORDS);
  const search = others.reduce((before, term) => ({ ...of(term), prefetch: [before] }), of(rarest));
  const { found: answers } = await view.batch([of(rarest), { ...search, with_payload: true }]);
  const [withRarest = [], withAll = []] = answers;
  const sections = withAll
    .map(({ payload }) => payloadSection(payload))
    .filter(({ document }) => scopeAllows(scope, document))
    .sort(
      (a, b) =>
        Number(b.document.path === path) - Number(a.document.path === path) ||
        byCodePoint(a.document.path, b.document.path) ||
        a.section.ordinal - b.section.ordinal,
    );
  const first = (find: typeof findQuote) =>
    sections.find(({ section }) => find(section.text, text).length > 0);
  const found = first(findQuote) ?? first(findReadQuote) ?? null;
  return { found, isComplete: found !== null || withRarest.length < MAX_COMPARED };
}
