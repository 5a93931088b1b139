import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { InvalidArgumentError } from '../../core/errors.js';
import type { MemoryFormat } from './memory-formats.js';
import { parseMemoryLine } from './memory-line.js';
import type {
  ImportedRow,
  ImportReport,
  MemoryWriter,
  RowProgress,
} from '../../core/ports/memory-writer.port.js';
import { readLines } from './read-lines.js';
import type { FileLine } from './read-lines.js';
import { entityRows, EntityRelations, MAX_RELATIONS, parseGraphLine } from './reference-graph.js';

/** A line that is longer holds no row that could be kept; an entity's line holds all its observations. */
const MAX_LINE_BYTES = 8 * 1_048_576;

/** Rows that are handed on together. */
const BATCH = 500;

/** Lines among which one shall tell the format. */
const TELLING_LINES = 100;

export interface MemoryImport {
  readonly file: string;
  /** What the import is called: rows that it brought are found again by it. */
  readonly source: string;
  /** Null to find out from the file. */
  readonly format: MemoryFormat | null;
  /** Remove what an earlier import of the source brought and this one does not; always so for a graph. */
  readonly replace: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Bytes of the file that are read. */
  readonly onRead: (progress: { readonly done: number; readonly total: number }) => void;
  readonly onWrite: RowProgress;
  /** A line that was skipped, or a part of one. */
  readonly onProblem: (line: number, reason: string) => void;
}

export interface MemoryImported extends ImportReport {
  readonly format: MemoryFormat;
  /** Lines, and observations of entities, that could not be read. */
  readonly skipped: number;
  /** Whether rows would have been removed, had all lines been readable. */
  readonly keptMissing: boolean;
  /** Whether the file holds nothing, so that nobody knows its format, and nothing was removed. */
  readonly isEmpty: boolean;
}

function unreadable(file: string, why: string, cause?: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${file} can't be read: ${why}.`, {
    reason: 'memory_input_unreadable',
    hint: 'Give a file; pith memory import --help lists the formats.',
    cause,
  });
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
  throw unreadable(file, 'it is not a file');
}

const isBlank = ({ text }: FileLine): boolean => text !== null && text.trim() === '';

/** Which format a file has: that of its first line that tells. */
async function formatOf(handle: FileHandle): Promise<MemoryFormat> {
  for await (const { number, text } of readLines(handle, MAX_LINE_BYTES)) {
    if (text !== null && 'value' in parseGraphLine(text)) return 'memory-json';
    if ((text !== null && 'value' in parseMemoryLine(text)) || number > TELLING_LINES) break;
  }
  return 'jsonl';
}

/** What one line gives. */
interface LineRows {
  readonly rows: readonly ImportedRow[];
  readonly problems: readonly string[];
}

function rowsOfLine(text: string): LineRows {
  const parsed = parseMemoryLine(text);
  return 'value' in parsed
    ? { rows: [parsed.value], problems: [] }
    : { rows: [], problems: [parsed.problem] };
}

/** Reads all relations first: an entity's text names them, and they follow the entities in the file. */
async function graphReader(handle: FileHandle, source: string): Promise<(text: string) => LineRows> {
  const relations = new EntityRelations();
  let hasRoom = true;
  for await (const { text } of readLines(handle, MAX_LINE_BYTES)) {
    const parsed = text === null ? null : parseGraphLine(text);
    if (parsed && 'value' in parsed && parsed.value.type === 'relation') {
      hasRoom = relations.add(parsed.value) && hasRoom;
    }
  }
  let seen = 0;
  return (text) => {
    const parsed = parseGraphLine(text);
    if ('problem' in parsed) return { rows: [], problems: [parsed.problem] };
    if (parsed.value.type === 'entity') return entityRows(source, parsed.value, relations);
    const isOver = !hasRoom && ++seen > MAX_RELATIONS;
    return { rows: [], problems: isOver ? [`there are more than ${MAX_RELATIONS} relations`] : [] };
  };
}

/** Hands rows to the writer. @returns how many lines, or parts of lines, were skipped */
async function putAll(
  handle: FileHandle,
  { writer, rowsOf }: { readonly writer: MemoryWriter; readonly rowsOf: (text: string) => LineRows },
  { onRead, onProblem }: MemoryImport,
): Promise<number> {
  const total = (await handle.stat()).size;
  let skipped = 0;
  let batch: ImportedRow[] = [];
  for await (const line of readLines(handle, MAX_LINE_BYTES)) {
    if (isBlank(line)) continue;
    const { rows, problems } =
      line.text === null ? { rows: [], problems: [line.problem] } : rowsOf(line.text);
    for (const problem of problems) onProblem(line.number, problem);
    skipped += problems.length;
    batch.push(...rows);
    if (batch.length < BATCH) continue;
    await writer.put(batch);
    batch = [];
    onRead({ done: line.end, total });
  }
  await writer.put(batch);
  onRead({ done: total, total });
  return skipped;
}

/** When rows that don't say were made: when the file was, and never in the future. */
async function createdAtOf(handle: FileHandle, now: number): Promise<string> {
  const { mtimeMs } = await handle.stat();
  return new Date(Math.min(mtimeMs, now)).toISOString();
}

/**
 * Imports a file into memory: all rows that can be read, in one step. Others are told to `onProblem` and skipped.
 * Where any was skipped nothing is removed, since it may be what is missed.
 * @throws InvalidArgumentError for a file that can't be read
 */
export async function importMemory(writer: MemoryWriter, input: MemoryImport): Promise<MemoryImported> {
  const { source, now, onWrite } = input;
  const handle = await openFile(input.file);
  try {
    const format = input.format ?? (await formatOf(handle));
    const rowsOf = format === 'jsonl' ? rowsOfLine : await graphReader(handle, source);
    await writer.begin(source);
    const skipped = await putAll(handle, { writer, rowsOf }, input);
    const isWhole = input.replace || format === 'memory-json';
    const createdAt = await createdAtOf(handle, now());
    const report = await writer.finish({ removeMissing: isWhole && skipped === 0, createdAt }, onWrite);
    const read = report.added + report.updated + report.unchanged + skipped;
    return {
      ...report,
      format,
      skipped,
      keptMissing: isWhole && skipped > 0,
      isEmpty: !isWhole && read === 0,
    };
  } finally {
    await handle.close();
  }
}
