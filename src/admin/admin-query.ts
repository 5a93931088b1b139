import { z } from 'zod';
import { type DiagnosticFilter, RECORD_OUTCOMES } from '../diagnostics/archive/diagnostic-filter.js';
import { isDiagnosticId } from '../diagnostics/archive/diagnostic-paths.js';
import { ANSWERABLE } from '../kb/evidence.schemas.js';
import { removeInvisible } from '../text/remove-invisible.js';
import { seenText } from '../text/show-unseen.js';
import { AdminFailure } from './admin-failure.js';

const HOUR_MS = 3_600_000;
const flag = z.enum(['1', '0', 'true', 'false']).transform((value) => value === '1' || value === 'true');

const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Text that a person types, without invisible characters: with one, it would look like another text. */
export const typedText = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .superRefine((text, context) => {
      const unseen = text.codePointAt(removeInvisible(text).removedAt[0] ?? text.search(CONTROL));
      if (unseen === undefined) return;
      const message = `has a character that nobody can see: ${seenText(String.fromCodePoint(unseen))}`;
      context.addIssue({ code: 'custom', message });
    });

const word = typedText(256);

/** Forms send times without a zone; they are UTC. */
export const instantSchema = z
  .string()
  .max(40)
  .transform((text, context) => {
    const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`);
    const isInstant = !Number.isNaN(at) && /^\d{4}-\d{2}-\d{2}/.test(text);
    if (isInstant && at >= 0 && at < Date.UTC(10_000, 0)) return new Date(at).toISOString();
    context.addIssue({ code: 'custom', message: 'expected a time such as 2026-01-31T14:00Z' });
    return z.NEVER;
  });

const listSchema = z.strictObject({
  tool: word.optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
  outcome: z.enum(RECORD_OUTCOMES).optional(),
  error_code: word.optional(),
  degraded: flag.optional(),
  partial: flag.optional(),
  min_ms: z.coerce.number().min(0).max(HOUR_MS).optional(),
  session_id: word.optional(),
  principal: word.optional(),
  answerable: z.enum(ANSWERABLE).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  cursor: z.string().max(1_024).optional(),
});

const settingsSchema = z.strictObject({ find: word.optional(), changed: flag.optional() });

/** Filters of the settings page. */
export type SettingsQuery = z.output<typeof settingsSchema>;

/** Filters of a list of diagnostics, named as in URLs. */
export type ListQuery = z.output<typeof listSchema>;

const sectionSchema = z.strictObject({ section: typedText(1_024).optional() });

function filledIn(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** The problems of what was given, on one line. @param whole  a word for all of it */
export function problemsText({ issues }: z.ZodError, whole: string): string {
  return issues
    .map(({ path, message }) => `${path.join('.') || whole}: ${message}`)
    .join('; ')
    .slice(0, 500);
}

/** Parses the query of a page. @throws AdminFailure INVALID_ARGUMENT */
export function parseQuery<T extends z.ZodObject>(schema: T, query: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(filledIn(query));
  if (success) return data;
  throw new AdminFailure(
    'INVALID_ARGUMENT',
    problemsText(error, 'query'),
    `Allowed parameters: ${Object.keys(schema.shape).join(', ')}.`,
  );
}

/** Parses a form, or a query with few fields. @param hint  the next step @throws AdminFailure INVALID_ARGUMENT */
export function parseGiven<T extends z.ZodType>(schema: T, given: unknown, hint: string): z.output<T> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new AdminFailure('INVALID_ARGUMENT', problemsText(error, 'form'), hint);
}

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseListQuery = (query: unknown): ListQuery => parseQuery(listSchema, query);

/** The id of the section to look up; '' for none. @throws AdminFailure INVALID_ARGUMENT */
export const parseSectionQuery = (query: unknown): string => parseQuery(sectionSchema, query).section ?? '';

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseSettingsQuery = (query: unknown): SettingsQuery => parseQuery(settingsSchema, query);

export function toFilter(query: ListQuery): DiagnosticFilter {
  return {
    tool: query.tool,
    since: query.since,
    until: query.until,
    outcome: query.outcome,
    errorCode: query.error_code,
    isDegraded: query.degraded,
    isPartial: query.partial,
    minTotalMs: query.min_ms,
    sessionId: query.session_id,
    principal: query.principal,
    answerable: query.answerable,
  };
}

/** @throws AdminFailure NOT_FOUND for invalid ids */
export function parseId(id: string): string {
  if (isDiagnosticId(id)) return id.toLowerCase();
  throw noDiagnostic();
}

export function noDiagnostic(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'No diagnostic has this id.',
    'Diagnostics exist only for sampled and failed retrievals, and are deleted after RETRIEVAL_DIAGNOSTICS_RETENTION_DAYS.',
  );
}
