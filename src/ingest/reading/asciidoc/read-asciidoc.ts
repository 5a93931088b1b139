import { AbstractNode, convert, LoggerManager, NullLogger, Reader, Section } from '@asciidoctor/core';
import { NOTHING_READ, type ReadHeader } from '../front-matter/read-header.js';
import { splitFrontMatter } from '../front-matter/split-front-matter.js';
import { readHtml } from '../html/read-html.js';
import {
  type AsciidocAttributes,
  type Block,
  MalformedDocumentError,
  type PageAnchor,
  type ParsedDocument,
  type WrittenFact,
} from '../parsed-document.js';
import { TextConverter } from './asciidoc-converter.js';
import { asciidocSource } from './asciidoc-source.js';
import { type Substitutions, textSubstitutions } from './text-substitutions.js';

const ATTRIBUTE = /^:(\w[\w-]{0,62}):[ \t]+(\S.*)$/;
/** The version, the date and a remark below the line of authors. */
const REVISION = /^(?:v?\d[\w.-]{0,40},[ \t]*)?(\d{4}-\d{2}-\d{2})(?::.*)?$/;
/** Attributes with other names in front matter; those of Antora's pages begin with `page-`. */
const NAMES: Readonly<Record<string, string>> = { revdate: 'date', docdate: 'date' };
/** More lines are not read; headers are shorter. */
const MAX_LINES = 300;

/** Reads the attributes at the top of an AsciiDoc page as front matter. @param firstLine  of the text in its file */
export function headerAttributes(text: string, firstLine: number): ReadHeader {
  const lines = headerLines(text);
  const facts = lines.flatMap((own, at): WrittenFact[] => {
    const [, name = '', value = ''] = ATTRIBUTE.exec(own) ?? [];
    const date = name === '' ? REVISION.exec(own)?.[1] : undefined;
    const key = date === undefined ? name.replace(/^page-(?=.)/, '').toLowerCase() : 'revdate';
    // Attributes in values are not resolved, and `title` does not change the heading of the page.
    if (key === '' || key === 'title' || value.includes('{')) return [];
    return [{ below: 'top', key: NAMES[key] ?? key, value: date ?? value.trimEnd(), line: firstLine + at }];
  });
  if (facts.length === 0) return NOTHING_READ;
  const frontMatter = Object.fromEntries(facts.map(({ key, value }) => [key, value]));
  return { frontMatter, written: facts, problems: [] };
}

/** The lines up to the first blank one below the title; attributes may stand above the title. */
function headerLines(text: string): readonly string[] {
  const lines = text.split('\n', MAX_LINES);
  const isHeader = (line: string): boolean => /^(?:[ \t]*$|\/\/|:[\w!-]{1,80}:)/.test(line);
  const start = lines.findIndex((line) => !isHeader(line));
  const hasTitle = /^= \S/.test(lines[start] ?? '');
  if (!hasTitle) return lines.slice(0, Math.max(0, start));
  const end = lines.findIndex((line, at) => at > start && line.trim() === '');
  return end < 0 ? lines : lines.slice(0, end);
}

/** Asciidoctor adds these methods to the class when it loads; its types don't list them. */
function hasSubstitutions(node: object): node is Substitutions {
  return ['applySubs', 'subMacros', 'subAttributes', 'subReplacements'].every((name) => name in node);
}

const NODE: object = AbstractNode.prototype;
if (!hasSubstitutions(NODE)) throw new Error('@asciidoctor/core has changed: a node has no substitutions');
// Asciidoctor has no option for them.
Object.assign(NODE, textSubstitutions(NODE));
// Marks and dashes that a site shows in a title are no part of its id. Titles keep them as written.
const SHOWN_MARKS = /\((?:C|R|TM)\)|(?: |^)--(?: |$)|(?<=\w)--(?=\w)|\.\.\.|[-=]&gt;|&lt;[-=]/g;
const generateId = Section.generateId.bind(Section);
Section.generateId = (title, document) => generateId(title.replace(SHOWN_MARKS, ''), document);
// The option `logger` does not cover the conversion, and makes every promise slower.
LoggerManager.logger = new NullLogger();
// A reader of the lines of a block has no document, and would log to the console.
for (const { prototype } of [Reader, AbstractNode]) {
  const own = Object.getOwnPropertyDescriptor(prototype, 'logger');
  if (!own?.configurable) throw new Error('@asciidoctor/core has changed: a reader has no logger');
  Object.defineProperty(prototype, 'logger', { ...own, get: () => LoggerManager.logger });
}

