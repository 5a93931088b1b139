import { decodeSource } from '../../reading/decode-source.js';
import type { ConvertedText } from '../converted-text.js';
import { htmlPage } from '../html-text.js';
import { allText, childNamed, elementsNamed, readXml } from '../xml-tree.js';
import { droppedTemplates, MediawikiText } from './mediawiki-text.js';

/** The namespaces of an export that have pages for readers: articles, the project and help. */
const NAMESPACES = new Set(['0', '4', '12']);

/** Converts a page of MediaWiki. @throws MalformedDocumentError */
export function convertMediawiki(bytes: Uint8Array): ConvertedText {
  const text = new MediawikiText(decodeSource(bytes));
  return htmlPage('', text.read(), text.leftOut());
}

/** Converts the pages of an export of MediaWiki, a section each. @throws MalformedDocumentError */
export function convertWikiExport(xml: string): ConvertedText {
  const root = readXml(xml);
  const [name] = elementsNamed(root, 'sitename');
  const pages = elementsNamed(root, 'page');
  const shown = pages.filter((page) => {
    const space = childNamed(page, 'ns');
    return NAMESPACES.has(space ? allText(space).trim() : '0') && !childNamed(page, 'redirect');
  });
  let lost = 0;
  const parts = shown.map((page) => {
    const title = childNamed(page, 'title');
    const revision = elementsNamed(page, 'revision').at(-1);
    const written = revision && childNamed(revision, 'text');
    const text = new MediawikiText(written ? allText(written) : '', title ? allText(title) : '');
    const html = text.read();
    lost += text.dropped;
    return html;
  });
  const others = pages.length - shown.length;
  const leftOut = [
    ...(others > 0 ? [`${others} redirects, templates and pages about pages are left out`] : []),
    ...droppedTemplates(lost),
  ];
  return htmlPage(name ? allText(name).trim() : '', parts.join('\n'), leftOut);
}
