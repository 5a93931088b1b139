import { readGroups } from '../../core/document-groups.js';
import type { DocumentProblem } from '../../core/indexed-document.js';
import { isMap, UNFOLDED } from '../reading/front-matter/read-header.js';
import { splitHeader } from '../reading/front-matter/split-title-block.js';
import type { ParsedDocument } from '../reading/parsed-document.js';
import { extensionOf, isTextDocument } from '../reading/readers.js';
import { type Markup, readMarkup } from '../reading/text-markup.js';

/** The list of groups in the header of a document, and the problem in it. */
interface WrittenGroups {
  /** Undefined for a document that names no groups. */
  readonly allowed?: readonly string[];
  readonly problems: readonly DocumentProblem[];
}

const NOT_READ =
  '`allow` in the header is written twice or can not be read; so nobody sees the document but callers with all groups. Write it once, in front matter that begins on the first line or in a field at the top';

/**
 * Finds the list of groups of a document. If its header seems to name groups but they can't be read, nobody sees it.
 * @param source  its text, without invisible characters
 * @param place  its path, or the extension of the format that it was converted to
 */
export function writtenGroups(
  { frontMatter, problems }: Pick<ParsedDocument, 'frontMatter' | 'problems'>,
  source: string,
  place: string,
): WrittenGroups {
  const isBroken = problems.some(({ reason }) => reason.startsWith('front matter'));
  const isRead = !isBroken && Object.keys(frontMatter).length > 0 && MARKS.test(source);
  // Most documents do not have the word.
  const mayName = /allow/i.test(source);
  const fields = mayName ? writtenFields(source, readMarkup(extensionOf(place) || place, source)) : [];
  const entries = mayName && !isRead ? countEntries(source) : 0;
  const values = [...valuesIn(frontMatter), ...fields].map((value) => JSON.stringify(value ?? null));
  const [value, ...others] = new Set(values);
  if (others.length > 0 || entries > (fields.length > 0 || value === undefined ? 0 : 1))
    return { allowed: [], problems: [{ line: 1, reason: NOT_READ }] };
  if (value === undefined) return { problems: [] };
  const { list, problem } = readGroups(JSON.parse(value));
  return { allowed: list, problems: problem === null ? [] : [{ line: 1, reason: problem }] };
}

/** True if the header of a page names groups, or seems to. Files that are no pages, such as settings, name none. */
export function namesGroups(text: string, path: string): boolean {
  if (!isTextDocument(path)) return false;
  const { allowed } = writtenGroups(splitHeader(text), text, path);
  return allowed !== undefined;
}

/** The values of the key in any case, at the top level and in maps whose entries count as those of the top level. */
function valuesIn(frontMatter: ParsedDocument['frontMatter']): unknown[] {
  const maps = [frontMatter, ...UNFOLDED.map((key) => frontMatter[key]).filter(isMap)];
  return maps.flatMap((map) => Object.entries(map).flatMap(([key, value]) => (isAllow(key) ? [value] : [])));
}

const isAllow = (key: string): boolean => key.trim().toLowerCase() === 'allow';

