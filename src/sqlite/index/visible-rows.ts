import { NO_FILTER, type SectionFilter } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import type { Database } from '../driver.js';
import type { RowMask } from './word-scores.js';

type Value = string | number;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** The conditions over `document d` and `section s` that make a row visible, and their values in the same order. */
export interface Visibility {
  /** Empty if everything is visible. */
  readonly conditions: readonly string[];
  readonly values: readonly Value[];
}

function anyOf(column: string, values: readonly string[] | null): Condition[] {
  return values ? [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }] : [];
}

/** The smallest text greater than all texts with this prefix; null if there is none. */
function afterPrefix(prefix: string): string | null {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const code = last.codePointAt(0) ?? 0x10ffff;
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
  return null;
}

function underPrefix(prefix: string | null): Condition[] {
  if (!prefix) return [];
  const end = afterPrefix(prefix);
  if (end === null) return [{ sql: 'd.path >= ?', values: [prefix] }];
  return [{ sql: 'd.path >= ? AND d.path < ?', values: [prefix, end] }];
}

function withMetadata(metadata: Readonly<Record<string, string>>): Condition[] {
  const sql =
    'EXISTS (SELECT 1 FROM document_facet f WHERE f.document_id = d.id AND f.key = ? AND f.value = ?)';
  return Object.entries(metadata).map((pair) => ({ sql, values: pair }));
}

/** Makes a WHERE clause; empty for no conditions. */
export function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
}

/** The rows that are visible in a scope and pass a filter. */
export function visibleRows(scope: Scope, filter: SectionFilter = NO_FILTER): Visibility {
  const parts = [
    ...anyOf('d.doc_tag', scope.docTags),
    ...anyOf('d.repository', scope.repositories),
    ...anyOf('d.doc_tag', filter.docTags),
    ...underPrefix(filter.pathPrefix),
    ...anyOf('d.path', filter.paths ?? null),
    ...anyOf('s.section_id', filter.sectionIds ?? null),
    ...withMetadata(filter.metadata ?? {}),
    ...(filter.updatedAfter ? [{ sql: 'd.updated_at >= ?', values: [filter.updatedAfter] }] : []),
  ];
  return { conditions: parts.map(({ sql }) => sql), values: parts.flatMap(({ values }) => values) };
}

const ROWS = 'SELECT s.id FROM document d CROSS JOIN section s ON s.document_id = d.id';

/** Marks the visible rows. @param rows  the ids are below this. @returns null if all rows are visible */
export function maskOf(database: Database, { conditions, values }: Visibility, rows: number): RowMask | null {
  if (conditions.length === 0) return null;
  const mask = new Uint8Array(rows);
  for (const { id } of database.prepare(`${ROWS} ${where(conditions)}`).all(...values)) mask[Number(id)] = 1;
  return mask;
}
