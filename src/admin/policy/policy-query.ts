import { z } from 'zod';
import { parseQuery, typedText } from '../admin-query.js';

const word = typedText(256).trim();

const policySchema = z.strictObject({
  tool: word.optional(),
  agent: word.optional(),
  principal: word.optional(),
  /** JSON of an object; the length of a URL is limited. */
  args: typedText(4_000).optional(),
});

/** The call to explain, named as in URLs. */
export type PolicyQuery = z.output<typeof policySchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parsePolicyQuery = (query: unknown): PolicyQuery => parseQuery(policySchema, query);
