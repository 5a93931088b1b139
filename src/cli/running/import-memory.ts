import { type FileHandle, open } from 'node:fs/promises';
import { InvalidArgumentError } from '../../core/errors.js';
import type { ImportedRow, ImportReport, RowProgress } from '../../core/ports/memory-store.port.js';
import type { MemoryFormat } from '../../memory/rows/memory-formats.js';
import { parseMemoryLine } from '../../memory/rows/memory-line.js';
import { type FileLine, readLines } from '../../memory/rows/read-lines.js';
import {
  EntityRelations,
  entityRows,
  type LineRows,
  MAX_RELATIONS,
  parseGraphLine,
} from '../../memory/rows/reference-graph.js';
import type { MemoryWriter } from '../../sqlite/memory/memory-writer.js';

/** Longest line; far above the largest row, since an entity's line contains all its observations. */
const MAX_LINE_BYTES = 8 * 1_048_576;

/** Rows written together. */
const BATCH = 500;

/** Lines to read when detecting the format. */
const FORMAT_LINES = 100;

export interface MemoryImport {
  readonly file: string;
  /** Name of the import; a later import with the same name updates its rows. */
  readonly source: string;
  /** Null to detect it from the file. */
  readonly format: MemoryFormat | null;
  /** Remove rows of an earlier import of this source that are missing now; always true for a graph. */
  readonly replace: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Progress in bytes of the file. */
  readonly onRead: (progress: { readonly done: number; readonly total: number }) => void;
  readonly onWrite: RowProgress;
  /** Called for each skipped line, or skipped part of a line. */
  readonly onProblem: (line: number, reason: string) => void;
}

export interface MemoryImported extends ImportReport {
  readonly format: MemoryFormat;
  /** Number of lines, and of observations, that could not be read. */
  readonly skipped: number;
  /** True if missing rows were kept because some lines could not be read. */
  readonly keptMissing: boolean;
  /** True if the file has no rows; its format is then unknown, and nothing was removed. */
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

/** Detects the format from the first line that is valid in one of them. */
async function formatOf(handle: FileHandle): Promise<MemoryFormat> {
  for await (const { number, text } of readLines(handle, MAX_LINE_BYTES)) {
    if (text !== null && 'value' in parseGraphLine(text)) return 'memory-json';
    if ((text !== null && 'value' in parseMemoryLine(text)) || number > FORMAT_LINES) break;
  }
  return 'jsonl';
}

function rowsOfLine(text: string): LineRows {
  const parsed = parseMemoryLine(text);
  return 'value' in parsed
    ? { rows: [parsed.value], problems: [] }
    : { rows: [], problems: [parsed.problem] };
}

/** Reads all relations first: the text of an entity names them, and in the file they come after the entities. */
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

/** Passes all rows to the writer. @returns number of skipped lines and parts of lines */
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

/** The creation time of rows without one: the file's modification time, but never in the future. */
async function createdAtOf(handle: FileHandle, now: number): Promise<string> {
  const { mtimeMs } = await handle.stat();
  return new Date(Math.min(mtimeMs, now)).toISOString();
}

/**
 * Imports all readable rows of a file in one step. Unreadable rows are skipped and reported to `onProblem`. If
 * any row is skipped, no missing row is removed, since it may be the skipped one.
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
