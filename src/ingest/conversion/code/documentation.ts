import { decodeEntities } from '../../reading/decode-entities.js';
import { codeBlock } from '../../reading/markdown-spans.js';

/** Removes the common indentation of all lines but the first. */
function dedent(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const indents = rest
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const least = indents.reduce((a, b) => Math.min(a, b), Infinity);
  return [first.trim(), ...rest.map((line) => line.slice(Math.min(least, line.length)).trimEnd())]
    .join('\n')
    .trim();
}

/** The text of comments without their marks. */
export function uncomment(comment: string): string {
  if (comment.startsWith('/*'))
    return dedent(
      comment
        .replace(/^\/\*[*!]?|\*+\/$/g, '')
        .split('\n')
        .map((line) => line.replace(/^[ \t]*\*+ ?/, ''))
        .join('\n'),
    );
  return comment.replace(/^[ \t]*\/\/[/!]? ?/gm, '').trim();
}

/** Changes the lines of a text outside of its fences. */
function outsideFences(text: string, change: (line: string) => string): string {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      return isFence || isCode ? line : change(line);
    })
    .join('\n');
}

/** Headings in a comment as bold text: a section is one declaration. */
const withoutHeadings = (text: string): string =>
  outsideFences(text, (line) => line.replace(/^#{1,6} (.{1,200})$/, '**$1**\n')).trim();

/** A comment of Go or Rust, which is nearly Markdown. */
export const plainDocumentation = (text: string): string =>
  withoutHeadings(text.replace(/^ {1,3}(?=[-*+] |\d+\. )/gm, ''));

const WORDS: Readonly<Record<string, string>> = {
  return: 'Returns',
  returns: 'Returns',
  throws: 'Throws',
  exception: 'Throws',
  deprecated: 'Deprecated',
  since: 'Since',
  see: 'See',
  remarks: '',
  description: '',
  defaultValue: 'Default',
  default: 'Default',
};

/** Tags whose text is not for readers, or repeats the signature. */
const WITHOUT_TEXT =
  /^(?:author|version|serial|type|typedef|template|class|constructor|function|method|memberof|public|export|module|file|fileoverview|packageDocumentation|override|inheritDoc|license|copyright|suppress|api)$/i;

/** One tag with its text, as an item of a list. */
function taggedText(name: string, text: string): string {
  const body = text.replace(/^[ \t]*\{[^{}]{0,200}\}[ \t]*/, '').trim();
  if (WITHOUT_TEXT.test(name)) return '';
  if (/^(?:param|arg|argument|property|prop|typeParam)$/.test(name)) {
    const [, of = '', rest = ''] =
      /^(\[[^\]]{0,200}\]|<\w{1,80}>|\S{1,200})\s*(?:-\s+)?([^]*)$/.exec(body) ?? [];
    return `- \`${of.replace(/^[[<]|[\]>]$/g, '')}\`: ${rest.replace(/\s*\n\s*/g, ' ')}`;
  }
  if (name === 'example') return `**Example**\n\n${/```|~~~/.test(body) ? body : codeBlock(body, '')}\n`;
  if (/^(?:throws|exception)$/.test(name))
    return `- Throws ${body.replace(/^([\w.]{1,200})(?=\s|$)/, '`$1`').replace(/\s*\n\s*/g, ' ')}`;
  const word = WORDS[name] ?? name;
  return word === '' ? body : `- ${word}: ${body.replace(/\s*\n\s*/g, ' ')}`;
}

/** A comment of JSDoc, TSDoc or Javadoc. */
export function taggedDocumentation(text: string, isHtml: boolean): string {
  const inline = text
    .replace(/\{@(?:code|literal)\s([^{}]{0,1000})\}/g, '`$1`')
    .replace(
      /\{@(?:link|linkplain|linkcode|see|value)\s+([^\s{}|]{1,500})(?:[\s|]+([^{}]{1,500}))?\}/g,
      (_, to: string, label?: string) => label?.trim() ?? `\`${to.replace(/^#/, '')}\``,
    )
    .replace(/\{@inherit[Dd]oc\}/g, '');
  const [about = '', ...tags] = inline.split(/^[ \t]*@(?=[a-zA-Z])/m);
  const items = tags.map((tag) => {
    const [, name = '', rest = ''] = /^(\w+)([^]*)$/.exec(tag) ?? [];
    return taggedText(name, rest);
  });
  const all = [about.trim(), items.filter(Boolean).join('\n')].join('\n\n').trim();
  return withoutHeadings(isHtml ? withoutHtml(all) : all);
}

