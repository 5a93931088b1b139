import { prefixedId } from '../../src/memory/rows/memory-line.js';
import { OWN_FIELDS } from '../../src/search-docs/listed-search.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { marksIn } from './hostile-documents.js';
import { PRIVATE_MARK } from './hostile-memory.js';
import type { FileRow } from './memory-file.js';
import { parseDelimited } from './parse-delimited.js';
import type { Broken, Exchange } from './reply-laws.js';

/** A document in the index. */
interface KnownDocument {
  readonly docTag: string;
  readonly repository: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The complete index, regardless of scope. */
export interface World {
  readonly documents: ReadonlyMap<string, KnownDocument>;
  /** Texts by section id. */
  readonly sections: ReadonlyMap<string, string>;
  readonly rows: ReadonlyMap<string, FileRow>;
}

/** Reads an index without scope checks. */
export function readWorld(index: string, rows: readonly FileRow[]): World {
  const database = openDatabase(index);
  const documents = database.prepare('SELECT path, doc_tag, repository, metadata FROM document').all();
  const sections = database.prepare('SELECT section_id, text FROM section').all();
  database.close();
  return {
    documents: new Map(
      documents.map(({ path, doc_tag: docTag, repository, metadata }) => [
        String(path),
        {
          docTag: String(docTag),
          repository: String(repository),
          metadata: JSON.parse(String(metadata)) as Readonly<Record<string, string>>,
        },
      ]),
    ),
    sections: new Map(sections.map((row) => [String(row['section_id']), String(row['text'])])),
    rows: new Map(rows.map((row) => [prefixedId(row.table, row.id ?? ''), row])),
  };
}

interface Hit {
  readonly chunk_id: string;
  readonly score: number;
  readonly snippet: string;
  readonly filepath: string;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Chunk {
  readonly chunk_id: string;
  readonly offset: number;
  readonly text: string;
  readonly filepath: string;
}

interface Snippet {
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly created_at: string;
  readonly content_hash: string;
  readonly span_start: number;
  readonly span_end: number;
}

interface MemoryReply {
  readonly snippets: readonly Snippet[];
  readonly diagnostics: { readonly k_ret: number; readonly floor_used: number };
}

const broken = (law: Broken[0], isBroken: boolean, what: unknown): Broken[] =>
  isBroken ? [[law, typeof what === 'string' ? what : JSON.stringify(what)]] : [];

const isSorted = (scores: readonly number[]): boolean =>
  scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 0));
const isTwice = (ids: readonly string[]): boolean => new Set(ids).size < ids.length;

/** Checks that no reply, including errors, contains a marker of a document outside the server's scope. */
function marks({ call, result, world, serverTags, serverRepositories }: Exchange): Broken[] {
  const told = new Set(marksIn(JSON.stringify(call.args)));
  const shown = new Set(marksIn(JSON.stringify(result)).filter((mark) => !told.has(mark)));
  if (shown.size === 0 || (!serverTags && !serverRepositories)) return [];
  const isSeen = ({ docTag, repository }: KnownDocument): boolean =>
    (serverTags?.includes(docTag) ?? true) && (serverRepositories?.includes(repository) ?? true);
  const seen = [...world.documents.values()].filter(isSeen).map(({ metadata }) => metadata['mark'] ?? '');
  return [...shown].filter((mark) => !seen.includes(mark)).map((mark) => ['scope', mark] as const);
}

function searchLaws({ call, result, world }: Exchange): Broken[] {
  const { hits } = JSON.parse(result.content[0]?.text ?? '{}') as { hits: readonly Hit[] };
  const { limit = 10 } = call.args;
  const filters = Object.entries(call.args).filter(
    ([key, value]) => value !== null && !OWN_FIELDS.some((own) => own === key),
  );
  const isWanted = ({ filepath }: Hit): boolean => {
    const { metadata = {} } = world.documents.get(filepath) ?? {};
    return filters.every(([key, value]) => metadata[key] === value);
  };
  const isKnown = ({ chunk_id, filepath, metadata }: Hit): boolean =>
    world.sections.has(chunk_id) &&
    JSON.stringify(world.documents.get(filepath)?.metadata) === JSON.stringify(metadata);
  const ids = hits.map(({ chunk_id }) => chunk_id);
  return [
    ...broken('counts', hits.length > Number(limit), `${hits.length} hits`),
    ...hits.flatMap(({ snippet }) => broken('counts', snippet.length > 280, `${snippet.length} characters`)),
    ...hits.flatMap((hit) => broken('scope', !isWanted(hit), hit.filepath)),
    ...hits.flatMap((hit) => broken('verbatim', !isKnown(hit), hit.chunk_id)),
    ...broken('order', !isSorted(hits.map(({ score }) => score)) || isTwice(ids), ids),
  ];
}

