/*
 * The model gives each character a charge in tokens, with p the previous and c the current symbol. There are 100
 * symbols (95 printable ASCII, tab, LF, CR, other control, anything above ASCII) of 9 kinds:
 *
 *   charge(p, c) = REPEAT[c]                                        when p = c, unless letter a-z, digit or non-ASCII
 *                = INTO[kind p][c] + FROM[kind c][p] + LETTERS[p][c]   otherwise
 *                + 1 for digits 1, 4, 7 … of a run (o200k splits numbers into threes) + WIDE[c] above ASCII
 *
 * Letter pairs distinguish words from noise: "th" and "in" are inside tokens, "qx" and "zk" are split. A charge
 * depends only on earlier characters and is never negative, so the estimate of a prefix never exceeds that of the
 * whole.
 *
 * The model was fitted once, offline, to o200k_base counts of about 70,000 slices (15 to 4,000 characters): the
 * Markdown of NestJS, PowerShell and C++ reference docs, a third of it JSON-escaped; sources, JSON and READMEs of npm
 * packages; random letters, base64, hex, UUIDs, punctuation, whitespace, repeated units and non-ASCII mixtures; and
 * all texts that earlier fits undercounted. The fit uses asymmetric least squares on the relative error: a token too
 * few weighs 200 times a token too many. The target is 1.065 times the count; the letter and pair charges were then
 * raised by 2 %.
 */

/** Digits of the packed tables. A digit d of 0..63 is a charge of 1.2 · (d / 63)², which is most precise near 0. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-';

/** By kind of the previous symbol: lower, upper, digit, punctuation, space, tab, newline, control, wide. */
const INTO = [
  '1j3rzhb00jlNbM0Y00da0bnL0WGRYNdeqZSYZNUfiaVgWPgYdndTWwawo-hfURkhv0I000J0E0TO00000N0100H9H0b-WOfc-UnI',
  'PnNzXX-eZmfzigZq0THLGc0PZMgOl0mZrJZSI8gcVN-KYZ0B0VA0Ja4fL0sY0d-0zE2QeJeqI0Y-bXA0Vm6WS0BN0Hftvhxd-Sk0',
  '0-ELSSnc0kbUa10p0000000B00XSo5NWaKIZXQaVUpSoNUWULeI8hQSbTOViP4TWmVn0SJokQQZ0c3AmdaWGbNZRUZQcaRzZ-HZ0',
  'Mb0ncncfwWXnNS0WN00GhJZVpPH0inbvg0ZYTYXXabYZhWaagyR0UYURQ-PfibkxrhUfeAfTYdP0RagZo0ZVaXUljFpYkVhhiHq3',
  'W0luomYnbqQVca-mWccdZqk0CnSVjUqEhK77J17k0DSNJKcLMF00eGT0W++bgrS-GTNMFZbgadQ5bbjc0oQFbVTN-dq0tLNCSofK',
  'ZSmWWWWUMVsWWX0cWWWWWWWWWWRWRXWRW0WzTXWWXWWWW0XVWXFVUXWTWWWSWjWWUfV0qDfJWzWVDWZHmW0MjlxSWXWfWhWWZijd',
  '0O00BbXd000L0700000NFUYYRK000I0T0000Q0V8H0Z000Q00Q000II0S0Z0g0U0007U000j0TO0i0009N000U00JpJj0ID0P0R0',
  'fXWWWWWWWWXWWWWWYXXWXWWWWWWYWXXWWWWXWXYWWWWWYWWXWXWWWXXWWXWWWWWWWXWYXXXYWXXXXXWWXXXWWXXXXYWWWYWXueWb',
  '0Z0bfTXnaWabWTaYTRUSTVVUVU0ZbdcbcVWUWVWWWZWWWWWVWWWWVWVWWWWX0dZVLWYWOWXXXWXWMSVWYWYSQbVXWWYYedZdXWbA',
];

/** By kind of the current symbol, then by the previous symbol. */
const FROM = [
  '1jhWnsyY0onlrY00bhleZerF00-y00-qh000QQQF2FX2L60H0QR0B000hipna-k0Q0300020000000000005000CGO2W-+ZZ0XpL',
  '0qgnOj-qOzYekh09Y5jUf0iUPO-l5WjT00nfXPTnBEgq0OR1hk0mPKlaqrted--0LihnSIeOKw-XfiQnTuVZNppVdPk+j-p00WkR',
  'hW0lRMaYaVeWaisl0000000000KmgRvVXcR0hFXUSLPTfypiJOuLYYRs0RQkbO4XViTQUO000-J+OLr0QgQi2m000Qa0cnWX0Wc0',
  '0cVhjXz00PigdpeO0PAYdb7EKVY+b0Y0ybCSO0PQRZzfVbH0Oimn0kruf0WJ0Rj9YXcf6KORSpiLbO1cXxMBMLtKT0+jhPw+0WlA',
  'Wcp0YZdcoekZlszaeaNrM000YNY-aZa-bZ-eXfvraZ-0F0XX0y0KR-ryO0XFURelrpcjUUdOUq-JTXSdh-WOUfIfe0TsJ0qZ0+f0',
  'CWWWWWWWWWWWWWWWXWXWWWWWWWWWWXWWYXWXWWYWXWWWWWWWWWWWWWWWWWWWWZWWWWWXWWWWXWWWWWWWWWWWWWYWWWWXXWWW0pXd',
  'GVanrUN7-WLcSZl0rcqgXz0HYVmZboXTVik-0cScXXWoP-wfnXa2NZZXbSt9nTYEo-n-Md-f0Gc0DeSbOkd0PjFW00sbjVVk0PzX',
  'fWWWXYWWWXWWXYWWWWWWXWWXWWXZWWWWWWWWWWWWWWYXWWWWWXWWWWWWYXXXWZWXWWXWWXWYYXWXWXWXWXWWWXWXXWXWXWWjBeWb',
  'KZ0bgkZmYWYbeTYdUUVUSVUVUTXZZdbbcWWBWWWVWZWWWWVUWWWWWWWWWVVTgebc0USVePYTXVXUUUNWWWZQWYYXWWVZePZd0WbA',
];

