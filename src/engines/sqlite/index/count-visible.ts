import { type FacetCount, NO_FILTER } from '../../../core/ports/section-index.port.js';
import type { Scope } from '../../../core/scope.js';
import type { Database } from '../driver.js';
import { visibleRows } from './visible-rows.js';

/**
 * Counts the visible documents and sections by a column or expression: most sections first, ties by value.
 * @param by  SQL over `document d` and `section s`; never user input
 */
export function countVisible(database: Database, scope: Scope, by: string, limit: number): FacetCount[] {
  const conditions = visibleRows(scope, NO_FILTER);
  const where = conditions.length > 0 ? `WHERE ${conditions.map((c) => c.sql).join(' AND ')}` : '';
  const rows = database
    .prepare(
      `SELECT ${by} AS value, count(DISTINCT d.id) AS documents, count(s.id) AS sections
       FROM document d CROSS JOIN section s ON s.document_id = d.id ${where}
       GROUP BY 1 ORDER BY sections DESC, value LIMIT ?`,
    )
    .all(...conditions.flatMap((c) => [...c.values]), limit);
  return rows.map((row) => ({
    value: String(row['value']),
    documents: Number(row['documents']),
    sections: Number(row['sections']),
  }));
}
