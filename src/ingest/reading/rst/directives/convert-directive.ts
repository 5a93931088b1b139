import { kindOf } from '../directive-kinds.js';
import type { RstConverter } from '../rst-converter.js';
import { dedent, type SourceLine } from '../source-line.js';
import { csvRows } from '../tables/csv-rows.js';
import { listRows } from '../tables/list-rows.js';
import { pipeTable } from '../tables/pipe-table.js';
import { fence } from '../writing/fence.js';
import { codeTerm, lead } from '../writing/lead.js';
import { paragraph } from '../writing/paragraph.js';
import type { Directive } from './parse-directive.js';

/** Titles of notes that differ from the name of the directive. */
const TITLES: Readonly<Record<string, string>> = { seealso: 'See also' };
/** Titles of a change without and with a version. */
const CHANGES: readonly (readonly [part: string, title: string, versioned: string])[] = [
  ['added', 'New', 'New in version'],
  ['changed', 'Changed', 'Changed in version'],
  ['deprecated', 'Deprecated', 'Deprecated since version'],
  ['', 'Removed', 'Removed in version'],
];
/** One or more versions without the punctuation after them; `next` is the version to come. */
const VERSION = /^((?=[\w.+-]*\d|next[,:;]?(?:\s|$))[\w.+-]+(?:, ?\d[\w.]*)*)[,:;]?(?=\s|$)/;
/** Directives whose text is code with inline markup. */
const MARKED_CODE = new Set(['parsed-literal', 'productionlist']);
const LANGUAGES: Readonly<Record<string, string>> = {
  console: 'console',
  prompt: '',
  doctest: 'pycon',
  testcode: 'python',
  ipython: 'python',
  math: 'math',
};
const NO_LANGUAGE = /^(?:none|text|default|plaintext)$/i;
const MAX_TOC_ENTRIES = 2000;
/** Entries without a file: the page itself, and pages that Sphinx makes. */
const GENERATED_ENTRIES = new Set(['self', 'genindex', 'modindex', 'py-modindex', 'search']);

interface Context {
  readonly rst: RstConverter;
  readonly depth: number;
}

/** Converts a directive to Markdown; [] if it shows nothing. */
export function convertDirective(directive: Directive, { rst, depth }: Context): readonly SourceLine[] {
  const { argument, content, line } = directive;
  const blocks = (lines: readonly SourceLine[]): readonly SourceLine[] => rst.blocks(lines, depth + 1);
  switch (kindOf(directive.name)) {
    case 'dropped':
      return [];
    case 'toctree':
      addEntries(rst, content);
      return [];
    case 'code':
      return codeOf(rst, directive);
    case 'admonition':
      return lead(`**${noteTitle(directive.name)}:**`, blocks([...argument, ...spaced(content)]), {
        line,
        isOwnLine: false,
      });
    case 'version':
      return versionNote(rst, directive, blocks);
    case 'content':
      return [...blocks(content), { text: '', line }];
    case 'text':
      return [...blocks([...argument, ...spaced(content)]), blankLine(line)];
    case 'titled': {
      const title = titleOf(rst, directive);
      return title === ''
        ? blocks(content)
        : lead(`**${title}**`, blocks(spaced(content)), { line, isOwnLine: true });
    }
    case 'table':
      return [...paragraph(rst, argument), blankLine(line), ...blocks(content)];
    case 'list-table':
    case 'csv-table':
      return [...paragraph(rst, argument), ...tableOf(rst, directive)];
    case 'object':
      return signature(argument, [...facts(rst, directive), ...blocks(content)], line);
    case 'unknown':
      if (content.length > 0) return signature(argument, blocks(content), line);
      return argument.some(({ text }) => text.includes(' ')) || argument.length > 1 ? blocks(argument) : [];
  }
}

/** The argument and the subtitle, without markup. */
function titleOf(rst: RstConverter, { argument, options }: Directive): string {
  const title = rst.plain(argument.map(({ text }) => text).join(' ')).trim();
  const subtitle = rst.plain(options.get('subtitle') ?? '').trim();
  return [title, subtitle].filter((part) => part !== '').join(': ');
}

const blankLine = (line: number): SourceLine => ({ text: '', line });

/** Content after a blank line, so that it does not continue the argument. */
function spaced(content: readonly SourceLine[]): readonly SourceLine[] {
  const [first] = content;
  return first ? [blankLine(first.line), ...content] : [];
}

