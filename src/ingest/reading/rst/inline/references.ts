import { docutilsId } from '../../anchors/docutils-id.js';
import { MAX_HREF_CHARS } from '../../parsed-document.js';
import { adornmentOf } from '../adornment.js';
import { kindOf } from '../directive-kinds.js';
import { indentOf, isBlank, type SourceLine } from '../source-line.js';

const TARGET = /^ *\.\. _(`[^`]{1,500}`|(?:[^:`\\]|\\.|:(?! |$)){1,500}):(?: +(.*))?$/;
const ANONYMOUS = /^ *(?:\.\. __:|__)(?: +(.*))$/;
const SUBSTITUTION = /^ *\.\. \|([^|]{1,200})\| +(replace|unicode|image)::(.*)$/;
const INDIRECT = /^(?:`([^`]{1,500})`|([^\s`]{1,500}))_$/;
const MAX_HOPS = 20;
/** Longer texts are not substituted. */
const MAX_SUBSTITUTED = 500;
const MAX_TITLE_CHARS = 200;
/** Characters that references may add to a document beyond its own size, so that repeats can't fill the memory. */
const BUDGET = 1_000_000;

/** The named links, places and substitutions of a document, which its text refers to. */
export class References {
  private readonly urls = new Map<string, string>();
  /** Places on the page: labels, and titles by their text. */
  private readonly places = new Map<string, string>();
  private readonly substitutions = new Map<string, string>();
  private readonly anonymous: string[] = [];
  /** Titles below labels, by the label. */
  private readonly titles = new Map<string, string>();
  /** Labels without text after them yet. */
  private open: string[] = [];
  private nextAnonymous = 0;
  private budget: number;

  constructor(lines: readonly SourceLine[]) {
    this.budget = BUDGET + lines.reduce((sum, { text }) => sum + text.length, 0);
    for (const at of withoutLiterals(lines)) {
      const text = lines[at]?.text ?? '';
      const start = text.trimStart();
      if (start.startsWith('.. _') || start.startsWith('__ ')) this.readTarget(lines, at);
      else if (start.startsWith('.. |')) this.readSubstitution(lines, at);
      else if (start !== '' && adornmentOf(lines[at + 1]) !== null) this.readTitle(text);
      else if (!/^(?: |\.\. )/.test(text) && adornmentOf(lines[at]) === null) this.open = [];
    }
  }

  /** The address of a named link; null if unknown. A label on the page is `#label`. */
  find(name: string): string | null {
    let key = keyOf(name);
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const url = this.urls.get(key);
      if (url === undefined) return this.spend(this.places.get(key));
      const next = indirectName(url);
      if (next === null) return this.spend(url);
      key = keyOf(next);
    }
    return null;
  }

  /** The title below a label of this page; null if unknown. */
  titleOf(label: string): string | null {
    return this.spend(this.titles.get(keyOf(label)));
  }

  get isEmpty(): boolean {
    return this.urls.size === 0 && this.places.size === 0 && this.anonymous.length === 0;
  }

  /** A link in the text, which also defines its name. */
  define(name: string, url: string): void {
    if (!this.urls.has(keyOf(name))) this.urls.set(keyOf(name), url);
  }

  /** The address of the next link without a name. */
  takeAnonymous(): string | null {
    const url = this.anonymous[this.nextAnonymous++];
    const name = url === undefined ? null : indirectName(url);
    return name === null ? this.spend(url) : this.find(name);
  }

  /** The text of a substitution, as written; null if unknown. */
  substitute(name: string): string | null {
    return this.spend(this.substitutions.get(keyOf(name)));
  }

  private spend(text: string | undefined): string | null {
    if (text === undefined || text.length > this.budget) return null;
    this.budget -= text.length;
    return text;
  }

  private readTarget(lines: readonly SourceLine[], at: number): void {
    const text = lines[at]?.text ?? '';
    const [, unnamed] = ANONYMOUS.exec(text) ?? [];
    if (unnamed !== undefined) this.anonymous.push(addressOf(unnamed, continuation(lines, at, '')));
    const [, name, rest = ''] = TARGET.exec(text) ?? [];
    if (name === undefined) return;
    const own = targetName(name);
    const url = addressOf(rest, continuation(lines, at, ''));
    // A target directly above another one has its address.
    const [, next] = url === '' ? (TARGET.exec(textBelow(lines, at)) ?? []) : [];
    if (next !== undefined) this.define(own, `\`${targetName(next)}\`_`);
    else if (url === '') this.places.set(keyOf(own), `#${labelId(own)}`);
    else if (url.length <= MAX_HREF_CHARS) this.define(own, url);
    if (url === '') this.open.push(own);
  }

  private readTitle(text: string): void {
    const title = text.replace(/`/g, '').trim();
    const shown = text.replace(/:[A-Za-z][\w:+.-]{0,60}:(?=`)|[`*|]/g, '').trim();
    if (shown.length <= MAX_TITLE_CHARS) for (const label of this.open) this.titles.set(keyOf(label), shown);
    this.open = [];
    if (title.length > MAX_TITLE_CHARS || this.places.has(keyOf(title))) return;
    this.places.set(keyOf(title), `#${docutilsId(title)}`);
  }

  private readSubstitution(lines: readonly SourceLine[], at: number): void {
    const [, name = '', kind, rest = ''] = SUBSTITUTION.exec(lines[at]?.text ?? '') ?? [];
    if (kind === undefined) return;
    const text = (rest + continuation(lines, at, ' ')).trim();
    const shown = kind === 'replace' ? text : kind === 'unicode' ? toCharacters(text) : '';
    if (shown.length <= MAX_SUBSTITUTED) this.substitutions.set(keyOf(name), shown);
  }
}

