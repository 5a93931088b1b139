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
  const _meta = metaOf(call.id);
  const { rendering } = tool;
  const { isContract = false } = rendering;
  if (!surface.isStructured)
    return { content: [text(isContract ? rendering.full(output) : JSON.stringify(output))], _meta };
  const { render, resourceLinks } = call.caller.host;
  const keptAt = new Date(call.now()).toISOString();
  const links = resourceLinks && rendering.links ? rendering.links(output, keptAt).map(toLink) : [];
  return { content: [text(rendering[render](output)), ...links], structuredContent: output, _meta };
}

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
  const result = build(whole);
  const isLong = Buffer.byteLength(JSON.stringify(result)) > surface.maxResponseBytes;
  return isLong ? build(shortened(whole)) : result;
}

/** Session, passage and call ids: random, so what they cost must not decide what else is shown. */
const HANDLE =
  /(?<=:\/\/scratch\/|"session_id":")[\w-]{16}(?![\w-])|(?<![\w-])[\w-]{22}(?:[\w-]{14})?(?![\w-])/g;
/** More than one was ever seen to take. */
const TOKENS_PER_HANDLE = 28;

function tokensOf(json: string): number {
  const parts = json.split(HANDLE);
  return estimateTokens(parts.join('')) + (parts.length - 1) * TOKENS_PER_HANDLE;
}

/** A result, the output that it shows and what is sent of it. */
interface Made<T> {
  readonly result: ToolResult;
  readonly output: T;
  readonly json: string;
  readonly bytes: number;
}

function make<T>(output: T, render: (output: T) => ToolResult): Made<T> {
  const result = render(output);
  const json = JSON.stringify(result);
  return { result, output, json, bytes: Buffer.byteLength(json) };
}

/** What a result takes, or the ceiling that it breaks. */
function usageWithin({ json, bytes }: Made<unknown>, ceilings: Ceilings): Ceilings | LimitReason {
  if (bytes > ceilings.bytes) return 'byte_cap';
  const tokens = tokensOf(json);
  // No token is shorter than a byte.
  return bytes > ceilings.tokens && tokens > ceilings.tokens ? 'token_cap' : { bytes, tokens };
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

/** The first of some places where something holds that holds for all behind it, too; `end` where there is none. */
function firstWhere([start, end]: readonly [number, number], holds: (at: number) => boolean): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Less never takes more, so halving finds the most that fits: by bytes first, since tokens take longer to count. */
function mostThatFits<T>(tries: readonly (() => Made<T>)[], { bytes, tokens }: Ceilings): Rendered<T> | null {
  const usages = tries.map((made) => once(() => usageWithin(made(), { bytes, tokens })));
  const isWithin = (i: number): boolean => typeof usages[i]?.() === 'object';
  const first = firstWhere([0, tries.length], (i) => (tries[i]?.().bytes ?? 0) <= bytes);
  const best = isWithin(first) ? first : firstWhere([first + 1, tries.length], isWithin);
  const [made, usage] = [tries[best]?.(), usages[best]?.()];
  return made && typeof usage === 'object' ? { ...made, usage } : null;
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
  const broken = usageWithin(whole, ceilings);
  if (typeof broken === 'object') return { ...whole, usage: broken };
  const tries = smallerFits(reply, broken).map((fit) => once(() => make(reply.build(fit), render)));
  const best = mostThatFits(tries, ceilings);
  if (best) return best;
  throw new BudgetExceededError('Not even one item fits into the response.', {
    reason: broken === 'byte_cap' ? 'response_bytes' : 'response_tokens',
    hint: 'Ask for less: a smaller top_k, fewer quotes or fewer tokens; or raise MAX_RESPONSE_BYTES.',
    details: { ceiling_bytes: ceilings.bytes, ceiling_tokens: ceilings.tokens },
  });
}
