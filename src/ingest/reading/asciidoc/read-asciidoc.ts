import { splitFrontMatter } from '../front-matter/split-front-matter.js';
import { readHtml } from '../html/read-html.js';
import {
  type AsciidocAttributes,
  type Block,
  MalformedDocumentError,
  type PageAnchor,
  type ParsedDocument,
} from '../parsed-document.js';
import { asciidocSource } from './asciidoc-source.js';
import { asciidocToHtml } from './asciidoctor.js';
import { headerAttributes } from './header-attributes.js';

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
  const page = withoutUnknownIds(readHtml(`<main>${html.replace(MAIN_TAG, '')}`));
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
