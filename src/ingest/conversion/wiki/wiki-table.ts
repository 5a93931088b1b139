interface WikiCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

interface WikiRow {
  readonly cells: WikiCell[];
  isHeader: boolean;
}

interface WikiTable {
  readonly caption: string;
  readonly rows: readonly WikiRow[];
  /** The number of its last line. */
  readonly end: number;
}

/** Reads a table of MediaWiki; a table in a cell is text of the cell. @param start  the number of its first line */
export function readWikiTable(lines: readonly string[], start: number): WikiTable {
  const rows: WikiRow[] = [];
  let caption = '';
  let isInCell = false;
  let depth = 0;
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    if (line.startsWith('{|')) depth++;
    if (line.startsWith('|}') && depth-- === 0) break;
    if (depth > 0 || line.startsWith('|}')) goOn(rows, nestedText(line));
    else if (/^\|\+/.test(line)) caption = readCell(line.slice(2)).text.trim();
    else if (line.startsWith('|-')) rows.push({ cells: [], isHeader: false });
    else if (/^[|!]/.test(line)) addCells(rows, line);
    else if (isInCell) goOn(rows, line);
    isInCell = /^[|!](?![-+])/.test(line) || (isInCell && !/^[|!]/.test(line));
  }
  return { caption, rows: rows.filter(({ cells }) => cells.length > 0), end: at };
}

function addCells(rows: WikiRow[], line: string): void {
  if (rows.length === 0) rows.push({ cells: [], isHeader: false });
  const row = rows.at(-1);
  const isHeader = line.startsWith('!');
  if (row?.cells.length === 0) row.isHeader = isHeader;
  row?.cells.push(...cellsOf(line));
}

const cellsOf = (line: string): WikiCell[] =>
  line
    .slice(1)
    .split(line.startsWith('!') ? /!!|\|\|/ : '||')
    .map(readCell);

function goOn(rows: readonly WikiRow[], line: string): void {
  const cells = rows.at(-1)?.cells;
  const { text = '', ...spans } = cells?.pop() ?? { columns: 1, rows: 1 };
  cells?.push({ text: `${text}\n${line}`, ...spans });
}

function nestedText(line: string): string {
  if (/^(?:\{\||\|[-}])/.test(line)) return '';
  const cells = cellsOf(/^[|!]/.test(line) ? line : `|${line}`);
  return cells.map(({ text }) => text).join(' ');
}

/** A cell begins with its attributes, which end with a bar. */
function readCell(cell: string): WikiCell {
  const [written = ''] = /^[^|[\]{}]{0,300}\|(?!\|)/.exec(cell) ?? [];
  const options = /=|^\s*\|/.test(written) ? written : '';
  const span = (name: string): number =>
    Number(new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,3})`, 'i').exec(options)?.[1] ?? 1);
  return { text: cell.slice(options.length), columns: span('colspan'), rows: span('rowspan') };
}
