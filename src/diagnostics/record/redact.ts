import { createHash } from 'node:crypto';
import { isNestedDeeper } from '../../text/nesting.js';

/** Replaces texts that are not stored. */
export const REDACTED = '[redacted]';

/** Fixed words, which reveal nothing about the query. */
const OUR_WORDS = ['auto', 'vector_only', 'hybrid_local', 'text', 'bullets', 'graph', 'full', 'markdown'];

/** Argument field names from our schemas; other names may be private text. */
const OUR_FIELDS = [
  'doc_tag',
  'doc_tags',
  'document_id',
  'environment',
  'include_debug',
  'include_scores',
  'max_per_doc',
  'max_snippet_chars',
  'mode',
  'path_prefix',
  'project_id',
  'repositories',
  'rewrite',
  'updated_after',
];

/** Arguments of tools stay below these limits. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 64;
/** Taxonomy fields of search_docs are arguments; no corpus has more. */
const MAX_ARGUMENTS = 80;

/** SHA-256 of a question in hex, stored to recognize it. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** True for objects that are not arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if a value is nested no deeper than the arguments of any tool. */
export const isShallow = (value: unknown): boolean => !isNestedDeeper(value, 2 * MAX_DEPTH);

/**
 * The value without texts from the caller: texts become `[redacted]`, lists keep their length up to 64, and objects
 * keep known fields. Values nested too deep are removed.
 */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return OUR_WORDS.includes(value) ? value : REDACTED;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  const known = Object.entries(value).filter(([name]) => OUR_FIELDS.includes(name));
  return Object.fromEntries(known.map(([name, each]) => [name, redact(each, depth + 1)]));
}

/** Redacts the arguments of an answered call; their names come from the tool's schema. */
export function redactArguments(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(input).slice(0, MAX_ARGUMENTS);
  return Object.fromEntries(known.map(([name, value]) => [name, redact(value)]));
}
