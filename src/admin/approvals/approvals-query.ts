import { z } from 'zod';
import { AdminFailure } from '../admin-failure.js';
import { parseGiven, typedText } from '../admin-query.js';

const ID = /^[\w-]{1,64}$/;

const listSchema = z.strictObject({ after: z.string().regex(ID).optional() });
const formSchema = z.strictObject({
  token: z.string().max(128),
  decision: z.enum(['approve', 'reject', 'revoke']),
  note: typedText(2_048).default(''),
});

/** The fields of the form that decides a request. */
export type DecisionForm = z.output<typeof formSchema>;

/** The id after which a page of the list begins; undefined for the first page. @throws AdminFailure INVALID_ARGUMENT */
export const parseAfter = (query: unknown): string | undefined =>
  parseGiven(listSchema, query, 'Start at /admin/approvals.').after;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseDecision = (form: unknown): DecisionForm =>
  parseGiven(formSchema, { ...Object(form) }, 'Use the form on the page.');

/** @throws AdminFailure NOT_FOUND for texts that can't be ids */
export function parseApprovalId(id: string): string {
  if (ID.test(id)) return id;
  throw noApproval();
}

export function noApproval(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'No approval has this id.',
    'Open it from the list at /admin/approvals.',
  );
}
