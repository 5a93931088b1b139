/** Writes rows as RFC 4180 says: CRLF after each row, fields with commas, quotes or line breaks in quotes. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

// A row of one empty field would otherwise be a blank line, which readers skip.
const toField = (value: string, _at: number, row: readonly string[]): string =>
  /[",\r\n]/.test(value) || (row.length === 1 && value === '') ? `"${value.replaceAll('"', '""')}"` : value;
