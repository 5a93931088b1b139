import { createHash } from 'node:crypto';

/** What stands for a text that is not kept. */
export const REDACTED = '[redacted]';

/** Words of ours, which say nothing of what was asked. */
const OUR_WORDS = ['auto', 'vector_only', 'hybrid_local', 'text', 'bullets', 'graph', 'full', 'markdown'];

/** Names of fields within arguments that schemas of ours know; others are a caller's own words. */
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

/** Arguments of tools are flatter, and their lists shorter. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 64;
/** Taxonomy fields of search_docs are arguments; more no corpus has. */
const MAX_ARGUMENTS = 80;

/** What is kept of a question, so that it is known again: its SHA-256, hex. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a value has fields: an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is nested no deeper than the arguments of any tool are. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < 2 * MAX_DEPTH && Object.values(value).every((each) => isShallow(each, depth + 1));
}

/**
 * The same value without any text that a caller wrote: texts read `[redacted]`, lists keep their length up to 64, and of
 * objects the fields stay that we know. What lies deeper than arguments do is left out.
 */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return OUR_WORDS.includes(value) ? value : REDACTED;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  const known = Object.entries(value).filter(([name]) => OUR_FIELDS.includes(name));
  return Object.fromEntries(known.map(([name, each]) => [name, redact(each, depth + 1)]));
}

/** The arguments of a call that was answered, so that their names are a tool's own, without any text of the caller. */
export function redactArguments(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(input).slice(0, MAX_ARGUMENTS);
  return Object.fromEntries(known.map(([name, value]) => [name, redact(value)]));
}
