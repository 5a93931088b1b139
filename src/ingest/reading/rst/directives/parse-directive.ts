import { dedent, type SourceLine, trimBlank } from '../source-line.js';

const START = /^\.\. (?:\|[^|]{1,200}\| +)?([A-Za-z][\w+.:-]{0,80}) ?::(?: +(.*))?$/;
const OPTION = /^:(\w[\w .-]{0,60}):(?: +(.*))?$/;

export interface Directive {
  /** In lower case, with its domain. */
  readonly name: string;
  /** The lines between the name and the options or the first blank line; the first may be the only one. */
  readonly argument: readonly SourceLine[];
  readonly options: ReadonlyMap<string, string>;
  /** Without common indentation. */
  readonly content: readonly SourceLine[];
  /** Of its first line. */
  readonly line: number;
}

/** True for the first line of a directive. */
export const isDirective = (text: string): boolean => START.test(text);

/** Reads a directive from its first line and the indented lines below it; null for another construct. */
export function parseDirective(first: SourceLine, below: readonly SourceLine[]): Directive | null {
  const [, name, rest = ''] = START.exec(first.text) ?? [];
  if (name === undefined) return null;
  const body = dedent(below);
  let at = 0;
  while (at < body.length && body[at]?.text !== '' && !OPTION.test(body[at]?.text ?? '')) at++;
  const argument = [{ text: rest.trim(), line: first.line }, ...body.slice(0, at)].filter(
    ({ text }) => text !== '',
  );
  const options = new Map<string, string>();
  for (; OPTION.test(body[at]?.text ?? ''); at++) {
    const [, key = '', value = ''] = OPTION.exec(body[at]?.text ?? '') ?? [];
    const parts = [value.trim()];
    // Indented lines continue the value.
    while (body[at + 1]?.text.startsWith(' ')) parts.push((body[++at]?.text ?? '').trim());
    options.set(key.toLowerCase(), parts.join(' ').trim());
  }
  const content = dedent(trimBlank(body.slice(at)));
  return { name: name.toLowerCase(), argument, options, content, line: first.line };
}