/** The start of front matter where readers expect it. */
const MARKS = /^(?:(?:[ \t]*\n){0,20}(?:\+\+\+|---)|;;;|\{)/;
/** Comments, blank lines and declarations, above which generators do not look for front matter. */
const COMMENT =
  /^(?:\s+|<!--[^]*?-->|<[!?][^<>]{0,1000}>|\{\/\*[^]*?\*\/\}|%[^\n]*\n|\/{4,}[ \t]*\n[^]*?\n\/{4,}[ \t]*\n|\/\/[^\n]*\n|\.\.(?:[ \t][^\n]*)?\n(?:[ \t]+\S[^\n]*\n)*)/;
const OPENING = /^(?:---|\+\+\+|;;;)[ \t]*\w{0,10}[ \t]*(?:#[^\n]*)?\n/;
const CLOSING = /^(?:---|\+\+\+|;;;|\.\.\.)[ \t]*$/m;
const OBJECT = /^\{\s{0,200}["'\w][^"'\n:]{0,200}["']?\s{0,20}:/;
/** A key with its mark, a table or a map. */
const KEY = /^[ \t]*(?:["']?[\p{L}\p{N}_$][^\n:=]{0,100}[:=]|\[|\{)/u;
const CONTINUATION = /^(?:[\s\-\]}#]|$)/;
/** An entry of a map in YAML, TOML or JSON. */
const ENTRY = /(?:^|[{,])[ \t?"'-]*allow["']?\s*(?:[:=]|$)/gim;
/** Largest number of characters of front matter without an end. */
const MAX_HEADER_CHARS = 8_000;

/** Counts the entries that seem to name groups in front matter of any form, or in lines like it. */
function countEntries(source: string): number {
  let text = source;
  for (let found = COMMENT.exec(text); found; found = COMMENT.exec(text)) text = text.slice(found[0].length);
  return (likelyFrontMatter(text) ?? '').match(ENTRY)?.length ?? 0;
}

/** @param text  without the comments above */
function likelyFrontMatter(text: string): string | null {
  const start = text.slice(0, MAX_HEADER_CHARS);
  if (OBJECT.test(text)) return start.split(/\n\}|\n[ \t]*\n/, 1)[0] ?? '';
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) {
    const paragraph = start.split(/\n[ \t]*\n/, 1)[0] ?? '';
    // The lines with which Markdown of MultiMarkdown, Pelican and MkDocs begins.
    return KEY.test(paragraph) && /^title[ \t]*:/im.test(paragraph) ? paragraph : null;
  }
  const below = text.slice(opening.length);
  const lines = below.split('\n', 200);
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const end = CLOSING.exec(below);
  if (!KEY.test(lines[first] ?? ''))
    return (
      below
        .slice(0, MAX_HEADER_CHARS)
        .trimStart()
        .split(/\n[ \t]*\n/, 1)[0] ?? ''
    );
  if (end) return below.slice(0, end.index);
  const after = lines.findIndex((line) => !KEY.test(line) && !CONTINUATION.test(line));
  return lines
    .slice(0, after < 0 ? lines.length : after)
    .join('\n')
    .slice(0, MAX_HEADER_CHARS);
}

/** The values of fields, attributes and tags that name groups; null for one that can't be read. */
function writtenFields(source: string, markup: Markup | null): (string | null)[] {
  if (markup === 'html') return metaTags(source);
  const lines = source.split('\n', MAX_LINES);
  return [...topFields(lines, markup === 'adoc'), ...(markup === 'rst' ? metaFields(source) : [])];
}

/** Headers are shorter. */
const MAX_LINES = 300;
const FIELD = /^:(?:page-|!)?allow!?:(?:[ \t]+(.*))?$/i;
const ADORNMENT = /^([!-/:-@[-`{-~])\1+[ \t]*$/;
/** Blank lines, fields and attributes. */
const OF_BOTH = /^(?:[ \t]*$|:[^:\s][^:\n]{0,100}:(?:\s|$))/;
/** Comments, directives and indented lines. */
const OF_RST = /^(?:[ \t]|\.\.(?:[ \t]|$))/;
/** Comments, titles, directives and lists of attributes. */
const OF_ASCIIDOC = /^(?:\/\/|= |\w+::\S*\[|\[.*\][ \t]*$)/;

/** Reads fields and attributes above the first paragraph, above or below titles. */
function topFields(lines: readonly string[], isAsciidoc: boolean): (string | null)[] {
  const found: (string | null)[] = [];
  let isBelowTitle = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const field = FIELD.exec(line);
    if (field) {
      const end = lines.findIndex((next, other) => other > at && !/^[ \t]+\S/.test(next));
      const more = isAsciidoc ? [] : lines.slice(at + 1, end < 0 ? lines.length : end);
      found.push(readable([field[1] ?? '', ...more].map((text) => text.trim()).join(' ')));
    } else if (isAsciidoc && /^\/{4,}[ \t]*$/.test(line)) {
      const end = lines.indexOf(line, at + 1);
      at = end < 0 ? at : end;
    } else {
      const isTitle = [line, lines[at - 1], lines[at + 1]].some((other) => ADORNMENT.test(other ?? ''));
      const isHeader = OF_BOTH.test(line) || isTitle || (isAsciidoc ? OF_ASCIIDOC : OF_RST).test(line);
      // The author and the revision stand below the title of AsciiDoc.
      isBelowTitle =
        line.trim() !== '' && (isBelowTitle || (isAsciidoc && (isTitle || line.startsWith('= '))));
      if (!isHeader && !isBelowTitle) break;
    }
  }
  return found;
}

/** The value of an attribute; null for one with a reference, or one that goes on in the next line. */
const readable = (value: string): string | null => (/[{}]|\\$/.test(value) ? null : value.trim());

const META = /^\.\. meta::[ \t]*\n((?:[ \t]*\n|[ \t]+\S.*(?:\n|$))*)/gm;

/** Reads the fields of the `meta` directives of reStructuredText. */
function metaFields(source: string): (string | null)[] {
  const lines = [...source.matchAll(META)].flatMap(([, below = '']) => below.split('\n'));
  return lines.flatMap((line) => {
    const field = FIELD.exec(line.trim());
    return field ? [readable(field[1] ?? '')] : [];
  });
}

const HEAD = /<\/head\b|<body\b/i;
/** Without an end, a comment or a script reaches to the end of the page. */
const NO_TAGS = /<!--[^]*?(?:-->|$)|<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi;
const META_TAG = /<meta\s[^<>]{0,1000}>/gi;
const NAME = /\sname\s*=\s*["']?\s*allow\s*(?=["'\s/>])/i;
const CONTENT = /\scontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** Reads the `meta` tags in the head of a page. */
function metaTags(source: string): (string | null)[] {
  const end = source.search(HEAD);
  const head = source.slice(0, end < 0 ? MAX_HEADER_CHARS : end).replace(NO_TAGS, '');
  return [...head.matchAll(META_TAG)].flatMap(([tag]) => {
    if (!NAME.test(tag)) return [];
    const [, double, single, bare] = CONTENT.exec(tag) ?? [];
    const content = double ?? single ?? bare ?? null;
    return [content?.includes('&') ? null : content];
  });
}
