import type { SourceLine } from './source-line.js';

const PUNCTUATION = /^[!-/:-@[-`{-~]/;

/** The character that a whole line repeats; null for another line. */
export function adornmentOf(line: SourceLine | undefined): string | null {
  const text = line?.text ?? '';
  const [mark] = PUNCTUATION.exec(text) ?? [];
  if (mark === undefined) return null;
  for (let at = 1; at < text.length; at++) if (text[at] !== mark) return null;
  return mark;
}
