import type { FoundLink } from '../../core/indexed-document.js';
import type { Section } from '../../core/section.js';
import type { Span } from '../../text/span.js';
import { findCode } from '../reading/markdown/find-code.js';
import { MAX_HREF_CHARS } from '../reading/parsed-document.js';
import { type Destination, plainHref, scanDestination } from './scan-destination.js';
import { isSeeAlsoTitle, seeAlsoLines } from './see-also.js';

/** A link reference definition: `[label]: href`. */
interface Definition extends Span {
  readonly label: string;
  readonly href: string;
}

// Quotation marks, indentation and a list marker may precede a definition. `[^1]:` is a footnote, and a single word
// after the colon is a type or a remark.
const START =
  /^[ \t>]{0,40}(?<marker>[-*+][ \t]{1,4})?(?<label>\[(?!\^)(?:[^[\]\\\n]|\\.){1,999}\]):[ \t]*(?:\n[ \t>]*)?(?:<(?<angled>[^<>\n]*)>|(?<bare>(?=\S*[./#:])[^\s<]\S*))/gm;
const TITLE = /^(?:"[^"]*"|'[^']*'|\([^()]*\))?$/;

/** Finds definitions of link references outside code, in order; spans include the title. */
function findLinkDefinitions(text: string, code: readonly Span[]): readonly Definition[] {
  if (!text.includes(']:')) return [];
  const found: Definition[] = [];
  let next = 0;
  for (const match of text.matchAll(START)) {
    const { index } = match;
    while ((code[next]?.end ?? Infinity) <= index) next++;
    const isCode = (code[next]?.start ?? Infinity) <= index;
    const definition = isCode || isProse(text, match) ? null : toDefinition(text, match);
    if (definition) found.push(definition);
  }
  return found;
}

/** True inside a paragraph, where brackets and a colon are prose. A definition may follow another definition. */
function isProse(text: string, { index, groups }: RegExpExecArray): boolean {
  if (index === 0 || groups?.['marker']) return false;
  const previous = text.slice(text.lastIndexOf('\n', index - 2) + 1, index - 1);
  return !/^[ \t>]*(?:$|\[[^\]]*\]:)/.test(previous);
}

function toDefinition(text: string, match: RegExpExecArray): Definition | null {
  const { label = '', angled, bare = '' } = match.groups ?? {};
  const key = labelKey(label.slice(1, -1));
  const rest = match.index + match[0].length;
  const lineFeed = text.indexOf('\n', rest);
  const end = lineFeed < 0 ? text.length : lineFeed;
  if (key === '' || !TITLE.test(text.slice(rest, end).trim())) return null;
  return { label: key, href: plainHref(angled ?? bare), start: match.index, end };
}

/** Normalizes a label: references match definitions in any case and with any white space. */
function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

interface Scan {
  readonly text: string;
  readonly code: readonly Span[];
  /** Link reference definitions, which are not links themselves. */
  readonly skipped: readonly Span[];
}

/** A link in a text; `at` is its start offset. */
interface LinkAt {
  readonly href: string;
  readonly at: number;
}

/** A `[` that is not closed yet. */
interface Opener {
  readonly at: number;
  readonly isImage: boolean;
}

const MARK = /[[\]<\\]|\n[ \t>]*(?=\n)/g;
const ANCHOR_TAG = /<a\s[^<>]{1,4096}>/iy;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2048})>/iy;
const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/y;
const MAX_LABEL_CHARS = 999;

/**
 * Finds the links of one document outside code: inline, by reference, in angle brackets and as HTML. Images are
 * skipped. Takes time linear in the text.
 * @param sections  of one document, in reading order; a definition in one section applies to all
 * @returns in reading order, each target once per section
 */
export function findLinks(sections: readonly Section[]): FoundLink[] {
  const definitions = new Map<string, string>();
  const scans = sections.map(({ text }) => toScan(text, definitions));
  return sections.flatMap((section, index) => {
    const scan = scans[index];
    return scan ? sectionLinks(section, new LinkScanner(scan, definitions).links()) : [];
  });
}

/** Adds the definitions of a text; the first definition of a label is used. */
function toScan(text: string, definitions: Map<string, string>): Scan | null {
  if (!text.includes('[') && !text.includes('<')) return null;
  const code = text.includes('`') || text.includes('~~~') ? findCode(text) : [];
  const skipped = findLinkDefinitions(text, code);
  for (const { label, href } of skipped) {
    if (!definitions.has(label)) definitions.set(label, href);
  }
  return { text, code, skipped };
}

function sectionLinks({ ordinal, headingPath, text }: Section, links: readonly LinkAt[]): FoundLink[] {
  if (links.length === 0) return [];
  const isBelow = headingPath.some(isSeeAlsoTitle);
  const lines = isBelow ? [] : seeAlsoLines(text);
  const found = new Map<string, boolean>();
  let next = 0;
  for (const { href, at } of [...links].sort((a, b) => a.at - b.at)) {
    while ((lines[next]?.end ?? Infinity) < at) next++;
    const isSeeAlso = isBelow || (lines[next]?.start ?? Infinity) <= at;
    found.set(href, isSeeAlso || found.get(href) === true);
  }
  return Array.from(found, ([href, isSeeAlso]) => ({ section: ordinal, href, isSeeAlso }));
}

/**
 * Reads one text with a stack of open brackets, as CommonMark specifies; each bracket is read once:
 *
 *     [ a ![ b ](c) ](d)      an image in a link: the image is skipped, the link is found
 *     [ a  [ b ](c) ](d)      a link in brackets: links can't be nested, so the outer brackets are text
 */
class LinkScanner {
  private readonly found: LinkAt[] = [];
  private readonly openers: Opener[] = [];
  /** Number of openers, from the bottom of the stack, that already contain a link. Only `![` among them can match. */
  private active = 0;
  private lastOpened = -1;

  constructor(
    private readonly scan: Scan,
    private readonly definitions: ReadonlyMap<string, string>,
  ) {}

  links(): readonly LinkAt[] {
    const { text, code, skipped } = this.scan;
    let nextCode = 0;
    let nextSkipped = 0;
    MARK.lastIndex = 0;
    for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
      const at = mark.index;
      while ((code[nextCode]?.end ?? Infinity) <= at) nextCode++;
      while ((skipped[nextSkipped]?.end ?? Infinity) <= at) nextSkipped++;
      const around = [code[nextCode], skipped[nextSkipped]].find((range) => range && range.start <= at);
      MARK.lastIndex = around ? around.end : this.read(mark[0].charAt(0), at);
    }
    return this.found;
  }

  /** @returns the offset to continue from */
  private read(mark: string, at: number): number {
    if (mark === '\\') return at + 2;
    if (mark === '<') return this.readTag(at);
    if (mark === ']') return this.close(at);
    if (mark === '[') this.open(at);
    else this.openers.length = this.active = 0;
    return at + 1;
  }

  private open(at: number): void {
    const { text } = this.scan;
    this.openers.push({ at, isImage: text[at - 1] === '!' && text[at - 2] !== '\\' });
    this.lastOpened = at;
  }

  private close(at: number): number {
    const opener = this.openers.pop();
    if (!opener) return at + 1;
    const isActive = opener.isImage || this.openers.length >= this.active;
    this.active = Math.min(this.active, this.openers.length);
    const target = isActive ? this.target(opener, at) : null;
    if (!target) return at + 1;
    if (opener.isImage) return target.end;
    if (!this.isDirective()) this.add(target.href, opener.at);
    this.active = this.openers.length;
    return target.end;
  }

  /** Finds the destination: after the brackets, or by the label in or after them. */
  private target({ at: start }: Opener, end: number): Destination | null {
    const { text } = this.scan;
    const inline = text[end + 1] === '(' ? scanDestination(text, end + 1) : null;
    if (inline || this.definitions.size === 0) return inline;
    LABEL.lastIndex = end + 1;
    const label = text[end + 1] === '[' ? LABEL.exec(text) : null;
    if (label && label[1]?.trim()) return this.defined(label[1], LABEL.lastIndex);
    // A label can't contain brackets.
    if (this.lastOpened !== start || end - start > MAX_LABEL_CHARS) return null;
    return this.defined(text.slice(start + 1, end), label ? LABEL.lastIndex : end + 1);
  }

  private defined(label: string, end: number): Destination | null {
    const href = this.definitions.get(labelKey(label));
    return href === undefined ? null : { href, end };
  }

  /** True inside a DocFX directive such as `[!INCLUDE [name](file)]`, which includes a file and shows no link. */
  private isDirective(): boolean {
    const outer = this.openers.at(-1);
    return outer !== undefined && /^\[![a-z]/i.test(this.scan.text.slice(outer.at, outer.at + 3));
  }

  private readTag(at: number): number {
    const { text } = this.scan;
    ANCHOR_TAG.lastIndex = AUTOLINK.lastIndex = at;
    const [tag] = ANCHOR_TAG.exec(text) ?? [];
    if (tag !== undefined) {
      const [, double, single, bare] = HREF.exec(tag) ?? [];
      this.add(plainHref(double ?? single ?? bare ?? ''), at);
      return at + tag.length;
    }
    const auto = AUTOLINK.exec(text);
    if (!auto) return at + 1;
    this.add(auto[1] ?? '', at);
    return at + auto[0].length;
  }

  private add(href: string, at: number): void {
    if (href !== '' && href.length <= MAX_HREF_CHARS) this.found.push({ href, at });
  }
}