function docLaws({ call, result, world }: Exchange): Broken[] {
  const blocks = parseDelimited(result.content[0]?.text ?? '');
  const { chunk_id: asked, context = 0 } = call.args;
  /** A path without context reads the document. */
  const readsOn = Number(context) === 0 && !String(asked).includes('#');
  const { chunks, partial = false } = (result.structuredContent ?? {}) as {
    chunks?: readonly Chunk[];
    partial?: boolean;
  };
  const isVerbatim = ({ chunk_id, text }: Chunk): boolean => {
    const stored = world.sections.get(chunk_id) ?? null;
    return partial ? (stored?.startsWith(text) ?? false) : stored === text;
  };
  const isSame = !chunks || isSameList(blocks, chunks);
  const files = new Set(chunks?.map(({ filepath }) => filepath));
  return [
    ...broken('delimited', blocks.filter(({ offset }) => offset === 0).length !== 1, blocks),
    ...broken('delimited', !isSame || files.size > 1, blocks),
    ...broken('counts', !readsOn && blocks.length > 2 * Number(context) + 1, `${blocks.length} chunks`),
    ...(chunks ?? []).flatMap((chunk) => broken('verbatim', !isVerbatim(chunk), chunk.chunk_id)),
  ];
}

function isSameList(
  blocks: readonly { readonly chunk_id: string; readonly offset: number }[],
  chunks: readonly Chunk[],
): boolean {
  const told = (all: readonly { readonly chunk_id: string; readonly offset: number }[]): string =>
    JSON.stringify(all.map(({ chunk_id, offset }) => [chunk_id, offset]));
  return told(blocks) === told(chunks);
}

/** True when a row matches the filters of a call. */
function isAdmitted(row: FileRow, args: Readonly<Record<string, unknown>>): boolean {
  const tagsAt = (key: string): readonly string[] => (args[key] as string[] | undefined) ?? [];
  const [included, excluded] = [tagsAt('include_tags'), tagsAt('exclude_tags')];
  const { tags = [], created_at: at = '' } = row;
  const { created_after: from = '', created_before: to = '9999-12-31' } = args;
  return (
    (included.length === 0 || tags.some((tag) => included.includes(tag))) &&
    !tags.some((tag) => excluded.includes(tag)) &&
    at >= String(from) &&
    at.slice(0, 10) <= String(to).slice(0, 10)
  );
}

function memoryLaws({ call, result, world }: Exchange): Broken[] {
  const output = (result.structuredContent ?? JSON.parse(result.content[0]?.text ?? '{}')) as MemoryReply;
  const { snippets, diagnostics } = output;
  const { args } = call;
  const most = Math.min(50, Math.max(1, Number(args['top_k'] ?? 10)));
  const ids = snippets.map(({ id }) => id);
  const rowOf = ({ id }: Snippet): FileRow | undefined => world.rows.get(id);
  const isOpen = (snippet: Snippet): boolean =>
    args['include_private'] === true || rowOf(snippet)?.is_private === false;
  const isVerbatim = (snippet: Snippet): boolean =>
    rowOf(snippet)?.text.slice(snippet.span_start, snippet.span_end) === snippet.text;
  const isWanted = (snippet: Snippet): boolean => {
    const row = rowOf(snippet);
    return row !== undefined && isAdmitted(row, args);
  };
  return [
    ...snippets.flatMap((snippet) => broken('private', !isOpen(snippet), snippet.id)),
    ...snippets.flatMap((snippet) => broken('scope', !isWanted(snippet), snippet.id)),
    ...snippets.flatMap((snippet) => broken('verbatim', !isVerbatim(snippet), snippet)),
    ...snippets.flatMap(({ text }) => broken('counts', text.length > 800, `${text.length} characters`)),
    ...snippets.flatMap(({ score }) => broken('scope', score < diagnostics.floor_used, `${score}`)),
    ...broken('counts', ids.length > most || diagnostics.k_ret !== ids.length, `${ids.length} of ${most}`),
    ...broken('order', !isSorted(snippets.map(({ score }) => score)), ids),
    ...broken('order', isTwice(snippets.map((snippet) => snippet.content_hash)), ids),
  ];
}

const LAWS_OF: Readonly<Record<string, (exchange: Exchange) => Broken[]>> = {
  search_docs: searchLaws,
  get_doc: docLaws,
  'inner_voice.retrieve': memoryLaws,
};

/** Laws of visibility for all replies, and further laws for search_docs, get_doc and inner_voice.retrieve. */
export function brokenDocsLaws(exchange: Exchange): Broken[] {
  const { call, result } = exchange;
  const isAsked = JSON.stringify(call.args).includes(PRIVATE_MARK) || call.args['include_private'] === true;
  const isPrivate = !isAsked && JSON.stringify(result).includes(PRIVATE_MARK);
  const own = result.isError ? [] : (LAWS_OF[call.tool]?.(exchange) ?? []);
  return [...marks(exchange), ...broken('private', isPrivate, call.tool), ...own];
}