/** Attributes that a document can't change. */
const ATTRIBUTES = {
  // Without it, the title of the document is left out.
  showtitle: '',
  // Links between documents lead to the sources.
  relfilesuffix: '.adoc',
  nofootnotes: '',
  // The macros for keys and buttons, which are never meant as text. Sites set it for all pages.
  experimental: '',
  ...unset('toc', 'sectnums', 'sectlinks', 'sectanchors', 'icons', 'source-highlighter', 'webfonts', 'stem'),
  ...unset('table-caption', 'figure-caption', 'example-caption', 'listing-caption'),
  // The same source gives the same text at any time.
  ...asWritten('localdate', 'localtime', 'localdatetime', 'localyear'),
  ...asWritten('docdate', 'doctime', 'docdatetime', 'docyear'),
};

function unset(...names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}

function asWritten(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `{${name}}`]));
}

/** Converts AsciiDoc to HTML. `secure` means that no file is read, whatever the document asks for. */
export async function asciidocToHtml(source: string, attributes: AsciidocAttributes = {}): Promise<string> {
  const html = await convert(source, {
    safe: 'secure',
    standalone: false,
    attributes: { ...attributes, ...ATTRIBUTES },
    converter: TextConverter,
  });
  if (typeof html !== 'string') throw new Error('Asciidoctor returned no text');
  return html;
}

/** Stands for the start of an id that the settings of another repository tell. */
const UNKNOWN = 'pithunknownid';
/** All is the main part of the page, also HTML that is passed through. */
const MAIN_TAG = /<\/?main(?=[\s>])[^<>]{0,500}>/gi;

/** Reads AsciiDoc as the HTML that Asciidoctor makes of it. It opens no other file. @throws MalformedDocumentError */
export async function readAsciidoc(text: string, given: AsciidocAttributes = {}): Promise<ParsedDocument> {
  const { body, bodyLine, ...header } = splitFrontMatter(text);
  const source = asciidocSource(body, bodyLine);
  const isUnknown = given['idprefix'] === null;
  const html = await toHtml(source.text, bodyLine, isUnknown ? { ...given, idprefix: UNKNOWN } : given);
  const known = withoutUnknownIds(readHtml(`<main>${html.replace(MAIN_TAG, '')}`));
  const page = Object.keys(given).length > 0 ? withoutTitleId(known) : known;
  const attributes = headerAttributes(body, bodyLine);
  return {
    ...page,
    frontMatter: { ...attributes.frontMatter, ...header.frontMatter },
    written: [...attributes.written, ...header.written],
    problems: header.problems,
    tagLinks: source.included.map((href) => ({ href, line: 1 })),
  };
}

/**
 * Without the setting for the start of ids that are made of titles, such an id is no anchor of a citation. Links still find
 * the heading by its words.
 */
function withoutUnknownIds(page: ParsedDocument): ParsedDocument {
  const made: PageAnchor[] = [];
  const blocks = page.blocks.map((block): Block => {
    if (block.kind !== 'heading') return { ...block, text: block.text.replaceAll(`#${UNKNOWN}`, '#') };
    if (block.anchor?.startsWith(UNKNOWN) !== true) return block;
    made.push({ name: block.anchor.slice(UNKNOWN.length), line: block.line });
    return { ...block, anchor: '' };
  });
  return {
    ...page,
    blocks,
    anchors: [...page.anchors.filter(({ name }) => !name.startsWith(UNKNOWN)), ...made],
  };
}

/** Antora shows the title of a page without its id, so no address opens it. */
function withoutTitleId(page: ParsedDocument): ParsedDocument {
  const title = page.blocks.find((block) => block.kind === 'heading');
  if (title?.kind !== 'heading' || title.level !== 1 || !title.anchor) return page;
  return {
    ...page,
    blocks: page.blocks.map((block) => (block === title ? { ...title, anchor: '' } : block)),
    anchors: [...page.anchors, { name: title.anchor, line: title.line }],
  };
}

async function toHtml(source: string, line: number, attributes: AsciidocAttributes): Promise<string> {
  try {
    return await asciidocToHtml(source, attributes);
  } catch (cause) {
    const why =
      cause instanceof RangeError
        ? 'the AsciiDoc is nested too deeply'
        : 'Asciidoctor cannot read the AsciiDoc';
    throw new MalformedDocumentError(line, why, { cause });
  }
}
