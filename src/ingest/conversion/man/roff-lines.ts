/** A line of text, or a request such as `.B word` with its arguments as written. */
export interface RoffLine {
  /** '' for a line of text. */
  readonly macro: string;
  readonly text: string;
}

/** Levels of macros that call each other. */
const MAX_CALLS = 8;
/** Lines that the macros of one page add. */
const MAX_ADDED_LINES = 100_000;
/** Characters of a line that a macro makes. */
const MAX_LINE_CHARS = 20_000;
const REQUEST = /^[.'][ \t]*([^\s\\]{1,40})[ \t]*(.*)$/s;

/** Reads the requests of roff that decide which lines a page has: definitions, conditions and comments. */
export class RoffLines {
  /** Texts that a page defines, by name. */
  readonly strings = new Map<string, string>();
  private readonly macros = new Map<string, readonly string[]>();
  private readonly registers = new Map<string, number>([['.g', 1]]);
  private added = 0;
  /** The last answers of `.ie`, for `.el`. */
  private readonly answers: boolean[] = [];

  /** @param isKnown  true for a macro that a page does not replace */
  constructor(private readonly isKnown: (macro: string) => boolean) {}

  /** The lines of a page. */
  read(page: string): Generator<RoffLine> {
    const joined = page.replace(/\\\n/g, '');
    return this.walk(joined.split('\n'), 0);
  }

  private *walk(lines: readonly string[], calls: number): Generator<RoffLine> {
    for (let i = 0; i < lines.length; i++) {
      let line = withoutComment(lines[i] ?? '');
      for (;;) {
        const [, macro = '', rest = ''] = REQUEST.exec(line) ?? [];
        const taken = this.condition(macro, rest);
        if (taken === undefined) break;
        if (taken !== null) line = taken;
        else {
          i = endOfBlock(lines, i);
          line = '.';
        }
      }
      i = this.readDefinition(line, { lines, at: i }) ?? i;
      yield* this.plainLine(line, calls);
    }
  }

  private *plainLine(line: string, calls: number): Generator<RoffLine> {
    if (!/^[.']/.test(line)) {
      yield { macro: '', text: line };
      return;
    }
    const [, macro, rest = ''] = REQUEST.exec(line) ?? [];
    if (macro === undefined || DEFINING.test(macro)) return;
    const body = this.isKnown(macro) ? undefined : this.macros.get(macro);
    if (!body) {
      yield { macro, text: rest };
      return;
    }
    this.added += body.length;
    if (calls >= MAX_CALLS || this.added > MAX_ADDED_LINES) return;
    const given = splitArguments(rest);
    yield* this.walk(
      body.map((one) => withArguments(one, given)),
      calls + 1,
    );
  }

  /** @returns the line of a condition that holds, null if it does not, undefined for another line */
  private condition(macro: string, rest: string): string | null | undefined {
    if (macro === 'el') return this.answers.pop() === false ? bodyOf(rest) : null;
    if (macro === 'while') return null;
    if (macro !== 'if' && macro !== 'ie') return undefined;
    const { holds, body } = this.evaluate(rest);
    if (macro === 'ie') this.answers.push(holds);
    return holds ? bodyOf(body) : null;
  }

  private evaluate(written: string): { holds: boolean; body: string } {
    const [, marks = '', text = ''] = /^([! ]*)(.*)$/s.exec(written) ?? [];
    const isNegated = (marks.match(/!/g) ?? []).length % 2 === 1;
    const compared = /^(['"])([^'"]*)\1([^'"]*)\1(.*)$/s.exec(text);
    if (compared) {
      const [, , one = '', other = '', body = ''] = compared;
      return { holds: (one === other) !== isNegated, body };
    }
    const [, condition = '', body = ''] = /^(\S+)(.*)$/s.exec(text) ?? [];
    const [own = '', block] = splitOnce(condition, '\\{');
    const holds = this.isTrue(own);
    return { holds: holds !== isNegated, body: block === null ? body : `\\{${block}${body}` };
  }

  private isTrue(condition: string): boolean {
    if (/^[nt]$/.test(condition)) return condition === 'n';
    const shown = condition.replace(/\\n(?:\((..)|\[([^\]]{1,40})\]|(.))/g, (written) =>
      String(this.registers.get(written.replace(/^\\n[([]?|\]$/g, '')) ?? 0),
    );
    const [, left = '', mark, right] = /^\(?(-?\d+)(?:([<>=])=?(-?\d+))?/.exec(shown) ?? [];
    if (mark === undefined) return Number(left) > 0;
    const [a, b] = [Number(left), Number(right)];
    return mark === '=' ? a === b : mark === '<' ? a < b : a > b;
  }

  /** Reads a definition. @returns the number of its last line; undefined for another line */
  private readDefinition(
    line: string,
    { lines, at }: { readonly lines: readonly string[]; readonly at: number },
  ): number | undefined {
    const [, macro = '', rest = ''] = REQUEST.exec(line) ?? [];
    const [name = '', ...words] = rest.split(/[ \t]+/);
    if (macro === 'nr') this.registers.set(name, Number.parseInt(words[0] ?? '', 10) || 0);
    if (macro === 'ds' || macro === 'as') {
      const before = macro === 'as' ? (this.strings.get(name) ?? '') : '';
      const value = rest.slice(name.length).replace(/^[ \t]+"?/, '');
      this.strings.set(name, (before + value).slice(0, MAX_LINE_CHARS));
    }
    const other = this.macros.get(words[0] ?? '');
    if (macro === 'als' && other) this.macros.set(name, other);
    if (!/^(?:de1?|am1?|ig)$/.test(macro)) return undefined;
    const end = (macro === 'ig' ? name : words[0]) || '.';
    let last = at + 1;
    while (last < lines.length && !isEnd(lines[last] ?? '', end)) last++;
    if (macro !== 'ig') {
      const body = lines.slice(at + 1, last).map((one) => one.replaceAll('\\\\', '\\'));
      this.macros.set(name, macro.startsWith('am') ? [...(this.macros.get(name) ?? []), ...body] : body);
    }
    return last;
  }
}

const DEFINING = /^(?:de1?|am1?|ig|ds|as|nr|rm|rr|rn|als|so|tr|\\?\}|\.)$/;

const isEnd = (line: string, end: string): boolean =>
  /^[.'][ \t]*/.test(line) && line.replace(/^[.'][ \t]*/, '').trimEnd() === end;

function withoutComment(line: string): string {
  const at = /(?<!\\)(?:\\\\)*\\["#]/.exec(line);
  if (!at) return line;
  const kept = line.slice(0, at.index + at[0].length - 2);
  return /^[.']/.test(line) ? kept.trimEnd() : kept;
}

/** The line of a condition without the mark of a block. */
const bodyOf = (text: string): string => text.trimStart().replace(/^\\\{[ \t]*/, '') || '.';

function splitOnce(text: string, mark: string): [string, string | null] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** The number of the last line of a condition that does not hold. */
function endOfBlock(lines: readonly string[], at: number): number {
  let depth = 0;
  for (let i = at; i < lines.length; i++) {
    const line = lines[i] ?? '';
    depth += (line.match(/\\\{/g) ?? []).length - (line.match(/\\\}/g) ?? []).length;
    if (depth <= 0) return i;
  }
  return lines.length;
}

function withArguments(line: string, given: readonly string[]): string {
  return line
    .replace(/\\\$(?:([1-9])|([*@]))/g, (_, one: string | undefined) =>
      one === undefined ? given.join(' ') : (given[Number(one) - 1] ?? ''),
    )
    .slice(0, MAX_LINE_CHARS);
}

/** The arguments of a request: words, or texts in quotation marks. A backslash keeps a space in a word. */
export function splitArguments(text: string): string[] {
  const found = text.matchAll(/"((?:[^"]|"")*)(?:"|$)|((?:[^\s\\]|\\.|\\$)+)/gs);
  return Array.from(found, ([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare);
}
