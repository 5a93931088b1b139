import type { QuotingSection, SoughtQuote } from '../../../core/ports/section-index.port.js';
import type { Scope } from '../../../core/scope.js';
import { findQuote, findReadQuote, quoteTerms } from '../../../text/quotes/find-quote.js';
import type { Database } from '../driver.js';
import { text as textOf } from '../row-values.js';
import { SECTION_BY_ROW, toStored } from './stored-sections.js';
import { visibleRows, where } from './visible-rows.js';

/** Sections whose text is compared. Only a quote of words that nearly all sections contain has more. */
const MAX_COMPARED = 5_000;
/** Words that a section must contain to be compared; the rarest. */
const MAX_WORDS = 8;

/** The rarest terms of a text; null if no section contains one of them. */
function rarestTerms(database: Database, text: string): string[] | null {
  const count = database.prepare('SELECT doc FROM section_term WHERE term = ?');
  const counted = quoteTerms(text).map((term) => ({
    term,
    sections: Number(count.get(term)?.['doc'] ?? 0),
  }));
  if (counted.some(({ sections }) => sections === 0)) return null;
  return counted
    .sort((a, b) => a.sections - b.sections)
    .slice(0, MAX_WORDS)
    .map(({ term }) => term);
}

/** Finds a quote: the sections with its words first, then the text itself in these. */
export function selectQuoting(
  database: Database,
  scope: Scope,
  { text, path }: SoughtQuote,
): Omit<QuotingSection, 'generation'> {
  const terms = rarestTerms(database, text);
  if (terms === null) return { found: null, isComplete: true };
  if (terms.length === 0) return { found: null, isComplete: false };
  const { conditions, values } = visibleRows(scope);
  const rows = database
    .prepare(
      `SELECT s.id FROM section_fts f CROSS JOIN section s ON s.id = f.rowid CROSS JOIN document d ON d.id = s.document_id
       ${where(['section_fts MATCH ?', ...conditions])}
       ORDER BY d.path = ? DESC, d.path, s.ordinal LIMIT ?`,
    )
    .all(`body : (${terms.map((term) => `"${term}"`).join(' AND ')})`, ...values, path, MAX_COMPARED + 1);
  const ids = rows.slice(0, MAX_COMPARED).map(({ id }) => Number(id));
  const textBy = database.prepare('SELECT text FROM section WHERE id = ?');
  const first = (find: typeof findQuote): number | undefined =>
    ids.find((id) => find(textOf(textBy.get(id)?.['text']), text).length > 0);
  const found = first(findQuote) ?? first(findReadQuote);
  if (found === undefined) return { found: null, isComplete: rows.length <= MAX_COMPARED };
  return { found: toStored(database.prepare(SECTION_BY_ROW).get(found) ?? {}), isComplete: true };
}
