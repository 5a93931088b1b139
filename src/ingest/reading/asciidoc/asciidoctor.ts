import { AbstractNode, convert, LoggerManager, NullLogger, Reader } from '@asciidoctor/core';
import type { AsciidocAttributes } from '../parsed-document.js';
import { TextConverter } from './asciidoc-converter.js';
import { type Substitutions, textSubstitutions } from './text-substitutions.js';

/** Asciidoctor adds these methods to the class when it loads; its types don't list them. */
function hasSubstitutions(node: object): node is Substitutions {
  return ['applySubs', 'subMacros', 'subAttributes', 'subReplacements'].every((name) => name in node);
}

const NODE: object = AbstractNode.prototype;
if (!hasSubstitutions(NODE)) throw new Error('@asciidoctor/core has changed: a node has no substitutions');
// Asciidoctor has no option for them.
Object.assign(NODE, textSubstitutions(NODE));
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
