import { BudgetExceededError } from '../errors.js';
import type { Fit, LimitReason, Reply } from '../reply.js';
import { countTokens } from './count-tokens.js';
import type { ToolResult } from './render.js';

export interface Ceilings {
  /** UTF-8 bytes of the serialised result. */
  readonly bytes: number;
  /** Estimated tokens of the same. */
  readonly tokens: number;
}

/** A result, the output that it shows and what is sent of it. */
interface Made<T> {
  readonly result: ToolResult;
  readonly output: T;
  readonly bytes: number;
  readonly tokens: () => number;
}

function make<T>(output: T, render: (output: T) => ToolResult): Made<T> {
  const result = render(output);
  const json = JSON.stringify(result);
  return { result, output, bytes: Buffer.byteLength(json), tokens: once(() => countTokens(json)) };
}

function once<T extends object | number>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** The ceiling that a result breaks, if any. */
function brokenCeiling({ bytes, tokens }: Made<unknown>, ceilings: Ceilings): LimitReason | null {
  if (bytes > ceilings.bytes) return 'byte_cap';
  return tokens() > ceilings.tokens ? 'token_cap' : null;
}

/** A result, the output that it shows and what it takes. */
export interface Rendered<T> {
  readonly result: ToolResult;
  readonly output: T;
  readonly usage: Ceilings;
  /** The ceiling that the whole would have broken, if any. */
  readonly broken: LimitReason | null;
}

/** Says what a result really takes, apart from these few bytes. */
export function withUsage({ result, usage }: Pick<Rendered<unknown>, 'result' | 'usage'>): ToolResult {
  return { ...result, _meta: { ...result._meta, 'pith/usage': usage } };
}

/** A clipped text shorter than this proves nothing. */
const MIN_CHARS = 40;

/** What to try when the whole is too much, from the most on: fewer items, then less of the best one's text. */
function smallerFits({ count, maxChars }: Reply<unknown>, reason: LimitReason): Fit[] {
  // The same items first: without what is said for debugging only, they may fit.
  const fits: Fit[] = [{ count, maxChars, reason }];
  for (let items = count - 1; items >= 1; items--) fits.push({ count: items, maxChars, reason });
  for (let chars = Math.floor(maxChars / 2); count > 0 && chars >= MIN_CHARS; chars = Math.floor(chars / 2)) {
    fits.push({ count: 1, maxChars: chars, reason });
  }
  return fits;
}

/** A place among some and the size of what is there. */
interface Sized {
  readonly at: number;
  readonly size: number;
}

interface Sizing {
  readonly sizeAt: (at: number) => number;
  readonly ceiling: number;
}

/**
 * The first place behind one that is too large where the size keeps a ceiling; sizes only fall. Looks where it would be
 * if they fell evenly, and in the middle every third time, since they may not.
 * @returns `end` where none does
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

/** Less never takes more, so what fits can be searched for: by bytes first, since tokens take longer to count. */
function mostThatFits<T>(
  tries: readonly (() => Made<T>)[],
  wholeBytes: number,
  ceilings: Ceilings,
): Made<T> | null {
  const { length } = tries;
  const byBytes = { sizeAt: (i: number) => tries[i]?.().bytes ?? 0, ceiling: ceilings.bytes };
  const byTokens = { sizeAt: (i: number) => tries[i]?.().tokens() ?? 0, ceiling: ceilings.tokens };
  const first = firstWithin({ at: -1, size: wholeBytes }, length, byBytes);
  const start = { at: first, size: byTokens.sizeAt(first) };
  const best = start.size <= ceilings.tokens ? first : firstWithin(start, length, byTokens);
  return tries[best]?.() ?? null;
}

function rendered<T>({ result, output, bytes, tokens }: Made<T>, broken: LimitReason | null): Rendered<T> {
  return { result, output, usage: { bytes, tokens: tokens() }, broken };
}

/**
 * Renders a reply so that it keeps both ceilings: over them it loses the lowest-ranked items first, and when one is
 * left, half of its text at a time.
 * @throws BudgetExceededError when not even that fits
 */
export function renderWithin<T>(
  reply: Reply<T>,
  ceilings: Ceilings,
  render: (output: T) => ToolResult,
): Rendered<T> {
  const whole = make(reply.output, render);
  const broken = brokenCeiling(whole, ceilings);
  if (!broken) return rendered(whole, null);
  const tries = smallerFits(reply, broken).map((fit) => once(() => make(reply.build(fit), render)));
  const best = mostThatFits(tries, whole.bytes, ceilings);
  if (best) return rendered(best, broken);
  throw new BudgetExceededError('Not even one item fits into the response.', {
    reason: broken === 'byte_cap' ? 'response_bytes' : 'response_tokens',
    hint: 'Ask for less: fewer results, quotes or tokens; if that is no help, the operator can raise MAX_RESPONSE_BYTES.',
    details: { ceiling_bytes: ceilings.bytes, ceiling_tokens: ceilings.tokens },
  });
}
