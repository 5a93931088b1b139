interface WikiRow {
  readonly cells: string[];
  isHeader: boolean;
}

interface WikiTable {
  readonly caption: string;
  readonly rows: readonly WikiRow[];
  /** The number of its last line. */
  readonly end: number;
}

/** Reads a table of MediaWiki; tables in cells are left out. @param start  the number of its first line */
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
    if (depth > 0) continue;
    if (/^\|\+/.test(line)) caption = withoutOptions(line.slice(2)).trim();
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
  row?.cells.push(
    ...line
      .slice(1)
      .split(isHeader ? /!!|\|\|/ : '||')
      .map(withoutOptions),
  );
}

function goOn(rows: readonly WikiRow[], line: string): void {
  const cells = rows.at(-1)?.cells ?? [];
  cells.push(`${cells.pop() ?? ''}\n${line}`);
}

/** The text of a cell without its attributes, which end with a bar. */
function withoutOptions(cell: string): string {
  const at = /^[^|[\]{}]{0,300}\|(?!\|)/.exec(cell);
  return at && /=|^\s*\|/.test(at[0]) ? cell.slice(at[0].length) : cell;
}
