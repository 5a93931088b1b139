import { z } from 'zod';
import { MAX_TOOL_NAME } from '../../core/ports/provider-pins.port.js';
import { AdminFailure } from '../admin-failure.js';
import { parseGiven } from '../admin-query.js';

const toolSchema = z.string().min(1).max(MAX_TOOL_NAME);
const placeSchema = z.strictObject({ tool: toolSchema.optional() });
const formSchema = z.strictObject({
  token: z.string().max(128),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  tool: toolSchema.optional(),
});

/** The only tool that the page shows; undefined for all. @throws AdminFailure INVALID_ARGUMENT */
export const parseShownTool = (query: unknown): string | undefined =>
  parseGiven(placeSchema, query, 'Start at /admin/providers.').tool;

/** The fields of a form that accepts what was shown. @throws AdminFailure INVALID_ARGUMENT */
export const parseAcceptance = (form: unknown): z.output<typeof formSchema> =>
  parseGiven(formSchema, { ...Object(form) }, 'Use the form on the page.');

export function noProvider(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'The governance file of this server names no such provider.',
    'Open it from the list at /admin/providers.',
  );
}
