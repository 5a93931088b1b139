import { MARKDOWN_SPANS, PLAIN_SPANS, type SpanWriter } from '../../markdown-spans.js';
import { MAX_HREF_CHARS } from '../../parsed-document.js';
import type { References } from './references.js';
import { splitTitled, writeRole } from './roles.js';

/** White space, punctuation or the end of the text, without which a mark does not end inline markup. */
const AFTER = String.raw`(?=[\s\p{P}<>=+|~$^]|$)`;

/** Finds the ends of spans in one text. Each kind of end is searched for once, so that unclosed spans cost nothing. */
class SpanEnds {
  private readonly literal: NextMatch;
  private readonly interpreted: NextMatch;

  constructor(text: string) {
    this.literal = new NextMatch(text, new RegExp('(?<=\\S)``(?!`)' + AFTER, 'gu'));
    this.interpreted = new NextMatch(text, new RegExp('(?<![\\s\\\\`])`(?!`)(?:(?=_)|' + AFTER + ')', 'gu'));
  }

  /** The start of the backticks that end a literal; -1 without end. @param from  not less than before */
  ofLiteral(from: number): number {
    return this.literal.from(from);
  }

  /** The backtick that ends interpreted text; -1 without end. @param from  not less than before */
  ofInterpreted(from: number): number {
    return this.interpreted.from(from);
  }
}

class NextMatch {
  private at = -2;

  constructor(
    private readonly text: string,
    private readonly pattern: RegExp,
  ) {}

  from(from: number): number {
    if (this.at === -1 || this.at >= from) return this.at;
    this.pattern.lastIndex = from;
    this.at = this.pattern.exec(this.text)?.index ?? -1;
    return this.at;
  }
}