/** 26 × 26 by the previous letter, of either case, then the current lower-case one. */
const LETTERS = [
  'gCJ0-WIvhSC00PzBhILIh0k0O1Lo-mCxymS0J2wzeqifYp0Vzwk-H+SwARy0C-2Ok-QILBp0LofwRm',
  'IjdSFippU0naznf-SZcm0pv-igXHPOSBjeg-yOFEdW507TYTY0qw0vmy02--7-bb-y0ytZ-U7-yvp-',
  'm0ur0vuD0nfTKYNvfUUZQ-kkXa0iq-Ea-TEee-So0+0Xp0kY-uZzXE0MI0Lop+o0WI0OHPCM-7-X-0',
  'A-pq0--EsT-cjo0poyLOy0hnw-Blpx0Y--QgPixvd5bdOgtXv0wqEmeZN0vyEouQ--00o+KEf0x-0z',
  '0WSe0o0l1qT0STMHL-jwpOk-wnZjGNBL04VA0qoePd+n00NV-pebF0IOx0X-t6XK00KKp0RZ0A0csb',
  'SXst0--hcsqJov0eyJaKYnUkiOq-Sy+-nlmwe0s--kYfmr0vpjf-QaX00dUs0jSq060eucQQV0ro0r',
  'f-TlUH-aWs0qdvQcjnRK0uZ-UjHvqX7sqG0WwqlpMZlS6fK-muFtdCjbTk0tUs-NKX-AZ026-gylia',
  '0-yrLb0U0svi+-0s8--camio-wG---NuZb0o-+-e0lnabd-Uc-hcEqNpnlv5E0po0v-0cfUJ-ueVbk',
  'txJUW-nMiXhjKC0CqaaPllmTi-0d-b6uXt0kCyUsYoxfdPHwh-0H',
].join('');

/** By symbol, for the second and later of equal symbols in a row. */
const REPEAT =
  'qEg6ZAfeSS6BW666WWWWWWWWWWTEL8SMKPSqfUMggmgfTTfThfwffmfhETgfqgM7dWWWWWWWWWWWWWWWWWWWWWWWWWWgUfBHKfwW';

/**
 * Charges above ASCII: first code unit, tokens per code unit; each up to the next entry, in multiples of 16. They
 * are about the cost of random characters of the block, which is two to four times that of fluent prose (in Russian,
 * Chinese, Korean), because the block doesn't tell which words are in the vocabulary. A surrogate pair is two units,
 * so an emoji is charged 4.
 */
const WIDE_RANGES = [
  0x80, 2.1, 0xa0, 1.5, 0xc0, 1.1, 0x100, 2, 0x370, 1.8, 0x3b0, 1, 0x3d0, 2, 0x400, 1.7, 0x410, 0.9, 0x450,
  1.8, 0x500, 2, 0x5d0, 0.85, 0x5f0, 1.8, 0x620, 1.05, 0x650, 1.8, 0x700, 2.6, 0x900, 1.4, 0x980, 1.75, 0xe00,
  1.25, 0xe50, 2.1, 0xf00, 2.4, 0x1000, 1.8, 0x1100, 3, 0x1780, 1.6, 0x1800, 3, 0x1e00, 1.8, 0x1f00, 2.3,
  0x2000, 1.8, 0x2010, 1.1, 0x2030, 2, 0x2300, 2.6, 0x2500, 1.9, 0x2600, 2.2, 0x27c0, 3, 0x3000, 1.75, 0x3040,
  1.25, 0x3100, 2.75, 0x3400, 3, 0x4e00, 2, 0xa000, 3, 0xac00, 2.3, 0xd7b0, 3, 0xd800, 2, 0xe000, 3, 0xfe00,
  1.5, 0xfe10, 3, 0xff00, 1.75, 0xfff0, 3,
];

const SYMBOLS = 100;
const NEWLINE = 96;
const SPACE_KIND = 4;
const DIGIT_KIND = 2;

