import { BudgetExceededError } from '../../core/errors.js';
import { type Fit, type LimitReason, type Reply, skippedIn } from '../../core/reply.js';
import { countTokens } from './count-tokens.js';
import type { ToolResult } from './render.js';

/** Limits of a serialised result. */
export interface Ceilings {
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** Estimated tokens. */
  readonly tokens: number;
}

/** A rendered candidate and its size. */
interface Made<T> {
  readonly result: ToolResult;
  readonly output: T;
  readonly bytes: number;
  readonly tokens: () => number;
  /** Number of items left out because they don't fit into any reply. */
  readonly skipped: number;
}

/** Tokens of one picture or sound: about the most that models use for a picture. Its base64 is not counted as text. */
const MEDIA_TOKENS = 1_600;

function countResultTokens(result: ToolResult, json: string): number {
  const texts = result.content.filter(({ type }) => type !== 'image' && type !== 'audio');
  const media = result.content.length - texts.length;
  if (media === 0) return countTokens(json);
  return countTokens(JSON.stringify({ ...result, content: texts })) + media * MEDIA_TOKENS;
}

/** Renders an output that was built for a fit. */
type Render<T> = (output: T, fit: Fit) => ToolResult;

function make<T>(output: T, fit: Fit, render: Render<T>): Made<T> {
  const result = render(output, fit);
  const json = JSON.stringify(result);
  return {
    result,
    output,
    bytes: Buffer.byteLength(json),
    tokens: once(() => countResultTokens(result, json)),
    skipped: skippedIn(fit),
  };
}

function once<T extends object | number>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** The ceiling that a result exceeds; null if it fits. */
function brokenCeiling({ bytes, tokens }: Made<unknown>, ceilings: Ceilings): LimitReason | null {
  if (bytes > ceilings.bytes) return 'byte_cap';
  return tokens() > ceilings.tokens ? 'token_cap' : null;
}

/** A result within its ceilings, the output that it shows and its size. */
export interface Rendered<T> {
  readonly result: ToolResult;
  readonly output: T;
  readonly usage: Ceilings & { readonly skipped?: number };
  /** The ceiling that the complete output would exceed; null if it fits. */
  readonly broken: LimitReason | null;
}

/** Adds its size to a result; the size excludes the bytes of this field. */
export function withUsage({ result, usage }: Pick<Rendered<unknown>, 'result' | 'usage'>): ToolResult {
  return { ...result, _meta: { ...result._meta, 'pith/usage': usage } };
}

/** Minimum length of a clipped text (characters); a shorter one is useless as evidence. */
const MIN_CHARS = 40;

/** The shorter text lengths to try for a single item, longest first. */
function shorterTexts(maxChars: number): number[] {
  const lengths: number[] = [];
  for (let chars = Math.floor(maxChars / 2); chars >= MIN_CHARS; chars = Math.floor(chars / 2))
    lengths.push(chars);
  return lengths;
}

/** The items still to try, and those that fit into no reply. */
interface Left {
  readonly reason: LimitReason;
  /** Indices of the items that may fit. */
  readonly places: readonly number[];
  readonly skipped: ReadonlySet<number>;
}

/** Attempts when the complete output is too large, largest first: fewer items, then less text of the best item. */
function smallerFits({ count, maxChars }: Reply<unknown>, { reason, places, skipped }: Left): Fit[] {
  // First all items again: without debug output they may fit.
  const fewer = [count, ...places.slice(1).reverse()];
  const all = { count, maxChars, reason, skipped };
  return [
    ...fewer.map((first) => ({ ...all, count: first })),
    ...shorterTexts(maxChars).map((chars) => ({ ...all, count: places[1] ?? count, maxChars: chars })),
  ];
}

/** An index and the size of the attempt at that index. */
interface Sized {
  readonly at: number;
  readonly size: number;
}

interface Sizing {
  readonly sizeAt: (at: number) => number;
  readonly ceiling: number;
}

/**
 * Interpolation search for the first index after `tooLarge` whose size is within the ceiling. Sizes only decrease;
 * every third step bisects, for sizes that decrease unevenly.
 * @returns `end` if there is none
 */
function firstWithin(tooLarge: Sized, end: number, { sizeAt, ceiling }: Sizing): number {
  let [low, high] = [tooLarge, { at: end, size: 0 }];
  for (let looks = 1; high.at - low.at > 1; looks++) {
    const share = looks % 3 === 0 ? 0.5 : (low.size - ceiling) / (low.size - high.size);
    const guess = low.at + Math.ceil(share * (high.at - low.at));
    const at = Math.min(Math.max(guess, low.at + 1), high.at - 1);
    const size = sizeAt(at);
    if (size <= ceiling) high = { at, size };
    else low = { at, size };
  }
  return high.at;
}