const MARK = /[\\`|_]/g;
const WORD = /[\p{L}\p{N}]/u;
const NAME = /[\p{L}\p{N}_.+:-]/u;
const SUBSTITUTION = /\|([^\s|](?:[^|\n]{0,100}[^\s|])?)\|(_{0,2})/y;
const FOOTNOTE = /\[(?:\d{1,9}|#[\w.-]{0,80}|\*|[A-Za-z][\w.+-]{0,80})\]$/;
const ROLE_BEFORE = /:([A-Za-z][\w.+:-]{0,60}):$/;
const ROLE_AFTER = /:([A-Za-z][\w.+:-]{0,60}):/y;
/** Characters before a mark that can belong to it: the name of a role or of a link. */
const LOOK_BACK = 100;
/** A name that another file or Sphinx defines, such as `version`. */
const SUBSTITUTED_ELSEWHERE = /^[A-Za-z][\w.-]+[A-Za-z\d]$/;

/** Converts the inline markup of reStructuredText to Markdown. Takes time linear in the text. */
export function convertInline(text: string, refs: References): string {
  return new InlineConverter(text, refs, MARKDOWN_SPANS).convert();
}

/** Removes the inline markup of reStructuredText; emphasis with `*` is kept as written. */
export function plainInline(text: string, refs: References): string {
  return new InlineConverter(text, refs, PLAIN_SPANS).convert();
}

class InlineConverter {
  private readonly out: string[] = [];
  /** End of the text that is converted. */
  private done = 0;
  private readonly ends: SpanEnds;

  constructor(
    private readonly text: string,
    private readonly refs: References,
    private readonly to: SpanWriter,
    private readonly isSubstituted = false,
  ) {
    this.ends = new SpanEnds(text);
  }

  convert(): string {
    const { text } = this;
    // `MARK` is shared with the conversion of substitutions, so the position is kept here.
    for (let at = this.next(0); at >= 0; at = this.next(at)) {
      const mark = text[at];
      if (mark === '\\') at = this.escape(at);
      else if (mark === '`') at = text[at + 1] === '`' ? this.literal(at) : this.interpreted(at);
      else if (mark === '|') at = this.substitution(at);
      else at = this.underscore(at);
    }
    return this.out.join('') + text.slice(this.done);
  }

  private next(from: number): number {
    MARK.lastIndex = from;
    return MARK.exec(this.text)?.index ?? -1;
  }

  /** Replaces the text from `start` to `end`. @returns `end` */
  private replace(start: number, end: number, shown: string): number {
    this.out.push(this.text.slice(this.done, start), shown);
    this.done = end;
    return end;
  }

  /** An escaped space is nothing; other characters lose their meaning. */
  private escape(at: number): number {
    const next = this.text[at + 1];
    if (next === undefined) return this.replace(at, at + 1, '');
    if (next === '`') return at + 2;
    this.replace(at, at + (/\s/.test(next) ? 2 : 1), '');
    return at + 2;
  }

  private isStart(at: number, width: number): boolean {
    const before = this.text[at - 1];
    const after = this.text[at + width];
    return (before === undefined || !WORD.test(before)) && after !== undefined && !/\s/.test(after);
  }

  private literal(at: number): number {
    const end = this.isStart(at, 2) ? this.ends.ofLiteral(at + 2) : -1;
    if (end < 0) return at + 2;
    return this.replace(at, end + 2, this.to.code(this.text.slice(at + 2, end)));
  }

  private interpreted(at: number): number {
    const { text } = this;
    const end = this.isStart(at, 1) ? this.ends.ofInterpreted(at + 1) : -1;
    if (end < 0) return at + 1;
    const source = text.slice(at + 1, end);
    const content = unescape(source);
    const before = ROLE_BEFORE.exec(text.slice(Math.max(this.done, at - LOOK_BACK), at));
    if (before) {
      return this.replace(at - before[0].length, end + 1, this.role(before[1] ?? '', source));
    }
    if (text[end + 1] === '_') {
      const width = text[end + 2] === '_' ? 2 : 1;
      return this.replace(at, end + 1 + width, this.link(content, width === 2));
    }
    ROLE_AFTER.lastIndex = end + 1;
    const after = ROLE_AFTER.exec(text);
    if (after) return this.replace(at, end + 1 + after[0].length, this.role(after[1] ?? '', source));
    const isTarget = text[at - 1] === '_' && at - 1 >= this.done;
    return this.replace(isTarget ? at - 1 : at, end + 1, isTarget ? content : this.to.code(content));
  }

  /** Backslashes of formulas and code are text. */
  private role(name: string, source: string): string {
    const content = /(?:^|:)(?:code|math)$/i.test(name) ? source : unescape(source);
    return writeRole(name, content, { refs: this.refs, to: this.to });
  }

  /** A link with its address, with the name of its address, or with its own text as the name. */
  private link(content: string, isAnonymous: boolean): string {
    const { title, target } = splitTitled(content);
    if (title !== null && target.endsWith('_'))
      return this.linkTo(title, this.refs.find(target.slice(0, -1)));
    if (title === null && /^<[^<>]+>$/.test(content))
      return this.linkTo(content.slice(1, -1), content.slice(1, -1));
    if (title === null)
      return this.linkTo(content, isAnonymous ? this.refs.takeAnonymous() : this.refs.find(content));
    const url = target.replace(/\s+/g, '');
    if (!isAnonymous) this.refs.define(title, url);
    return this.linkTo(title, url);
  }

  private linkTo(text: string, href: string | null): string {
    return href === null || href.length > MAX_HREF_CHARS
      ? text
      : this.to.link(text, href.replace(/\s+/g, ''));
  }

  private substitution(at: number): number {
    SUBSTITUTION.lastIndex = at;
    const [whole = '', name = '', reference] = SUBSTITUTION.exec(this.text) ?? [];
    if (whole === '') return at + 1;
    const raw = this.isSubstituted ? null : this.refs.substitute(name);
    if (raw === null && !(SUBSTITUTED_ELSEWHERE.test(name) && this.isStart(at, 1))) return at + 1;
    const text = raw === null ? name : new InlineConverter(raw, this.refs, this.to, true).convert();
    const href = reference ? this.refs.find(name) : null;
    return this.replace(at, at + whole.length, this.linkTo(text, href));
  }

  /** An underscore at the end of a word is a link, and after brackets a footnote. */
  private underscore(at: number): number {
    const { text } = this;
    const width = text[at + 1] === '_' ? 2 : 1;
    const after = text[at + width];
    if (after !== undefined && (after === '_' || after === '`' || WORD.test(after))) return at + 1;
    const from = Math.max(this.done, at - LOOK_BACK);
    if (text[at - 1] === ']' && FOOTNOTE.test(text.slice(from, at))) return this.replace(at, at + width, '');
    if (this.refs.isEmpty) return at + width;
    let start = at;
    while (start > from && NAME.test(text[start - 1] ?? '')) start--;
    while (start < at && !WORD.test(text[start] ?? '')) start++;
    const name = text.slice(start, at);
    const href = name === '' ? null : width === 2 ? this.refs.takeAnonymous() : this.refs.find(name);
    return href === null ? at + width : this.replace(start, at + width, this.linkTo(name, href));
  }
}

function unescape(text: string): string {
  return text.includes('\\') ? text.replace(/\\(?:\s|(.))/g, '$1') : text;
}
