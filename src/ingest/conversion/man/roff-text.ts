import { escapeHtml } from '../html-text.js';

/** Special characters by their names of two letters or more. */
const CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'aq \' dq " cq ’ oq ‘ lq “ rq ” bq ‚ Bq „ Fo « Fc » fo ‹ fc › em — en – hy - mi − bu • ci ○ sq □ ' +
    'rs \\ sl / ba | br │ ul _ rn ‾ at @ sh # Do $ ct ¢ Eu € eu € Ye ¥ Po £ co © rg ® tm ™ de ° sc § ps ¶ dg † dd ‡ ' +
    'ti ~ ha ^ ga ` aa ´ ad ¨ lB [ rB ] lC { rC } la ⟨ ra ⟩ <- ← -> → <> ↔ ua ↑ da ↓ lA ⇐ rA ⇒ hA ⇔ ' +
    '+- ± mu × di ÷ == ≡ != ≠ >= ≥ <= ≤ ap ≈ ~~ ≈ ~= ≅ =~ ≅ !< ≮ if ∞ no ¬ es ∅ mo ∈ nm ∉ sb ⊂ sp ⊃ is ∫ sr √ pd ∂ ' +
    'fm ′ sd ″ 12 ½ 14 ¼ 34 ¾ S1 ¹ S2 ² S3 ³ r! ¡ r? ¿ OK ✓ ss ß ae æ AE Æ oe œ OE Œ :a ä :o ö :u ü :A Ä :O Ö :U Ü ' +
    ":e ë :i ï 'a á 'e é 'i í 'o ó 'u ú 'y ý 'A Á 'E É 'I Í 'O Ó 'U Ú `a à `e è `i ì `o ò `u ù `A À `E È ^a â ^e ê ^i î " +
    '^o ô ^u û ^A Â ^E Ê ~a ã ~n ñ ~o õ ~N Ñ ,c ç ,C Ç oa å oA Å /o ø /O Ø -D Ð Sd ð TP Þ Tp þ vs š vS Š vz ž vZ Ž ' +
    '*a α *b β *g γ *d δ *e ε *z ζ *y η *h θ *i ι *k κ *l λ *m μ *n ν *c ξ *o ο *p π *r ρ *s σ *t τ *u υ *f φ *x χ *q ψ *w ω ' +
    '*D Δ *G Γ *H Θ *L Λ *C Ξ *P Π *S Σ *F Φ *Q Ψ *W Ω pc · md ⋅ lh ☜ rh ☞ lz ◊ CR ↵ hbar ℏ'
  )
    .split(' ')
    .flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1] ?? '']] : [])),
);
const LONG_NAMES: Readonly<Record<string, string>> = {
  braceleft: '{',
  braceright: '}',
  bracketleft: '[',
  bracketright: ']',
  integral: '∫',
  sum: '∑',
  product: '∏',
  char92: '\\',
};

/** Escapes that show a character. */
const SHOWN: Readonly<Record<string, string>> = {
  '-': '-',
  ' ': ' ',
  '~': ' ',
  '0': ' ',
  e: '\\',
  '\\': '\\',
  E: '\\',
  '.': '.',
  "'": "'",
  '`': '`',
  t: '\t',
  _: '_',
};
/** Escapes with an argument between two marks that shows nothing. */
const QUIET = /[hvwlLxDXABRSHCb]/;
/** Escapes with a name that show nothing. */
const NAMED_QUIET = /[nkmMFgVYO]/;
const MAX_STRING_LEVELS = 5;
/** Characters that strings add to a page. */
const MAX_ADDED_CHARS = 1_000_000;
/** Words of a bold text that is shown as code: bold is what is typed, unless it is a sentence. */
const MAX_CODE_WORDS = 5;

interface Run {
  readonly isCode: boolean;
  text: string;
}

/** Turns text with the escapes of roff into HTML. Bold text is code; italics are left out. */
export class RoffText {
  /** B, I, R or CW. */
  font = 'R';
  private before = 'R';
  private added = 0;

  constructor(private readonly strings: ReadonlyMap<string, string>) {}

  setFont(name: string): void {
    const next = name === 'P' || name === '' ? this.before : name;
    this.before = this.font;
    this.font = next;
  }

  /** HTML of a text; `isPlain` for text in code. */
  html(text: string, isPlain = false): string {
    const runs: Run[] = [{ isCode: this.isCode(), text: '' }];
    this.read(text, runs, 0);
    return joined(runs)
      .map((run) => (run.isCode && !isPlain ? codeHtml(run.text) : escapeHtml(run.text)))
      .join('');
  }

