import { z } from 'zod';
import { limitShape } from '../../mcp/schema.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { jsonSchema } from '../fields.schemas.js';
import { cursorSchema, pageShape } from '../list-pages.js';
import { heldSchemaInput, heldSchemaOutput } from '../schemas/schema-tools.schemas.js';
import { CLAIM_STATES, STANCES } from './claim.js';

/** Pieces or quotes of one call. */
export const MAX_PIECES = 20;
/** Claims of one page. */
export const MAX_LISTED_CLAIMS = 50;
export const MAX_QUOTE_LENGTH = 2_000;
const MAX_STATEMENT_LENGTH = 1_000;
/** Largest data of a claim, in UTF-8 bytes of its canonical form. */
export const MAX_DATA_SIZE = 2_048;
/** Approvers see all arguments of a decision. */
const MAX_REASON_LENGTH = 500;

/** Line breaks and tabs are text; other control characters are not. */
const isText = (text: string): boolean => !/[^\P{Cc}\t\n\r]/u.test(text);
const TEXT_MESSAGE = 'must not contain control characters other than tabs and line breaks';
const lineOfText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .refine(isText, TEXT_MESSAGE);

const id = z.string().min(1).max(1_024);
const quote = lineOfText(MAX_QUOTE_LENGTH);
const scope = scopeSchema.optional();
const offset = z.int().min(0).max(1_000_000_000);

const pieceSchema = z
  .strictObject({
    quote: quote.describe('Copied from the section; only white space may differ.'),
    section_id: id.optional().describe('Send this or passage_id.'),
    passage_id: id.optional(),
    start_char: offset.optional().describe('If the section repeats the quote.'),
    stance: z.enum(STANCES).default('supports'),
  })
  .refine(
    ({ section_id, passage_id }) => (section_id === undefined) !== (passage_id === undefined),
    'needs either section_id or passage_id',
  );
export type PieceInput = z.output<typeof pieceSchema>;
const pieces = z.array(pieceSchema).max(MAX_PIECES);

const data = jsonSchema(MAX_DATA_SIZE).optional();

export const createClaimInput = z
  .strictObject({
    statement: lineOfText(MAX_STATEMENT_LENGTH).describe('One sentence.'),
    evidence: pieces.default([]),
    schema: heldSchemaInput.optional().describe('Send it with data.'),
    data: data.describe('JSON text that fits the schema: the statement in a structured form.'),
    scope,
  })
  .refine(({ schema, data: json }) => (schema === undefined) === (json === undefined), {
    error: 'needs schema and data, or neither',
    path: ['data'],
  });
export type CreateClaimInput = z.output<typeof createClaimInput>;

export const linkEvidenceInput = z.strictObject({ claim_id: id, evidence: pieces.min(1), scope });
export type LinkEvidenceInput = z.output<typeof linkEvidenceInput>;

export const getClaimInput = z.strictObject({ claim_id: id, cursor: cursorSchema, scope });
export type GetClaimInput = z.output<typeof getClaimInput>;

export const listClaimsInput = z.strictObject({
  state: z.enum(CLAIM_STATES).optional(),
  limit: z.int().min(1).max(MAX_LISTED_CLAIMS).default(20),
  cursor: cursorSchema,
  scope,
});
export type ListClaimsInput = z.output<typeof listClaimsInput>;

export const decideClaimInput = z.strictObject({
  claim_id: id,
  statement: lineOfText(MAX_STATEMENT_LENGTH).describe('That of the claim: the operator decides by it.'),
  data: data.describe('That of the claim, if it has data.'),
  decision: z.enum(['accept', 'reject']),
  reason: lineOfText(MAX_REASON_LENGTH),
  scope,
});
export type DecideClaimInput = z.output<typeof decideClaimInput>;

const heldQuoteSchema = z
  .strictObject({
    quote,
    section_id: id.optional().describe('Send this or path.'),
    path: id.optional().describe('Of a document; the quote may be anywhere in it.'),
    start_char: offset.optional().describe('Where the quote began in the section.'),
  })
  .refine(
    ({ section_id, path }) => (section_id === undefined) !== (path === undefined),
    'needs either section_id or path',
  );

export const verifyQuotesInput = z.strictObject({
  quotes: z.array(heldQuoteSchema).min(1).max(MAX_PIECES),
  scope,
});
export type VerifyQuotesInput = z.output<typeof verifyQuotesInput>;

const claimShape = {
  claim_id: z.string(),
  statement: z.string(),
  state: z.enum(CLAIM_STATES),
  /** Pieces that this caller may see, and the operators who decided have not seen. */
  evidence_added_after_decision: z.int(),
  created_by: z.string(),
  created_at: z.string(),
};

const placeShape = { section_id: z.string(), start_char: z.int(), end_char: z.int() };

const evidenceItem = z.strictObject({
  evidence_id: z.string(),
  stance: z.enum(STANCES),
  quote: z.string(),
  ...placeShape,
  /** SHA-256 of the text of the section, in hex. */
  section_hash: z.string(),
  path: z.string(),
  added_by: z.string(),
  added_at: z.string(),
});
export type EvidenceItem = z.output<typeof evidenceItem>;

const decisionItem = z.strictObject({
  decision: z.enum(['accept', 'reject']),
  reason: z.string(),
  decided_by: z.array(z.string()),
  proposed_by: z.string(),
  decided_at: z.string(),
});

export const claimOutput = z.strictObject({
  ...claimShape,
  /** Null for a claim without data. */
  schema: heldSchemaOutput.nullable(),
  /** The statement in a structured form, which fits the schema. */
  data: z.unknown(),
  /** In order; the last one counts. */
  decisions: z.array(decisionItem),
  /** Pieces that this caller may see. */
  evidence_total: z.int(),
  evidence: z.array(evidenceItem),
  ...pageShape,
});
export type ClaimOutput = z.output<typeof claimOutput>;

export const claimListOutput = z.strictObject({
  claims: z.array(z.strictObject({ ...claimShape, supports: z.int(), contradicts: z.int() })),
  ...pageShape,
});
export type ClaimListOutput = z.output<typeof claimListOutput>;

/** `unknown`: the words of the quote are too common, or it has none, so that not every section was searched. */
const STANDINGS = ['holds', 'moved', 'changed', 'gone', 'unknown'] as const;
export type Standing = (typeof STANDINGS)[number];

const standingShape = {
  state: z.enum(STANDINGS),
  /** Where the text is now; for `changed`, the text that replaces it. */
  place: z.strictObject({ ...placeShape, path: z.string() }).optional(),
  /** Only for `changed`. */
  change: z
    .strictObject({ old_text: z.string(), new_text: z.string(), only_white_space: z.boolean() })
    .optional(),
};
export type QuoteStanding = z.output<z.ZodObject<typeof standingShape>>;

export const verifyClaimOutput = z.strictObject({
  ...claimShape,
  evidence_total: z.int(),
  evidence: z.array(
    z.strictObject({ evidence_id: z.string(), stance: z.enum(STANCES), quote: z.string(), ...standingShape }),
  ),
  ...pageShape,
});
export type VerifyClaimOutput = z.output<typeof verifyClaimOutput>;

export const verifyQuotesOutput = z.strictObject({
  quotes: z.array(z.strictObject({ number: z.int(), ...standingShape })),
  ...limitShape,
  skipped: z.int().optional(),
});
export type VerifyQuotesOutput = z.output<typeof verifyQuotesOutput>;
