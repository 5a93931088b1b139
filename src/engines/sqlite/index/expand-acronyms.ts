import type { Rewrite, SectionQuery } from '../../../core/ports/section-index.port.js';
import type { Database } from '../driver.js';
import { visibleRows } from './visible-rows.js';

/** The long form that most of the visible sections give an acronym, for each that has one. */
export function expandAcronyms(database: Database, query: SectionQuery): Rewrite[] {
  if (query.asked.acronyms.length === 0) return [];
  const conditions = visibleRows(query.scope, query.filter);
  const look = database.prepare(
    `SELECT a.long FROM acronym a CROSS JOIN section s ON s.id = a.section_id
     CROSS JOIN document d ON d.id = s.document_id
     WHERE ${['a.short = ?', ...conditions.map(({ sql }) => sql)].join(' AND ')}
     GROUP BY a.long ORDER BY count(*) DESC, a.long LIMIT 1`,
  );
  const values = conditions.flatMap((condition) => [...condition.values]);
  return query.asked.acronyms.flatMap((short) => {
    const long = look.get(short, ...values)?.['long'];
    return typeof long === 'string' ? [{ from: short, to: long, why: 'acronym' as const }] : [];
  });
}