/** The elements of Javadoc as Markdown. */
function withoutHtml(text: string): string {
  const blocks = text.replace(
    /<pre>([^]{0,20000}?)<\/pre>/gi,
    (_, code: string) =>
      `\n${codeBlock(decodeEntities(code.replace(/^\s*`|`\s*$/g, '').replace(/<\/?\w+>/g, '')), 'java')}\n`,
  );
  return outsideFences(blocks, (line) =>
    decodeEntities(
      line
        .replace(/<(?:code|tt)>([^<>`]{0,500})<\/(?:code|tt)>/gi, '`$1`')
        .replace(/<li>\s*/gi, '- ')
        .replace(/<\/?(?:p|ul|ol|dl|h\d)>/gi, '\n')
        .replace(/<\/?(?:li|b|i|em|strong|a|br|dt|dd|sup|sub|blockquote|var)\b[^<>]{0,300}>/gi, ''),
    ),
  );
}

/** The headings of parts of Google's and NumPy's docstrings. */
const PART =
  /^(?:Args|Arguments|Parameters|Params|Other Parameters|Keyword Args|Keyword Arguments|Attributes|Returns?|Yields?|Raises|Examples?|Notes?|Warnings?|Warns|See Also|References|Todo)$/;
const CODE_PART = /^(?:Examples?|References|Notes?|See Also)$/;

/** A docstring of Python, written in reStructuredText or in the style of Google or NumPy. */
export function docstring(text: string): string {
  const out: string[] = [];
  let part = '';
  const lines = dedent(text)
    .replace(/:[\w:+.-]{1,40}:`~?\.?([^`\n]{1,300})`/g, '`$1`')
    .split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const isUnderlined = line.trim() !== '' && /^[-=~^]{3,}$/.test(lines[at + 1] ?? '');
    const name = line.replace(/:$/, '');
    if (isUnderlined || (PART.test(name) && line.endsWith(':'))) {
      out.push('', `**${name}**`, '');
      part = PART.test(name) && !CODE_PART.test(name) ? name : '';
      if (isUnderlined) at++;
      continue;
    }
    if (/^\s*>>> /.test(line)) {
      const rest = lines.slice(at);
      const end = rest.findIndex((one) => one.trim() === '');
      const code = end < 0 ? rest : rest.slice(0, end);
      out.push('', codeBlock(dedent(`\n${code.join('\n')}`), 'pycon'), '');
      at += code.length - 1;
      continue;
    }
    out.push(part === '' ? fieldLine(line) : partLine(line));
    if (part !== '' && line !== '' && !/^\s/.test(line) && !/^\S+(?:, \S+)* ?(?::|$)/.test(line)) part = '';
  }
  return withoutHeadings(out.join('\n').replace(/::$/gm, ':').trim());
}

/** `:param int size: How large.` as an item of a list. */
function fieldLine(line: string): string {
  const [, kind = '', name = '', rest = ''] = /^:(\w+)(?: +([^:\n]{1,200}))?:\s*(.*)$/.exec(line) ?? [];
  if (/^(?:param|parameter|arg|key|keyword|var|ivar|cvar)$/.test(kind))
    return `- \`${name.split(' ').at(-1) ?? ''}\`: ${rest}`;
  if (/^(?:raises?|except)$/.test(kind)) return `- Raises \`${name}\`: ${rest}`;
  if (/^(?:returns?|yields?)$/.test(kind)) return `- Returns: ${rest}`;
  return /^r?type$/.test(kind) ? '' : line;
}

/** A line of a part: `size (int): How large.` or `size : int` is an item; the others continue one. */
function partLine(line: string): string {
  const [, name, type = '', rest = ''] =
    /^ {0,4}(\*{0,2}\w[\w.]*)(?: ?\(([^()\n]{1,200})\))?:(?: (.*))?$/.exec(line) ?? [];
  if (name !== undefined) return `- \`${name}\`${type ? ` (${type})` : ''}: ${rest}`;
  const [, names, of] = /^(\S[^:\n]{0,200}?) : (.{1,200})$/.exec(line) ?? [];
  if (names !== undefined) return `- \`${names}\` (${of}):`;
  return line === '' ? '' : line.replace(/^\s+/, '  ');
}
