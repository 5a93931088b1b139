import { fenceLine } from '../../../text/quotable/code-lines.js';

/** The tag above code at the start of a line: `{% highlight ruby %}`, `{% codeblock a.js %}`, `{{< highlight go >}}`. */
const OPEN =
  /^([ \t>]{0,100})(?:\{%-?[ \t]*(highlight|codeblock|code)(?![\w-])((?:[^%]|%(?!\})){0,500}?)-?%\}|\{\{[<%][ \t]*(highlight)(?![\w-])([^{}]{0,500}?)[>%]\}\})(.*)$/;
const MAY_OPEN = /\{%-?[ \t]*(?:highlight|code)|\{\{[<%][ \t]*highlight/;
const LANGUAGE = /^["']?([\w+#.-]{1,40})/;
/** Of Hexo, which names the file first. */
const NAMED_LANGUAGE = /\blang:([\w+#.-]{1,40})/;
/** Of GitBook. */
const NAMED_TITLE = /\btitle="([^"]{1,200})"/;
const OPTION = /(?:^|[ \t])(?:\w{1,20}:\S{1,500}|\w{1,20}="[^"]{0,500}")/g;

interface Opened {
  readonly tag: string;
  readonly prefix: string;
  /** What follows the marks of the fence. */
  readonly info: string;
  readonly end: RegExp;
  /** Code behind the tag. */
  readonly rest: string;
}

function fenceInfo(tag: string, written: string): string {
  const options = written.trim();
  if (tag === 'highlight') return LANGUAGE.exec(options)?.[1] ?? '';
  const title = (NAMED_TITLE.exec(options)?.[1] ?? options.replace(OPTION, '')).replace(/["`]/g, "'").trim();
  return `${NAMED_LANGUAGE.exec(options)?.[1] ?? ''}${title === '' ? '' : ` title="${title}"`}`;
}

function readOpen(line: string): Opened | null {
  const [, prefix = '', liquid, options, hugo, further, rest = ''] = OPEN.exec(line) ?? [];
  const tag = liquid ?? hugo;
  if (tag === undefined) return null;
  const end = hugo
    ? /\{\{[<%][ \t]*\/[ \t]*highlight[ \t]*[>%]\}\}/
    : new RegExp(`\\{%-?[ \\t]*end${tag}[ \\t]*-?%\\}`);
  return { tag, prefix, info: fenceInfo(tag, options ?? further ?? ''), end, rest };
}

/** The lines of a text. */
class TextLines {
  private readonly found = new Map<string, number>();

  constructor(readonly all: readonly string[]) {}

  /** The next line with something; the number of lines if there is none. @param from  not less than in calls before */
  next(name: string, from: number, has: (line: string) => boolean): number {
    let at = Math.max(from, this.found.get(name) ?? 0);
    while (at < this.all.length && !has(this.all[at] ?? '')) at++;
    this.found.set(name, at);
    return at;
  }
}

/** Code that is less indented than its tag moves to the right: it would end the list item around it. */
function indented(code: readonly string[], prefix: string): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== '';
  if (prefix.includes('>') || code.every((line) => !isText(line) || line.startsWith(prefix))) return code;
  return code.map((line) => (isText(line) ? prefix + line : line));
}

/**
 * The code below a tag as a fence, and its last line. Null if no further line ends it, or a fence is in it. Code on one
 * line hides no heading.
 */
function fenceBelow(
  lines: TextLines,
  at: number,
  { tag, prefix, info, end, rest }: Opened,
): [string[], number] | null {
  const last = end.test(rest) ? at : lines.next(end.source, at + 1, (line) => end.test(line));
  if (last === at || last === lines.all.length) return null;
  // A block of GitBook, with a fence in it.
  if (tag === 'code' && lines.next('fence', at + 1, (line) => fenceLine(line) !== null) < last) return null;
  const ending = lines.all[last] ?? '';
  const [mark = ''] = end.exec(ending) ?? [];
  const index = ending.indexOf(mark);
  const below = indented([...lines.all.slice(at + 1, last), ending.slice(0, index)], prefix);
  const inner = [prefix + rest, ...below].filter(
    (line, order, { length }) => (order > 0 && order < length - 1) || /[^\s>]/.test(line),
  );
  const runs = inner.join('\n').match(/`+/g) ?? [];
  const marks = prefix + '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length), 2) + 1);
  const behind = ending.slice(index + mark.length).trim();
  return [[marks + info, ...inner, marks, ...(behind === '' ? [] : [prefix + behind])], last];
}

/** Writes code between tags of Jekyll, Hexo and Hugo as fences, in which nothing is a heading, a list or a comment. */
export function fenceTaggedCode(text: string): string {
  if (!MAY_OPEN.test(text)) return text;
  const lines = new TextLines(text.split('\n'));
  const out: string[] = [];
  let marks = '';
  for (let at = 0; at < lines.all.length; at++) {
    const line = lines.all[at] ?? '';
    const fence = fenceLine(line);
    if (fence && marks === '') marks = fence.marks;
    else if (fence && fence.marks.startsWith(marks) && !fence.hasLanguage) marks = '';
    const opened = marks === '' && !fence ? readOpen(line) : null;
    const [written, last] = (opened && fenceBelow(lines, at, opened)) ?? [[line], at];
    out.push(...written);
    at = last;
  }
  return out.join('\n');
}
