import type { Call } from '../call.js';
import type { Fit, LimitReason, Reply } from '../reply.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import { BudgetExceededError, PithError } from '../errors.js';
import type { AnyTool, ResourceLink } from './define-tool.js';
import { errorLine, shortened, toEnvelope } from './error-envelope.js';
import type { ErrorEnvelope } from './error-envelope.js';
import { wordsFor } from './surface.js';
import type { Surface } from './surface.js';

/** Output schemas change by addition only while this stays. */
const SCHEMA_VERSION = 1;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface LinkBlock {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: 'text/plain';
  readonly size: number;
  readonly annotations: {
    readonly audience: readonly ['assistant'];
    readonly priority: 0.1;
    readonly lastModified: string;
  };
}

/** A tool result as it goes over the wire. */
export interface ToolResult {
  readonly content: readonly (TextBlock | LinkBlock)[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
  readonly _meta: Readonly<Record<string, unknown>>;
}

export interface Ceilings {
  /** UTF-8 bytes of the serialised result. */
  readonly bytes: number;
  /** Estimated tokens of the same. */
  readonly tokens: number;
}

const text = (value: string): TextBlock => ({ type: 'text', text: value });

function metaOf(callId: string): Readonly<Record<string, unknown>> {
  return { 'pith/tool_call_id': callId, 'pith/schema_version': SCHEMA_VERSION };
}

function toLink({ uri, name, title, bytes, lastModified }: ResourceLink): LinkBlock {
  return {
    type: 'resource_link',
    uri,
    name,
    title,
    mimeType: 'text/plain',
    size: bytes,
    annotations: { audience: ['assistant'], priority: 0.1, lastModified },
  };
}

/** Renders an output for the host that asked. */
export function renderResult(call: Call, tool: AnyTool, output: unknown, surface: Surface): ToolResult {
  const { rendering } = tool;
  const { isContract = false } = rendering;
  const { degraded } = call.trace;
  // A contract's output has no field for it.
  const said = isContract && degraded.length > 0 ? { 'pith/degraded': [...degraded] } : {};
  const _meta = { ...metaOf(call.id), ...said };
  if (!surface.isStructured)
    return { content: [text(isContract ? rendering.full(output) : JSON.stringify(output))], _meta };
  const { render, resourceLinks } = call.caller.host;
  const keptAt = new Date(call.now()).toISOString();
  const links = resourceLinks && rendering.links ? rendering.links(output, keptAt).map(toLink) : [];
  return { content: [text(rendering[render](output)), ...links], structuredContent: output, _meta };
}

/** As long as message and hint of a failure may be, tried in turn; the last fits the lowest ceiling in any script. */
const SHORTER = [160, 80, 30];

/** Renders a failure for the host that asked. */
export function renderError({ id, caller }: Call, error: unknown, surface: Surface): ToolResult {
  const whole = toEnvelope(error, id, (words) => wordsFor(caller, words, surface));
  const isPlain = error instanceof PithError && error.isPlain;
  const build = (envelope: ErrorEnvelope): ToolResult => {
    const _meta = metaOf(id);
    // A contract's own words are what its clients show, structured output or not.
    if (!surface.isStructured && !isPlain)
      return { content: [text(JSON.stringify(envelope))], isError: true, _meta };
    const content = [text(errorLine(envelope, isPlain))];
    return {
      content,
      ...(surface.isStructured ? { structuredContent: envelope } : {}),
      isError: true,
      _meta,
    };
  };
  const fits = (result: ToolResult): boolean =>
    Buffer.byteLength(JSON.stringify(result)) <= surface.maxResponseBytes;
  return SHORTER.reduce(
    (result, chars) => (fits(result) ? result : build(shortened(whole, chars))),
    build(whole),
  );
}

/** More than one was ever seen to take. */
const TOKENS_PER_HANDLE = 28;
const SESSION_STARTS = ['://scratch/', '"session_id":"'];
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w-]/.test(String.fromCharCode(code))),
);

/** Session, passage and call ids are random, so what they cost must not decide what else is shown. */
function isHandle(json: string, start: number, end: number): boolean {
  const length = end - start;
  return (
    length === 22 || length === 36 || (length === 16 && SESSION_STARTS.some((s) => json.endsWith(s, start)))
  );
}

/** A text without its handles, and how many there were. A loop, since it is read for every answer. */
function cutHandles(json: string): { readonly rest: string; readonly handles: number } {
  const rest: string[] = [];
  let [kept, start] = [0, 0];
  for (let at = 0; at <= json.length; at++) {
    if (IS_WORD[json.charCodeAt(at)] === 1) continue;
    if (at - start >= 16 && isHandle(json, start, at)) {
      rest.push(json.slice(kept, start));
      kept = at;
    }
    start = at + 1;
  }
  return { rest: rest.join('') + json.slice(kept), handles: rest.length };
}

function tokensOf(json: string): number {
  const { rest, handles } = cutHandles(json);
  // No token is shorter than a byte.
  return Math.min(Buffer.byteLength(json), estimateTokens(rest) + handles * TOKENS_PER_HANDLE);
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
  return { result, output, bytes: Buffer.byteLength(json), tokens: once(() => tokensOf(json)) };
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
interface Rendered<T> {
  readonly result: ToolResult;
  readonly output: T;
  readonly usage: Ceilings;
}

/** Says what a result really takes, apart from these few bytes. */
export function withUsage({ result, usage }: Omit<Rendered<unknown>, 'output'>): ToolResult {
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

interface Sizing {
  readonly sizeAt: (at: number) => number;
  readonly ceiling: number;
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

function rendered<T>({ result, output, bytes, tokens }: Made<T>): Rendered<T> {
  return { result, output, usage: { bytes, tokens: tokens() } };
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
  if (!broken) return rendered(whole);
  const tries = smallerFits(reply, broken).map((fit) => once(() => make(reply.build(fit), render)));
  const best = mostThatFits(tries, whole.bytes, ceilings);
  if (best) return rendered(best);
  throw new BudgetExceededError('Not even one item fits into the response.', {
    reason: broken === 'byte_cap' ? 'response_bytes' : 'response_tokens',
    hint: 'Ask for less: fewer results, quotes or tokens; if that is no help, the operator can raise MAX_RESPONSE_BYTES.',
    details: { ceiling_bytes: ceilings.bytes, ceiling_tokens: ceilings.tokens },
  });
}
