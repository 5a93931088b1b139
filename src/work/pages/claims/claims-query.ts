import { z } from 'zod';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { parseQuery } from '../../../admin/admin-query.js';
import { CLAIM_STATES } from '../../claims/claim.js';

const ID = /^[0-9a-f]{1,64}$/;
const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const claimsSchema = z.strictObject({ state: z.enum(CLAIM_STATES).optional(), before: place.optional() });

/** Filters of the list of claims, named as in URLs. */
export type ClaimsQuery = z.output<typeof claimsSchema>;

const evidenceSchema = z.strictObject({ after: place.default(0) });

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseClaimsQuery = (query: unknown): ClaimsQuery => parseQuery(claimsSchema, query);

/** The number of pieces of evidence before a page. @throws AdminFailure INVALID_ARGUMENT */
export const parseEvidencePlace = (query: unknown): number => parseQuery(evidenceSchema, query).after;

/** @throws AdminFailure NOT_FOUND for texts that can't be ids */
export function parseClaimId(id: string): string {
  if (ID.test(id)) return id;
  throw noClaim();
}

/** For a claim of another project or environment, too. */
export function noClaim(): AdminFailure {
  return new AdminFailure('NOT_FOUND', 'No claim has this id.', 'Open it from the list at /admin/claims.');
}