  /** A text in a font, after which the font is as before. */
  inFont(font: string, text: string): string {
    const { font: own, before } = this;
    this.font = font;
    const html = this.html(text);
    [this.font, this.before] = [own, before];
    return html;
  }

  private isCode(): boolean {
    return /^(?:B|BI|C[WBR]?|CW|3|4|V)$/.test(this.font);
  }

  private read(text: string, runs: Run[], level: number): void {
    let from = 0;
    for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
      add(runs, text.slice(from, at), this.isCode());
      from = this.escape(text, at + 1, { runs, level });
    }
    add(runs, text.slice(from), this.isCode());
  }

  /** Reads an escape. @param at  the place behind the backslash @returns the place behind the escape */
  private escape(text: string, at: number, { runs, level }: { runs: Run[]; level: number }): number {
    const mark = text[at] ?? '';
    const shown = SHOWN[mark];
    if (shown !== undefined) {
      add(runs, shown, this.isCode());
      return at + 1;
    }
    if (mark === '(' || mark === '[') {
      const { name, end } = nameFrom(text, at);
      add(runs, character(name), this.isCode());
      return end;
    }
    if (mark === 'f' || mark === '*') {
      const { name, end } = nameFrom(text, at + 1);
      if (mark === 'f') this.setFont(name);
      else this.addString(name, runs, level);
      return end;
    }
    if (mark === 's')
      return (
        at + 1 + (/^[-+]?(?:\(..|\[[^\]]*\]|'[^']*'|\d)/s.exec(text.slice(at + 1, at + 60))?.[0].length ?? 0)
      );
    if (NAMED_QUIET.test(mark)) return nameFrom(text, at + 1).end;
    if (mark === 'N' || mark === 'o' || mark === 'Z') return this.delimited(text, at, runs);
    if (QUIET.test(mark)) return endOfDelimited(text, at + 1);
    return at + 1;
  }

  private addString(name: string, runs: Run[], level: number): void {
    const value = STRINGS[name] ?? this.strings.get(name) ?? '';
    this.added += value.length;
    if (level < MAX_STRING_LEVELS && this.added < MAX_ADDED_CHARS) this.read(value, runs, level + 1);
  }

  private delimited(text: string, at: number, runs: Run[]): number {
    const end = endOfDelimited(text, at + 1);
    const inner = text.slice(at + 2, end - 1);
    const shown =
      text[at] === 'N' ? String.fromCodePoint(Math.min(0xffff, Number.parseInt(inner, 10) || 0x20)) : inner;
    add(runs, shown, this.isCode());
    return end;
  }
}

/** Strings that every page has. */
const STRINGS: Readonly<Record<string, string>> = {
  R: '®',
  Tm: '™',
  lq: '“',
  rq: '”',
  Lq: '“',
  Rq: '”',
  Le: '≤',
  Ge: '≥',
  Ne: '≠',
  Pm: '±',
  Ba: '|',
  Am: '&',
  Gt: '>',
  Lt: '<',
  lp: '(',
  rp: ')',
  Aq: "'",
  'C+': 'C++',
  '--': '--',
  'L"': '"',
  'R"': '"',
};

function add(runs: Run[], text: string, isCode: boolean): void {
  if (text === '') return;
  const last = runs.at(-1);
  if (last?.isCode === isCode) last.text += text;
  else runs.push({ isCode, text });
}

/** The runs with blanks outside code. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const { isCode, text } of runs) {
    const isShort = text.trim() !== '' && text.trim().split(/\s+/).length <= MAX_CODE_WORDS;
    if (!isCode || !isShort) {
      add(all, text, false);
      continue;
    }
    add(all, text.slice(0, text.length - text.trimStart().length), false);
    add(all, text.trim(), true);
    add(all, text.slice(text.trimEnd().length), false);
  }
  return all;
}

const codeHtml = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** A name of one letter, of two after `(`, or in brackets. */
function nameFrom(text: string, at: number): { name: string; end: number } {
  if (text[at] === '(') return { name: text.slice(at + 1, at + 3), end: at + 3 };
  if (text[at] !== '[') return { name: text[at] ?? '', end: at + 1 };
  const end = text.slice(at, at + 100).indexOf(']');
  return end < 0 ? { name: '', end: at + 1 } : { name: text.slice(at + 1, at + end), end: at + end + 1 };
}

function endOfDelimited(text: string, at: number): number {
  const end = text.slice(at + 1, at + 1_000).indexOf(text[at] ?? '');
  return end < 0 ? at : at + 1 + end + 1;
}

function character(name: string): string {
  const [, hex] = /^u([\dA-F]{4,5})/.exec(name) ?? [];
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  return CHARACTERS[name] ?? LONG_NAMES[name] ?? '';
}