/** One token has up to about 80 spaces, so spaces after the second cost almost nothing. */
const LONG_INDENT_CHARGE = 1 / 64;

/** Adds a margin of 2 + 1.2 √t to the charge t: errors of single words cancel out only in long texts. */
const withMargin = (charge: number): number => charge + 2 + 1.2 * Math.sqrt(charge);

function symbolOf(code: number): number {
  if (code > 127) return 99;
  if (code >= 32 && code < 127) return code - 32;
  return code === 9 ? 95 : code === 10 ? NEWLINE : code === 13 ? 97 : 98;
}

function kindOf(symbol: number): number {
  if (symbol >= 65 && symbol <= 90) return 0;
  if (symbol >= 33 && symbol <= 58) return 1;
  if (symbol >= 16 && symbol <= 25) return DIGIT_KIND;
  if (symbol === 0) return SPACE_KIND;
  if (symbol < 95) return 3;
  return symbol === 95 ? 5 : symbol < 98 ? 6 : symbol === 98 ? 7 : 8;
}

function unpack(table: string | undefined, at: number): number {
  return 1.2 * (DIGITS.indexOf(table?.[at] ?? '0') / 63) ** 2;
}

function pairCharge(previous: number, current: number): number {
  const from = kindOf(previous);
  const into = kindOf(current);
  if (previous === current && into !== 0 && into !== DIGIT_KIND && into !== 8) return unpack(REPEAT, current);
  const charge = unpack(INTO[from], current) + unpack(FROM[into], previous);
  if (into !== 0 || from > 1) return charge;
  return charge + unpack(LETTERS, (previous - (from === 0 ? 65 : 33)) * 26 + current - 65);
}

const SYMBOL = Uint8Array.from({ length: 128 }, (_, code) => symbolOf(code));
const KIND = Uint8Array.from({ length: SYMBOLS }, (_, symbol) => kindOf(symbol));
const PAIR = Float64Array.from({ length: SYMBOLS * SYMBOLS }, (_, at) =>
  pairCharge(Math.floor(at / SYMBOLS), at % SYMBOLS),
);
const WIDE = new Float64Array(4096);
for (let i = 0; i < WIDE_RANGES.length; i += 2)
  WIDE.fill(WIDE_RANGES[i + 1] ?? 0, (WIDE_RANGES[i] ?? 0) / 16);

/** A charge whose margin is surely within the budget; only larger charges are compared exactly. */
const surelyWithin = (budget: number): number =>
  budget === Infinity ? Infinity : budget - 3 - 1.2 * Math.sqrt(budget);

/** Walks the text until its charge with margin would exceed the budget; `end` is the number of code units walked. */
function walk(text: string, budget: number): { readonly charge: number; readonly end: number } {
  const within = surelyWithin(budget);
  let charge = 0;
  let previous = NEWLINE;
  let kindBefore = -1;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const symbol = code < 128 ? (SYMBOL[code] ?? 0) : 99;
    const kind = KIND[symbol] ?? 0;
    run = kind === kindBefore ? run + 1 : 0;
    let step = PAIR[previous * SYMBOLS + symbol] ?? 0;
    if (code > 127) step += WIDE[code >> 4] ?? 0;
    if (kind === DIGIT_KIND && run % 3 === 0) step += 1;
    if (kind === SPACE_KIND && run > 1) step = LONG_INDENT_CHARGE;
    const next = charge + step;
    if (next > within && withMargin(next) > budget) return { charge, end: at };
    charge = next;
    previous = symbol;
    kindBefore = kind;
  }
  return { charge, end: text.length };
}

function tokensOf(charge: number, length: number): number {
  if (length === 0) return 0;
  return Math.max(Math.ceil(withMargin(charge)), Math.ceil(length / 4));
}

/**
 * Estimates an upper bound of the o200k token count of a text, without a vocabulary.
 *
 * For the documents of the fit, the estimate is never below the real count of any file, section, paragraph or
 * sentence, and about 1.2 times the count. For other npm sources and READMEs, it is too low for about one slice in a
 * thousand, by 7 % at most. Adversarial text (a few unusual characters repeated) can cost twice the estimate.
 * @returns whole tokens, at least length / 4 rounded up; 0 for the empty text; never less than for a prefix of the
 *   text
 */
export function estimateTokens(text: string): number {
  return tokensOf(walk(text, Infinity).charge, text.length);
}

/**
 * Finds how much of a text fits a token budget.
 * @param maxTokens  in units of `estimateTokens`; below 2 nothing fits
 * @returns the largest UTF-16 offset whose prefix has at most maxTokens, never inside a surrogate pair
 */
export function clipToTokens(text: string, maxTokens: number): number {
  const budget = Math.floor(maxTokens);
  if (!(budget >= 2)) return 0;
  const end = Math.min(walk(text, budget).end, budget * 4);
  return splitsPair(text, end) ? end - 1 : end;
}

function splitsPair(text: string, at: number): boolean {
  if (at === 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1) & 0xfc00;
  return before === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
