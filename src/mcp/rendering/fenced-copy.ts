import type { TextFence } from '../../text/untrusted-text.js';

/** Fields that name the source of the texts beside them, most exact first. */
const IDS = ['passage_id', 'section_id', 'chunk_id', 'id', 'node_id', 'parent_id'];
/** Fields with words of documents. */
const TEXTS = new Set([
  ...['quote', 'preview', 'excerpt', 'snippet', 'text', 'text_truncated', 'full_text', 'answer_markdown'],
  ...['title', 'heading', 'breadcrumb', 'parent_title', 'document_title'],
]);

function idOf(value: object): string | undefined {
  const fields = Object.entries(value);
  return IDS.flatMap((name) => fields.filter(([field]) => field === name)).find(
    ([, id]) => typeof id === 'string',
  )?.[1];
}

/** A field `path` is a file beside an id, but a path of headings beside a snippet. */
const isWords = (name: string, of: object): boolean =>
  TEXTS.has(name) || (name === 'path' && 'snippet' in of);

/** All ids below a value. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? undefined : idOf(value);
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(idsIn)];
}

function copyOf(value: unknown, ids: readonly string[], fence: TextFence): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, ids, fence));
  if (typeof value !== 'object' || value === null) return value;
  const id = idOf(value);
  const own = id === undefined ? ids : [id];
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' && isWords(name, value) ? fence(own, field) : copyOf(field, own, fence),
    ]),
  );
}

/** An output whose texts from untrusted documents are fenced, for tools that send their output as JSON text. */
export function fencedCopy(output: unknown, fence: TextFence): unknown {
  return copyOf(output, idsIn(output), fence);
}
