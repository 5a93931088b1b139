import { indent, type SourceLine, trimBlank } from '../source-line.js';

/** Writes an item: its marker, then its content at the column after the marker. */
export function item(marker: string, content: readonly SourceLine[], line: number): readonly SourceLine[] {
  const [first, ...rest] = trimBlank(content);
  const width = marker.length + 1;
  return [{ text: `${marker} ${first?.text ?? ''}`.trimEnd(), line }, ...indent(rest, width)];
}
