import { findCode } from './find-code.js';

/**
 * Removes HTML comments outside code. Lines with nothing else are removed as well.
 * @param text  one block; an unclosed comment at its start removes all of it, as in a browser
 */
export function stripComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of findComments(text)) {
    const before = text.slice(from, start);
    const endsLine = end === text.length || text[end] === '\n';
    const shown = endsLine ? before.replace(/(?<![ \t])[ \t]+$/, '') : before;
    kept.push(shown);
    const isAlone = shown === '' ? from === 0 || text[from - 1] === '\n' : shown.endsWith('\n');
    from = isAlone && text[end] === '\n' ? end + 1 : end;
  }
  return kept.join('') + text.slice(from);
}

function* findComments(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const code = findCode(text);
  let from = 0;
  let next = 0;
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    let around = code[next];
    while (around && (around.end <= at || around.start < from)) around = code[++next];
    if (around && around.start <= at) {
      from = around.end;
      continue;
    }
    const end = endOfComment(text, at);
    if (end < 0) return;
    const isEscaped = text[at - 1] === '\\';
    from = isEscaped ? at + 4 : end;
    if (!isEscaped) yield { start: at, end };
  }
}

/** @returns a negative number for an unclosed comment that is not at the start */
function endOfComment(text: string, at: number): number {
  const end = text.indexOf('-->', at + 2);
  if (end >= 0) return end + 3;
  return text.slice(0, at).trim() === '' ? text.length : -1;
}
