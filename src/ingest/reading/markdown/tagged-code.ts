import { fenceLine } from '../../../text/quotable/code-lines.js';

/** The tag above code at the start of a line: `{% highlight ruby %}`, `{% codeblock a.js %}`, `{{< highlight go >}}`. */
const OPEN =
  /^([ \t>]{0,100})(?:\{%-?[ \t]*(highlight|codeblock|code)(?![\w-])((?:[^%]|%(?!\})){0,500}?)-?%\}|\{\{[<%][ \t]*(highlight)(?![\w-])([^{}]{0,500}?)[>%]\}\})(.*)$/;
const MAY_OPEN = /\{%-?[ \t]*(?:highlight|code)|\{\{[<%][ \t]*highlight/;
const LANGUAGE = /^["']?([\w+#.-]{1,40})/;
/** Of Hexo, which names the file first. */
const NAMED_LANGUAGE = /\blang:([\w+#.-]{1,40})/;
const OPTION = /(?:^|[ \t])(?:\w{1,20}:\S{1,200}|https?:\S{1,500})/g;

interface Opened {
  readonly prefix: string;
  /** What follows the marks of the fence. */
  readonly info: string;
  readonly end: RegExp;
  /** Code behind the tag. */
  readonly rest: string;
}

function infoOf(tag: string, written: string): string {
  const options = written.trim();
  if (tag === 'highlight') return LANGUAGE.exec(options)?.[1] ?? '';
  const title = options.replace(OPTION, '').replace(/["`]/g, "'").trim();
  return `${NAMED_LANGUAGE.exec(options)?.[1] ?? ''}${title === '' ? '' : ` title="${title}"`}`;
}

function readOpen(line: string): Opened | null {
  const [, prefix = '', liquid, options, hugo, further, rest = ''] = OPEN.exec(line) ?? [];
  const tag = liquid ?? hugo;
  if (tag === undefined) return null;
  const end = hugo
    ? /\{\{[<%][ \t]*\/[ \t]*highlight[ \t]*[>%]\}\}/
    : new RegExp(`\\{%-?[ \\t]*end${tag}[ \\t]*-?%\\}`);
  return { prefix, info: infoOf(tag, options ?? further ?? ''), end, rest };
}

/** The code below a tag as a fence, and the number of lines that it takes; null if nothing ends it, or a fence is in it. */
function fenceBelow(
  lines: readonly string[],
  { prefix, info, end, rest }: Opened,
): [string[], number] | null {
  const at = [rest, ...lines].findIndex((line) => end.test(line));
  if (at < 0) return null;
  const all = [prefix + rest, ...lines.slice(0, at)];
  const last = all.pop() ?? '';
  const [tag = ''] = end.exec(last) ?? [];
  const index = last.indexOf(tag);
  const inner = [...all, last.slice(0, index)].filter(
    (line, order, { length }) => (order > 0 && order < length - 1) || /[^\s>]/.test(line),
  );
  const behind = last.slice(index + tag.length);
  // A block of GitBook, with a fence in it.
  if (end.source.includes('endcode[') && inner.some((line) => fenceLine(line))) return null;
  const longest = Math.max(2, ...(inner.join('\n').match(/`+/g) ?? []).map(({ length }) => length));
  const marks = prefix + '`'.repeat(longest + 1);
  const after = behind.trim() === '' ? [] : [prefix + behind.trimStart()];
  return [[marks + info, ...inner, marks, ...after], at];
}

/** Writes code between tags of Jekyll, Hexo and Hugo as fences, in which nothing is a heading, a list or a comment. */
export function fenceTaggedCode(text: string): string {
  if (!MAY_OPEN.test(text)) return text;
  const lines = text.split('\n');
  const out: string[] = [];
  let marks = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = fenceLine(line);
    if (fence && marks === '') marks = fence.marks;
    else if (fence && fence.marks.startsWith(marks) && !fence.hasLanguage) marks = '';
    const opened = marks === '' && !fence ? readOpen(line) : null;
    const [written, count] = (opened && fenceBelow(lines.slice(at + 1), opened)) ?? [[line], 0];
    out.push(...written);
    at += count;
  }
  return out.join('\n');
}
