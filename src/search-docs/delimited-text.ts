import type { Section } from '../core/section.js';
import { NO_FENCE, shownTitle, type TextFence } from '../text/untrusted-text.js';
import { isLaterPart } from './chunk-id.js';
import type { GetDocOutput } from './search-docs.schemas.js';

/** The fields of a chunk that its text shows. */
export type Delimited = Omit<GetDocOutput['chunks'][number], 'relation' | 'anchor' | 'filepath' | 'metadata'>;

/** A line that could be taken for a delimiter, with any character before it that a reader may take for a line break. */
const FORGED = /(^|[^\P{Cc}\t]|[\u2028\u2029])([^\S\n\r\v\f\u2028\u2029]*)(?=---\s*Chunk\s*:)/giu;

/** Puts a backslash before every line that looks like a delimiter. */
export function escapeDelimiters(text: string): string {
  return text.replace(FORGED, '$1$2\\');
}

/** The heading of a section as Markdown; null for a later part, which has none. */
export function headingLine(section: Pick<Section, 'id' | 'title' | 'level'>): string | null {
  return isLaterPart(section) ? null : `${'#'.repeat(section.level)} ${shownTitle(section.title)}`;
}

/** `--- Chunk: {id} (Chunk {position} of {total}) (Target|Context: {+N|-N}) ---`. */
export function delimiter({
  chunk_id,
  position,
  total,
  offset,
}: Omit<Delimited, 'heading' | 'text'>): string {
  const role = offset === 0 ? 'Target' : `Context: ${offset > 0 ? '+' : ''}${offset}`;
  return `--- Chunk: ${chunk_id} (Chunk ${position} of ${total}) (${role}) ---`;
}

/** A section after its delimiter. */
export function block(chunk: Delimited, fence: TextFence = NO_FENCE): string {
  const body = [chunk.heading, chunk.text].filter((part) => part !== null && part !== '').join('\n');
  return body === ''
    ? delimiter(chunk)
    : `${delimiter(chunk)}\n${fence(chunk.chunk_id, escapeDelimiters(body))}`;
}

const LIMITED =
  '(This reply is truncated: the farthest chunks were omitted first, then the end of the text. ' +
  'Fetch missing chunks by their own ID.)';

/** The last line of a reply that is not complete; '' for a complete one. */
function endLine({ chunks, partial, next_cursor: next }: DelimitedDoc): string {
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (next === undefined || !first || !last) return partial ? LIMITED : '';
  return (
    `(Chunks ${first.position} to ${last.position} of ${last.total}. ` +
    `To read on, call get_doc with chunk_id '${next}'.)`
  );
}

interface DelimitedDoc extends Pick<GetDocOutput, 'partial' | 'next_cursor'> {
  readonly chunks: readonly Delimited[];
}

/** All sections in reading order, each after its delimiter. A last line reports truncation. */
export function docText(doc: DelimitedDoc, fence: TextFence = NO_FENCE): string {
  const end = endLine(doc);
  return [...doc.chunks.map((chunk) => block(chunk, fence)), ...(end === '' ? [] : [end])].join('\n\n');
}
