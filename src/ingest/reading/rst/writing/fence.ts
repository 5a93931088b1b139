import { dedent, type SourceLine, trimBlank } from '../source-line.js';

/** Writes lines as a fenced block of code, with blank lines around it; [] without code. */
export function fence(code: readonly SourceLine[], language = ''): readonly SourceLine[] {
  const kept = dedent(trimBlank(code));
  const [first] = kept;
  const last = kept.at(-1);
  if (!first || !last) return [];
  const ticks = '`'.repeat(kept.reduce((most, { text }) => Math.max(most, ticksOf(text) + 1), 3));
  const info = /^[\w+#.-]{1,40}$/.test(language) ? language : '';
  const blank = { text: '', line: first.line };
  const open = { text: ticks + info, line: first.line };
  return [blank, open, ...kept, { text: ticks, line: last.line }, { text: '', line: last.line }];
}

function ticksOf(text: string): number {
  const code = text.trimStart();
  let count = 0;
  while (code[count] === '`') count++;
  return count;
}
