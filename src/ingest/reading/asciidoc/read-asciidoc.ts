import { splitFrontMatter } from '../front-matter/split-front-matter.js';
import { readHtml } from '../html/read-html.js';
import { MalformedDocumentError, type ParsedDocument } from '../parsed-document.js';
import { asciidocSource } from './asciidoc-source.js';
import { asciidocToHtml } from './asciidoctor.js';
import { headerAttributes } from './header-attributes.js';

/** All is the main part of the page, also HTML that is passed through. */
const MAIN_TAG = /<\/?main(?=[\s>])[^<>]{0,500}>/gi;

/** Reads AsciiDoc as the HTML that Asciidoctor makes of it. It opens no other file. @throws MalformedDocumentError */
export async function readAsciidoc(text: string): Promise<ParsedDocument> {
  const { body, bodyLine, ...header } = splitFrontMatter(text);
  const source = asciidocSource(body, bodyLine);
  const page = readHtml(`<main>${(await toHtml(source.text, bodyLine)).replace(MAIN_TAG, '')}`);
  const attributes = headerAttributes(body, bodyLine);
  return {
    ...page,
    frontMatter: { ...attributes.frontMatter, ...header.frontMatter },
    written: [...attributes.written, ...header.written],
    problems: header.problems,
    tagLinks: source.included.map((href) => ({ href, line: 1 })),
  };
}

async function toHtml(source: string, line: number): Promise<string> {
  try {
    return await asciidocToHtml(source);
  } catch (cause) {
    const why =
      cause instanceof RangeError
        ? 'the AsciiDoc is nested too deeply'
        : 'Asciidoctor cannot read the AsciiDoc';
    throw new MalformedDocumentError(line, why, { cause });
  }
}
