import { z } from 'zod';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { parseQuery } from '../../../admin/admin-query.js';
import type { PointerName } from '../../../core/ports/index-source.js';
import { pointerNameSchema } from '../../substrate/pointers/pointer.schemas.js';

const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const pointersSchema = z.strictObject({ after: place.default(0) });
const pointerSchema = z.strictObject({
  /** Only moves before this version. */
  before: place.optional(),
  /** Number of files before the page. */
  after: place.optional(),
});

/** The places of the two lists on the page of a pointer, named as in URLs. */
export type PointerPlace = z.output<typeof pointerSchema>;

/** The number of pointers before the page. @throws AdminFailure INVALID_ARGUMENT */
export const parsePointersPlace = (query: unknown): number => parseQuery(pointersSchema, query).after;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parsePointerPlace = (query: unknown): PointerPlace => parseQuery(pointerSchema, query);

/** @param params  of the address @throws AdminFailure NOT_FOUND for texts that can't be names */
export function parsePointerName(params: unknown): PointerName {
  const { success, data } = pointerNameSchema.safeParse(params);
  if (success) return data;
  throw noPointer();
}

/** For a pointer of another project or environment, too. */
export function noPointer(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'No pointer has this name.',
    'Open it from the list at /admin/pointers.',
  );
}
