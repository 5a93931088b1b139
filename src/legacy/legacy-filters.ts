import { z } from 'zod';
import { decodePath } from '../core/section-id.js';
import { NO_FILTER } from '../core/ports/section-index.port.js';
import type { SectionFilter } from '../core/ports/section-index.port.js';
import { idSchema } from './legacy.schemas.js';

const oneOrMore = (item: z.ZodString) =>
  z
    .union([item, z.array(item).max(64)])
    .nullable()
    .optional();

/** The `filters` of the older search: two are honoured, all others are taken and passed over. */
export const legacyFiltersSchema = z
  .looseObject({
    doc_tag: oneOrMore(z.string().max(128)).describe('One tag or a list.'),
    document_id: oneOrMore(idSchema).describe('Path of a document, or several.'),
  })
  .nullable()
  .default(null);
export type LegacyFilters = z.output<typeof legacyFiltersSchema>;

/** A filter as the older search means it. */
export interface ReadFilters {
  readonly filter: SectionFilter;
  /** Names of those that were passed over. */
  readonly ignored: readonly string[];
}

/** @returns null where there is no such filter; an empty list matches nothing */
function listOf(value: string | readonly string[] | null | undefined): string[] | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? [value] : [...new Set(value)].sort();
}

/** Reads the older filters. */
export function readFilters(filters: LegacyFilters): ReadFilters {
  const { doc_tag, document_id, ...others } = filters ?? {};
  const paths = listOf(document_id)?.map((id) => decodePath(id.replace(/#_document$/, ''))) ?? null;
  return {
    filter: { ...NO_FILTER, docTags: listOf(doc_tag), ...(paths ? { paths } : {}) },
    ignored: Object.keys(others)
      .slice(0, 16)
      .map((name) => name.slice(0, 64)),
  };
}
