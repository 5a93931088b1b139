import { InvalidArgumentError } from '../../core/errors.js';
import type { DiagnosticRecord } from './diagnostic-record.js';
import { hashOf, isObject, REDACTED } from './redact.js';

/** Tools whose retrievals can be replayed from a diagnostic. */
export const RETRIEVAL_TOOLS = [
  'kb.search',
  'kb.retrieve_evidence',
  'search_docs',
  'search_sections',
] as const;
export type RetrievalToolName = (typeof RETRIEVAL_TOOLS)[number];

/** A tool that ranks alike and takes the same arguments. */
const OTHER_NAMES: Readonly<Record<string, RetrievalToolName>> = {
  'index.search': 'kb.search',
  search: 'search_docs',
};

/** Narrows a tool's name; null if the tool can't be replayed. */
export function retrievalToolNamed(name: string): RetrievalToolName | null {
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  return other ?? RETRIEVAL_TOOLS.find((known) => known === name) ?? null;
}

/** Texts given for a call that was recorded without them. */
interface GivenTexts {
  readonly query?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly parts?: readonly string[] | undefined;
  /** Keyed by their names in `filters`. */
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
}

/** A call ready to be replayed. */
export interface ReplayRequest {
  readonly request: Readonly<Record<string, unknown>>;
  /** True if the query's hash equals the recorded one; null if none was recorded. */
  readonly isSameQuery: boolean | null;
  /** Arguments that are omitted because their texts were not stored. */
  readonly missing: readonly string[];
}

/** Arguments that apply to one call only or that the record has elsewhere. */
const NOT_REPLAYED = ['cursor', 'scope', 'session_id', 'diagnostic_debug'];

/** Removes redacted values. @param missing  collects their names */
function withoutRedacted(value: unknown, name: string, missing: string[]): unknown {
  if (value === REDACTED || (Array.isArray(value) && value.includes(REDACTED))) {
    missing.push(name);
    return undefined;
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const read = withoutRedacted(each, name === '' ? key : `${name}.${key}`, missing);
    return read === undefined ? [] : [[key, read] as const];
  });
  return Object.fromEntries(kept);
}

function noArguments({ diagnostic_id, error }: DiagnosticRecord): InvalidArgumentError {
  return new InvalidArgumentError(`The diagnostic ${diagnostic_id} has no stored arguments.`, {
    reason: 'request_not_stored',
    hint: error
      ? 'Arguments of failed calls are stored only with RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT=true.'
      : 'Ask again with pith ask or pith diagnostics why.',
  });
}

function noText({ query }: DiagnosticRecord): InvalidArgumentError {
  return new InvalidArgumentError('The text of the query was not stored.', {
    reason: 'query_text_missing',
    hint: `Give it with --query: it had ${query.query_length} characters, and its hash is compared. RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT=true stores texts.`,
  });
}

/** Restores a call's arguments. @throws InvalidArgumentError `request_not_stored`, `query_text_missing` */
export function replayRequest(record: DiagnosticRecord, given: GivenTexts): ReplayRequest {
  const { request, query } = record;
  if (!request) throw noArguments(record);
  const field = 'question' in request ? 'question' : 'query';
  const { [field]: kept, ...others } = request;
  const stored = query.raw ?? (kept === REDACTED ? null : kept);
  const text = given.query ?? stored;
  if (typeof text !== 'string') throw noText(record);
  const asked = Object.fromEntries(Object.entries(others).filter(([key]) => !NOT_REPLAYED.includes(key)));
  const { keywords, parts, filters } = given;
  const givenFilters = Object.entries(filters ?? {}).map(([name, value]) => [`filters.${name}`, value]);
  const isGiven: Record<string, unknown> = { keywords, parts, ...Object.fromEntries(givenFilters) };
  const missing: string[] = [];
  const read = withoutRedacted(asked, '', missing);
  const whole = isObject(read) ? read : {};
  const keptFilters = isObject(whole['filters']) ? whole['filters'] : {};
  return {
    request: {
      ...whole,
      [field]: text,
      ...(keywords ? { keywords } : {}),
      ...(parts ? { parts } : {}),
      ...(filters ? { filters: { ...keptFilters, ...filters } } : {}),
    },
    isSameQuery: query.query_hash === null ? null : hashOf(text) === query.query_hash,
    missing: missing.filter((name) => isGiven[name] === undefined),
  };
}