/** The name that a target takes its address from; null for an address. */
function indirectName(url: string): string | null {
  const [, quoted, bare] = INDIRECT.exec(url) ?? [];
  return quoted ?? bare ?? null;
}

/** An address, or the name of another target as written. @param more  the lines that continue it */
function addressOf(rest: string, more: string): string {
  return INDIRECT.test(rest.trim()) && more === '' ? rest.trim() : toUrl(rest + more);
}

/** The anchor of a label; as written if docutils has none for it. */
export function labelId(label: string): string {
  return docutilsId(label) || label.replace(/\s+/g, '-');
}

/** The first line of a directive. */
const DIRECTIVE = /^ *\.\. (?:\|[^|]{1,200}\| +)?([A-Za-z][\w+.:-]{0,80}) ?::/;

/** The mark of a list item. */
const ITEM = /^(?:[-*+•]|\(?\w{1,5}[.)]) +/;

/** The line below, after at most one blank line. */
function textBelow(lines: readonly SourceLine[], at: number): string {
  const next = lines[at + 1];
  return (isBlank(next) ? lines[at + 2]?.text : next?.text) ?? '';
}

/** The positions of the lines that are not in blocks of code. */
export function* withoutLiterals(lines: readonly SourceLine[]): Generator<number> {
  let literal = Infinity;
  for (const [at, own] of lines.entries()) {
    if (isBlank(own)) continue;
    const depth = indentOf(own);
    if (depth > literal) continue;
    const [, name] = DIRECTIVE.exec(own.text) ?? [];
    const isLiteral = name === undefined ? own.text.endsWith('::') : kindOf(name.toLowerCase()) === 'code';
    literal = isLiteral ? depth + (ITEM.exec(own.text.slice(depth))?.[0].length ?? 0) : Infinity;
    yield at;
  }
}

/** The name of a target as written, without quotes and escapes. */
export function targetName(written: string): string {
  return written.replace(/^`|`$/g, '').replace(/\\(.)/g, '$1');
}

function keyOf(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

function toUrl(text: string): string {
  return text.replace(/\s+/g, '').replace(/\\(.)/g, '$1').replace(/^<|>$/g, '');
}

/** Lines that continue a target or a substitution; a few, since addresses and names are short. */
function continuation(lines: readonly SourceLine[], at: number, glue: string): string {
  const own = lines[at]?.text ?? '';
  const depth = own.length - own.trimStart().length;
  const texts: string[] = [];
  for (const { text } of lines.slice(at + 1, at + 5)) {
    if (text.trim() === '' || text.length - text.trimStart().length <= depth || /^ *:\w/.test(text)) break;
    texts.push(glue + text.trim());
  }
  return texts.join('');
}

function toCharacters(codes: string): string {
  return codes
    .split(/\s+/)
    .map((code) => /^(?:U\+|0x|\\?[ux])([0-9a-f]{2,6})$/i.exec(code)?.[1])
    .flatMap((hex) => (hex !== undefined && parseInt(hex, 16) <= 0x10ffff ? [parseInt(hex, 16)] : []))
    .map((point) => String.fromCodePoint(point))
    .join('')
    .toWellFormed();
}
