import { z } from 'zod';
import { limitShape } from '../mcp/schema.js';

export const MAX_LISTED_PASSAGES = 50;

// Gemini rejects parameters without a property.
export const listScratchInput = z.strictObject({
  limit: z.int().min(1).max(MAX_LISTED_PASSAGES).default(MAX_LISTED_PASSAGES),
});

export const listScratchOutput = z.strictObject({
  passages: z.array(
    z.strictObject({
      passage_id: z.string(),
      section_id: z.string(),
      title: z.string(),
      size_bytes: z.int(),
      expires_in_s: z.int(),
    }),
  ),
  /** True if there are more than are listed. */
  ...limitShape,
  /** Passages whose entries are too long for any reply. */
  skipped: z.int().optional(),
});
export type ScratchListing = z.output<typeof listScratchOutput>;
