import { beginsProse } from '../../begins-prose.js';
import { type SourceLine, trimBlank } from '../source-line.js';

/** A name in bold, and in code if it contains none. */
export const codeTerm = (term: string): string => (term.includes('`') ? `**${term}**` : `**\`${term}\`**`);

/** Writes a title and the text that it belongs to; in one paragraph if the text begins with prose. */
export function lead(
  title: string,
  content: readonly SourceLine[],
  { line, isOwnLine }: { readonly line: number; readonly isOwnLine: boolean },
): readonly SourceLine[] {
  const blank = { text: '', line };
  const [first, ...rest] = trimBlank(content);
  if (!first) return [{ text: title, line }, blank];
  const end = { text: '', line: rest.at(-1)?.line ?? first.line };
  if (!beginsProse(first.text)) return [{ text: title, line }, blank, first, ...rest, end];
  if (!isOwnLine) return [{ text: `${title} ${first.text}`, line }, ...rest, end];
  return [{ text: title, line }, first, ...rest, end];
}
