import GithubSlugger from 'github-slugger';
import { MAX_HREF_CHARS } from '../../parsed-document.js';
import { adornmentOf } from '../adornment.js';
import type { SourceLine } from '../source-line.js';

const TARGET = /^ *\.\. _(`[^`]{1,500}`|(?:[^:`\\]|\\.|:(?! |$)){1,500}):(?: +(.*))?$/;
const ANONYMOUS = /^ *(?:\.\. __:|__)(?: +(.*))$/;
const SUBSTITUTION = /^ *\.\. \|([^|]{1,200})\| +(replace|unicode|image)::(.*)$/;
const INDIRECT = /^(?:`([^`]{1,500})`|([^\s`]{1,500}))_$/;
const MAX_HOPS = 5;
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
  private nextAnonymous = 0;
  private budget: number;

  constructor(lines: readonly SourceLine[]) {
    this.budget = BUDGET + lines.reduce((sum, { text }) => sum + text.length, 0);
    for (const [at, { text }] of lines.entries()) {
      const start = text.trimStart();
      if (start.startsWith('.. _') || start.startsWith('__ ')) this.readTarget(lines, at);
      else if (start.startsWith('.. |')) this.readSubstitution(lines, at);
      else if (start !== '' && adornmentOf(lines[at + 1]) !== null) this.readTitle(text);
    }
  }

  /** The address of a named link; null if unknown. A label on the page is `#label`. */
  find(name: string): string | null {
    let url = this.urls.get(keyOf(name));
    for (let hop = 0; url !== undefined && hop < MAX_HOPS; hop++) {
      const [, quoted, bare] = INDIRECT.exec(url) ?? [];
      const next = quoted ?? bare;
      if (next === undefined) return this.spend(url);
      url = this.urls.get(keyOf(next));
    }
    return this.spend(this.places.get(keyOf(name)));
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
    return this.spend(this.anonymous[this.nextAnonymous++]);
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
    if (unnamed !== undefined) this.anonymous.push(toUrl(unnamed + continuation(lines, at, '')));
    const [, name, rest = ''] = TARGET.exec(text) ?? [];
    if (name === undefined) return;
    const written = rest.trim() + continuation(lines, at, '');
    const url = INDIRECT.test(rest) ? rest : toUrl(written);
    if (url === '') this.places.set(keyOf(targetName(name)), `#${targetName(name)}`);
    else if (url.length <= MAX_HREF_CHARS) this.define(targetName(name), url);
  }

  private readTitle(text: string): void {
    const title = text.replace(/`/g, '').trim();
    if (title.length > MAX_TITLE_CHARS || this.places.has(keyOf(title))) return;
    this.places.set(keyOf(title), `#${GithubSlugger.slug(title)}`);
  }

  private readSubstitution(lines: readonly SourceLine[], at: number): void {
    const [, name = '', kind, rest = ''] = SUBSTITUTION.exec(lines[at]?.text ?? '') ?? [];
    if (kind === undefined) return;
    const text = (rest + continuation(lines, at, ' ')).trim();
    const shown = kind === 'replace' ? text : kind === 'unicode' ? toCharacters(text) : '';
    if (shown.length <= MAX_SUBSTITUTED) this.substitutions.set(keyOf(name), shown);
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
