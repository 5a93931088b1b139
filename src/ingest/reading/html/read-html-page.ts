import { isVersionName, plainVersion } from '../../../text/version-name.js';
import { splitFrontMatter } from '../front-matter/split-front-matter.js';
import type { ParsedDocument, WrittenFact } from '../parsed-document.js';
import { readHtml } from './read-html.js';

/** Docusaurus names the version of each page, also of the newest, which has no folder. */
const VERSION_TAG = /<meta\s[^<>]{0,300}\bname=["']?docusaurus_version\b[^<>]{0,300}>/i;
/** The name of the next version, or of the only one. */
const UNNAMED = 'current';

function versionFacts(html: string): WrittenFact[] {
  const [tag = ''] = VERSION_TAG.exec(html) ?? [];
  const [, value = UNNAMED] = /\scontent=["']?([^\s"'<>]{1,60})/i.exec(tag) ?? [];
  if (value === UNNAMED || !isVersionName(value)) return [];
  return [{ below: 'metadata', key: 'version', value: plainVersion(value), line: 1 }];
}

/** The link to its space above a page that Confluence exported. */
const SPACE_LINK =
  /<ol id="breadcrumbs">\s{0,80}<li[^<>]{0,80}>\s{0,80}(?:<span>)?\s{0,80}<a [^<>]{0,300}>([^<>]{1,200})<\/a>/;
const TITLES = /(?<=<title>\s{0,80}|<span id="title-text">\s{0,80})[^<>\s][^<>]{0,500}/g;

/** A page that Confluence exported, without the name of its space before the title: `Harbour : Lamps`. */
function withoutSpace(html: string): string {
  const [, space] = SPACE_LINK.exec(html) ?? [];
  if (space === undefined) return html;
  const prefix = `${space.trim()} : `;
  return html.replace(TITLES, (title) => (title.startsWith(prefix) ? title.slice(prefix.length) : title));
}

/** Reads an HTML file, also with front matter, as Jekyll and Hugo write it. @throws MalformedDocumentError */
export function readHtmlPage(text: string): ParsedDocument {
  const { frontMatter, written, problems, body } = splitFrontMatter(text);
  return {
    ...readHtml(withoutSpace(body)),
    frontMatter,
    written: [...versionFacts(body), ...written],
    problems,
  };
}

/** An element of XHTML without content that HTML would not close at its slash. */
const CLOSED =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)[\s/])([a-z][\w:.-]{0,60})((?:\s(?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?)\/>/gi;

const PLAIN = '<![CDATA[';

/** XHTML with its plain parts escaped, which HTML takes for comments. */
function withoutPlainParts(text: string): string {
  const [before = '', ...parts] = text.split(PLAIN);
  const escaped = parts.map((part) => {
    const end = part.indexOf(']]>');
    return end < 0 ? PLAIN + part : escapeText(part.slice(0, end)) + part.slice(end + 3);
  });
  return [before, ...escaped].join('');
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Reads an XHTML file, in which any element may be closed at its slash: `<script src="a.js"/>`. @throws MalformedDocumentError */
export const readXhtmlPage = (text: string): ParsedDocument =>
  readHtmlPage(withoutPlainParts(text).replace(CLOSED, '<$1$2></$1>'));
