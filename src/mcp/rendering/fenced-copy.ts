import type { TextFence } from '../../text/untrusted-text.js';

/** Fields that name the source of the texts beside them. */
const IDS = new Set(['sha256', 'passage_id', 'section_id', 'chunk_id', 'id', 'node_id', 'parent_id']);
/** Fields with words of documents. */
const TEXTS = new Set([
  ...['quote', 'preview', 'excerpt', 'snippet', 'text', 'text_truncated', 'full_text', 'answer_markdown'],
  ...['title', 'heading', 'breadcrumb', 'parent_title', 'document_title', 'bullets'],
]);

/** The ids beside the texts of a value. Older tools list them as citations. */
function idsOf(value: object): string[] {
  return Object.entries(value)
    .filter(([field]) => IDS.has(field) || field === 'citations')
    .flatMap(([, id]: [string, unknown]) => id)
    .filter((id) => typeof id === 'string');
}

/** A field `path` is a file beside an id, but a path of headings beside a snippet. */
const isWords = (name: string, of: object): boolean =>
  TEXTS.has(name) || (name === 'path' && 'snippet' in of);

/** All ids below a value. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : idsOf(value);
  return [...own, ...Object.values(value).flatMap(idsIn)];
}

function copyOf(value: unknown, ids: readonly string[], fence: TextFence): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, ids, fence));
  if (typeof value !== 'object' || value === null) return value;
  const found = idsOf(value);
  const own = found.length > 0 ? found : ids;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      name,
      isWords(name, value) ? fenced(field, own, fence) : copyOf(field, own, fence),
    ]),
  );
}

/** A text, or each of a list of texts, between marks. */
function fenced(field: unknown, ids: readonly string[], fence: TextFence): unknown {
  if (typeof field === 'string') return fence(ids, field);
  if (!Array.isArray(field)) return copyOf(field, ids, fence);
  return field.map((item: unknown) =>
    typeof item === 'string' ? fence(ids, item) : copyOf(item, ids, fence),
  );
}

/** An output whose texts from untrusted documents are fenced, for tools that send their output as JSON text. */
export function fencedCopy(output: unknown, fence: TextFence): unknown {
  return copyOf(output, idsIn(output), fence);
}