/** The largest attempt that fits. Sizes only decrease along `tries`; bytes come first, since tokens are slower. */
function mostThatFits<T>(
  tries: readonly (() => Made<T>)[],
  wholeBytes: number,
  ceilings: Ceilings,
): { readonly index: number; readonly made: Made<T> } | null {
  const { length } = tries;
  const byBytes = { sizeAt: (i: number) => tries[i]?.().bytes ?? 0, ceiling: ceilings.bytes };
  const byTokens = { sizeAt: (i: number) => tries[i]?.().tokens() ?? 0, ceiling: ceilings.tokens };
  const first = firstWithin({ at: -1, size: wholeBytes }, length, byBytes);
  const start = { at: first, size: byTokens.sizeAt(first) };
  const best = start.size <= ceilings.tokens ? first : firstWithin(start, length, byTokens);
  const made = tries[best]?.();
  return made ? { index: best, made } : null;
}

function rendered<T>(
  { result, output, bytes, tokens, skipped }: Made<T>,
  broken: LimitReason | null,
): Rendered<T> {
  const usage = { bytes, tokens: tokens(), ...(skipped > 0 ? { skipped } : {}) };
  return { result, output, usage, broken };
}

/** Fits one reply into its ceilings. */
class Fitting<T> {
  constructor(
    private readonly reply: Reply<T>,
    private readonly ceilings: Ceilings,
    private readonly render: Render<T>,
  ) {}

  /** Shows as many items as fit; null if none does. Skips one that does not fit alone, or paging would stop at it. */
  best(reason: LimitReason, wholeBytes: number): Made<T> | null {
    const { count, needsFirst = false, isPage = false } = this.reply;
    const skipped = new Set<number>();
    let found: Made<T> | null = null;
    for (;;) {
      const places = Array.from({ length: count }, (_, i) => i).filter((i) => !skipped.has(i));
      if (places.length === 0 && count > 0 && !isPage) return null;
      const fits = smallerFits(this.reply, { reason, places, skipped });
      const at = mostThatFits(
        fits.map((fit) => once(() => this.make(fit))),
        wholeBytes,
        this.ceilings,
      );
      const next =
        at === null ? places[0] : places.find((place) => place >= (fits[at.index]?.count ?? count));
      found = at?.made ?? found;
      if (needsFirst || next === undefined || this.fitsAlone(next, reason)) return found;
      for (const place of places.filter((each) => each >= next)) {
        if (this.fitsAlone(place, reason)) break;
        skipped.add(place);
      }
    }
  }

  private make(fit: Fit): Made<T> {
    return make(this.reply.build(fit), fit, this.render);
  }

  /** True when an item fits alone, with its text at the minimum length. */
  private fitsAlone(place: number, reason: LimitReason): boolean {
    const skipped = new Set(Array.from({ length: place }, (_, i) => i));
    const maxChars = shorterTexts(this.reply.maxChars).at(-1) ?? this.reply.maxChars;
    return !brokenCeiling(this.make({ count: place + 1, maxChars, reason, skipped }), this.ceilings);
  }
}

/**
 * Renders a reply within both ceilings. Above them, the lowest-ranked items are dropped first; when one is left, its
 * text is halved repeatedly. Items that do not fit alone are skipped.
 * @throws BudgetExceededError when not even one item fits
 */
export function renderWithin<T>(reply: Reply<T>, ceilings: Ceilings, render: Render<T>): Rendered<T> {
  const { output, count, maxChars } = reply;
  const whole = make(output, { count, maxChars, reason: null }, render);
  const broken = brokenCeiling(whole, ceilings);
  if (!broken) return rendered(whole, null);
  const best = new Fitting(reply, ceilings, render).best(broken, whole.bytes);
  if (best) return rendered(best, broken);
  throw new BudgetExceededError('No item fits into the response.', {
    reason: broken === 'byte_cap' ? 'response_bytes' : 'response_tokens',
    hint: 'Ask for fewer results, quotes or tokens. If that does not help, the operator can raise MAX_RESPONSE_BYTES.',
    details: { ceiling_bytes: ceilings.bytes, ceiling_tokens: ceilings.tokens },
  });
}