function noteTitle(name: string): string {
  return TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** `Changed in version 2.1: text`; a sentence of its own if there is no text. */
function versionNote(
  rst: RstConverter,
  { name, argument, content, line }: Directive,
  blocks: (lines: readonly SourceLine[]) => readonly SourceLine[],
): readonly SourceLine[] {
  const [first = { text: '', line }, ...rest] = argument;
  const { title, length } = changeOf(name, first.text);
  const body = [{ text: first.text.slice(length).trimStart(), line: first.line }, ...rest];
  const text = blocks([...body.filter((own) => own.text !== ''), ...spaced(content)]);
  const isAlone = text.every((own) => own.text === '');
  return lead(`**${rst.plain(title)}${isAlone ? '.' : ':'}**`, text, { line, isOwnLine: false });
}

/** The title of a change, and the length of the versions at the start of the argument. */
function changeOf(name: string, argument: string): { readonly title: string; readonly length: number } {
  const [, bare = '', versioned = ''] = CHANGES.find(([part]) => name.includes(part)) ?? [];
  const [{ length } = '', version] = VERSION.exec(argument) ?? [];
  if (version === undefined) return { title: bare, length: 0 };
  const title = `${versioned} ${version}`;
  const [gap = '', removed] = /^ +(\d\S*)/.exec(argument.slice(length)) ?? [];
  if (removed === undefined || !name.endsWith('deprecated-removed')) return { title, length };
  return { title: `${title}, removed in version ${removed}`, length: length + gap.length };
}

/** Options that tell about an object, as one paragraph. */
const FACTS: readonly (readonly [option: string, title: string])[] = [
  ['type', 'Type'],
  ['value', 'Value'],
  ['default', 'Default'],
];

/** `Type: \`int\`. Default: \`3\`.` */
function facts(rst: RstConverter, { options, line }: Directive): readonly SourceLine[] {
  const known = FACTS.flatMap(([option, title]) => {
    const value = options.get(option);
    if (!value) return [];
    return [`${title}: ${/[`*|]/.test(value) ? rst.inline(value) : `\`${value}\``}.`];
  });
  return known.length === 0 ? [] : [{ text: known.join(' '), line }, blankLine(line)];
}

/** The names or calls that are described, then the description. */
function signature(
  argument: readonly SourceLine[],
  content: readonly SourceLine[],
  line: number,
): readonly SourceLine[] {
  if (argument.length === 0) return [...content, blankLine(line)];
  const names = joinContinued(argument).map((text) => codeTerm(text));
  return lead(names.join('\n'), content, { line, isOwnLine: true }).flatMap((own, at) =>
    at === 0 ? own.text.split('\n').map((text) => ({ text, line })) : [own],
  );
}

/** A backslash at the end of a line continues it. */
function joinContinued(lines: readonly SourceLine[]): readonly string[] {
  const joined = lines.map(({ text }) => (text.endsWith('\\') ? text.slice(0, -1) : `${text}\n`)).join('');
  return joined
    .split('\n')
    .map((text) => text.trim().replace(/\\(.)/g, '$1'))
    .filter((text) => text !== '');
}

function codeOf(
  rst: RstConverter,
  { name, argument, options, content, line }: Directive,
): readonly SourceLine[] {
  const bare = name.slice(name.lastIndexOf(':') + 1);
  const [first, ...rest] = argument;
  // Code that follows without a blank line is read as part of the argument.
  const isArgument = first?.line === line && !MARKED_CODE.has(bare) && bare !== 'math';
  const before = isArgument ? rest : argument;
  const code = dedent([...before, ...(before.length > 0 ? spaced(content) : content)]);
  const language = isArgument ? (first.text.split(/\s/, 1)[0] ?? '') : '';
  const tab = bare === 'code-tab' ? first?.text.slice(language.length).trim() : undefined;
  const caption = options.get('caption') ?? (name === 'snippet' ? options.get('filename') : tab);
  const shown = MARKED_CODE.has(bare) ? plainLines(rst, code) : code;
  return [
    ...(caption ? paragraph(rst, [{ text: caption, line }]) : []),
    ...fence(shown, NO_LANGUAGE.test(language) ? '' : LANGUAGES[bare] || language),
  ];
}

function plainLines(rst: RstConverter, code: readonly SourceLine[]): readonly SourceLine[] {
  return code.map((own) => ({ ...own, text: rst.plain(own.text) }));
}

function tableOf(rst: RstConverter, { name, options, content }: Directive): readonly SourceLine[] {
  const separator = options.get('delim') === ';' ? ';' : ',';
  const all = name === 'list-table' ? listRows(content) : csvRows(content, separator);
  const count = Number(options.get('header-rows') ?? 0) || 0;
  const titles = csvRows([{ text: options.get('header') ?? '', line: content[0]?.line ?? 0 }], separator);
  const header = [...titles, ...all.slice(0, count)];
  return pipeTable({ header, rows: all.slice(count) }, rst.inline);
}

/** Pages of a table of contents: `page`, or `title <page>`. Patterns of names are left out. */
function addEntries(rst: RstConverter, content: readonly SourceLine[]): void {
  for (const { text, line } of content.slice(0, MAX_TOC_ENTRIES)) {
    const entry = text.trim();
    const href = entry.endsWith('>') ? entry.slice(entry.lastIndexOf('<') + 1, -1) : entry;
    if (/^[^\s*?:#][^\s*?]*$/.test(href) && !GENERATED_ENTRIES.has(href)) rst.addLink(href, line);
  }
}
