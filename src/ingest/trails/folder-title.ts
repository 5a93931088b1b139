import { clipText } from '../../text/span.js';
import type { SiteRules } from '../reading/anchors/site-anchors.js';
import { decodeEntities } from '../reading/decode-entities.js';
import { plainValue } from '../reading/document-metadata.js';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { splitHeader } from '../reading/front-matter/split-title-block.js';
import { blankFirstComments, hasMystMarks } from '../reading/myst/first-comments.js';
import { readHeading } from '../reading/read-heading.js';
import { readRst } from '../reading/rst/read-rst.js';
import { textMarkup } from '../reading/text-markup.js';
import { parseSettings } from '../reading/written-yaml.js';

const MAX_TITLE_CHARS = 120;
/** Names of files that have the title of their folder, in order of precedence. */
const TITLE_FILES: readonly RegExp[] = [
  /^_category_\.(?:json|ya?ml)$/,
  ...['_index', 'index', 'readme'].map(
    (name) => new RegExp(String.raw`^${name}\.(?:md|markdown|mdx|html?|rst|adoc|asciidoc|txt)$`, 'i'),
  ),
];
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Longer headings are cut. */
const MAX_HEADING_CHARS = 1_000;
/** A blank line, a comment or an attribute, which may precede the title of a page in AsciiDoc. */
const BEFORE_TITLE = /^(?:\s*$|\/\/|:[\w!-]{1,80}:)/;
/** The rest of a tag after `<h1`. */
const HTML_HEADING = /^[^<>]{0,500}>([^]{1,2000}?)<\/h1>/i;
/** A link with a mark instead of words. */
const PERMALINK = /<a\s[^<>]{0,500}>(?:[^<>&\p{L}\p{N}]|&#?\w{1,8};){0,10}<\/a>/giu;
const HTML_TITLE = /<title[^<>]{0,200}>([^<]{1,1000})<\/title>/i;

/** The precedence of a file as the source of its folder's title, from 0; -1 for other files. */
export function titleRank(name: string): number {
  return TITLE_FILES.findIndex((pattern) => pattern.test(name));
}

/** A title in one line, clipped; empty if the value is not a text. */
export function trailTitle(value: unknown): string {
  return typeof value === 'string' ? clipText(plainValue(value), MAX_TITLE_CHARS) : '';
}

function categoryTitle(text: string): string {
  const value: unknown = parseSettings(text);
  return typeof value === 'object' && value !== null && 'label' in value ? trailTitle(value.label) : '';
}

/** The first heading of level 1 outside code, as written; empty without one. */
function firstHeading(lines: readonly string[]): string {
  let fence = '';
  for (const [at, line] of lines.entries()) {
    const marks = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence)) fence = '';
    if (fence !== '') continue;
    const isUnderlined = /^\S/.test(line) && /^=+\s*$/.test(lines[at + 1] ?? '');
    if (isUnderlined || /^ {0,3}#[ \t]/.test(line))
      return line
        .trim()
        .slice(0, MAX_HEADING_CHARS)
        .replace(/^#[ \t]+/, '')
        .replace(/[ \t]+#+$/, '');
  }
  return '';
}

function pageTitle(text: string, site: SiteRules | null): string {
  const isMyst = text.startsWith('%') && (site === 'sphinx' || hasMystMarks(text));
  const { frontMatter, body } = splitHeader(isMyst ? blankFirstComments(text) : text);
  const own = trailTitle(frontMatter['title']) || trailTitle(frontMatter['linkTitle']);
  if (own !== '') return own;
  return headingTitle(firstHeading(body.split('\n')));
}

/** A heading without its marks. */
const headingTitle = (heading = ''): string => trailTitle(readHeading(heading).title);

/** The title of a page in AsciiDoc; empty for one with attributes, which only Asciidoctor can read. */
function asciidocTitle(text: string): string {
  const { frontMatter, body } = splitFrontMatter(text);
  const lines = body.split('\n');
  const at = lines.findIndex((line) => !BEFORE_TITLE.test(line));
  const [first = '', below = ''] = at < 0 ? [] : lines.slice(at, at + 2);
  const isUnderlined = /^\S/.test(first) && /^={3,}\s*$/.test(below);
  const title = isUnderlined ? first : (/^= +(\S.*)$/.exec(first)?.[1] ?? '');
  const own = trailTitle(frontMatter['title']);
  return own !== '' || title.includes('{') ? own : headingTitle(title.slice(0, MAX_HEADING_CHARS));
}

/** The only heading of the first level, since the title of the window can end with the name of the site. */
function htmlTitle(text: string): string {
  const [, ...headings] = text.split(/<h1(?=[\s>])/i, 3);
  const [, heading = ''] = headings.length === 1 ? (HTML_HEADING.exec(headings[0] ?? '') ?? []) : [];
  return (
    trailTitle(splitFrontMatter(text).frontMatter['title']) ||
    shownTitle(heading.replace(PERMALINK, '').replace(/<[^<>]*>/g, '')) ||
    shownTitle(HTML_TITLE.exec(text)?.[1] ?? '')
  );
}

const shownTitle = (html: string): string => trailTitle(decodeEntities(html));

function rstTitle(text: string): string {
  const heading = readRst(text).blocks.find(({ kind }) => kind === 'heading');
  return heading?.kind === 'heading' ? trailTitle(heading.title) : '';
}

/** Reads the title of a folder from one of its files; empty if the file has none. @param text  decoded */
export function folderTitle(name: string, text: string, site: SiteRules | null = null): string {
  if (titleRank(name) === 0) return categoryTitle(text);
  if (/\.html?$/i.test(name)) return htmlTitle(text);
  const markup = /\.txt$/i.test(name)
    ? textMarkup(text)
    : name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (markup === 'rst') return rstTitle(text);
  if (markup === 'adoc' || markup === 'asciidoc') return asciidocTitle(text);
  return markup === null ? '' : pageTitle(text, site);
}
