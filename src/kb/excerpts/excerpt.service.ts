import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/settings/limits.config.js';
import type { Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { type Fit, type LimitReason, listReply, type Reply, wholeReply } from '../../core/reply.js';
import { type NamedPassage, PassagesService } from '../../scratch/passages.service.js';
import { fitsTokens, fitTokens } from '../../text/fit-tokens.js';
import { growLeft, growRight } from '../../text/grow-span.js';
import { clipToBytes, type Span, wholeOffset } from '../../text/span.js';
import { splitSpans } from '../../text/split-spans.js';
import { unpackUnits } from '../../text/units.js';
import { fenced } from '../../text/untrusted-text.js';
import {
  type ExcerptOutput,
  type ExpandExcerptInput,
  MAX_EXCERPT_TOKENS,
  type ReadExcerptInput,
} from '../excerpt.schemas.js';

interface WindowLimits {
  readonly maxTokens: number;
  /** UTF-8. */
  readonly maxBytes: number;
  /** UTF-16 units. */
  readonly maxChars: number;
}

/** Maximum distance to the white space that a cut is moved back to. */
const NEAR_CHARS = 80;

function backToSpace(text: string, end: number): number {
  if (/\s/.test(text.charAt(end))) return end;
  const near = text.slice(Math.max(0, end - NEAR_CHARS), end);
  const last = near.search(/\s\S*$/);
  return last > 0 ? end - near.length + last : end;
}

/** The longest first part of a span that fits all limits, cut at white space if possible; at least one character. */
export function readWindow(text: string, { start, end: stop }: Span, limits: WindowLimits): Span {
  const bounded = text.slice(start, Math.min(stop, start + Math.min(limits.maxChars, limits.maxTokens * 4)));
  const bytes = clipToBytes(bounded, limits.maxBytes);
  const length = fitTokens(bounded.slice(0, bytes), limits.maxTokens);
  const end = wholeOffset(text, start + length);
  if (end >= stop) return { start, end: stop };
  const kept = backToSpace(text, end);
  if (kept > start) return { start, end: kept };
  const [first = ''] = text.slice(start, start + 2);
  return { start, end: Math.max(end, start + first.length) };
}

/** Widens a window by about this number of tokens on each side, to whole words. */
export function growWindow(text: string, window: Span, tokens: { before: number; after: number }): Span {
  return {
    start: growLeft(text, { start: 0, end: window.start }, tokens.before),
    end: growRight(text, { start: window.end, end: text.length }, tokens.after),
  };
}

interface Shape {
  /** The part of the passage to read from. */
  readonly span: Span;
  readonly options: ReadExcerptInput['options'];
  readonly maxTokens: number;
}

/** Reads bounded parts of passages. */
@Injectable()
export class ExcerptService {
  constructor(
    private readonly passages: PassagesService,
    private readonly limits: LimitsConfig,
  ) {}

  /** @throws InvalidArgumentError `passage_not_found`, `start_char_past_end` */
  async read(call: Call, input: ReadExcerptInput): Promise<Reply<ExcerptOutput>> {
    const named = await this.passages.readAny(call, input.passage_id);
    const start = checkedStart(named, input.start_char);
    const span = { start, end: named.passage.text.length };
    return this.reply(call, named, { span, options: input.options, maxTokens: input.max_tokens });
  }

  /** @throws InvalidArgumentError `passage_not_found`, `start_char_past_end`, `window_reversed` */
  async expand(call: Call, input: ExpandExcerptInput): Promise<Reply<ExcerptOutput>> {
    const named = await this.passages.readAny(call, input.passage_id);
    if (isShownWhole(named, input)) return nothingMore(named, input.options);
    const window = baseWindow(named, input);
    const span = growWindow(named.passage.text, window, {
      before: input.before_tokens,
      after: input.after_tokens,
    });
    return this.reply(call, named, { span, options: input.options, maxTokens: MAX_EXCERPT_TOKENS });
  }

  private async reply(call: Call, named: NamedPassage, shape: Shape): Promise<Reply<ExcerptOutput>> {
    const { span, maxTokens } = shape;
    const maxBytes = this.limits.maxTextBytesPerCall;
    const shown = (maxChars: number, most = maxBytes): Excerpt => {
      const limits = { maxTokens, maxBytes: most, maxChars };
      const { text, provider } = named.passage;
      const window = readWindow(text, span, limits);
      const isBullets = shape.options.format === 'bullets';
      const part = isBullets ? toBullets(text, window, limits) : { ...window, text: sliceOf(text, window) };
      return provider === undefined ? part : { ...part, text: fenced(call, provider, part.text) };
    };
    const whole = shown(Infinity);
    const cutBy = ({ truncated }: ExcerptOutput): LimitReason => {
      if (!truncated) return 'none';
      return shown(Infinity, Infinity).end > whole.end ? 'byte_cap' : 'token_cap';
    };
    await this.passages.remember(call, named, whole);
    const start = { count: 1, maxChars: Math.max(1, whole.end - whole.start) };
    const reply = listReply(
      start,
      (fit: Fit) => build(named, shape, fit.reason === null ? whole : shown(fit.maxChars)),
      (output) => this.noteSeen(call, named, output),
    );
    return { ...reply, cutBy };
  }

  /** Records what was read of a document as shown to the caller. */
  private noteSeen(call: Call, { passage }: NamedPassage, { start_char, end_char }: ExcerptOutput): void {
    if (passage.provider !== undefined) return;
    const { sectionId: id, text, structure } = passage;
    const section = { id, text, units: unpackUnits(structure) };
    this.passages.seen.note(call, section, [{ start: start_char, end: end_char }]);
  }
}

const sliceOf = (text: string, { start, end }: Span): string => text.slice(start, end);

function checkedStart({ passage }: NamedPassage, startChar: number): number {
  if (startChar < passage.text.length) return wholeOffset(passage.text, startChar);
  throw new InvalidArgumentError(
    `start_char is ${startChar}, but the passage has ${passage.text.length} characters.`,
    {
      reason: 'start_char_past_end',
      hint: 'The whole passage was read. Use a smaller start_char to read it again.',
    },
  );
}

function baseWindow(named: NamedPassage, { start_char: from, end_char: to }: ExpandExcerptInput): Span {
  const { text, window } = named.passage;
  const start = from === undefined ? window.start : checkedStart(named, from);
  const end = wholeOffset(text, Math.min(text.length, to ?? Math.max(window.end, start)));
  if (start <= end) return { start, end };
  throw new InvalidArgumentError('end_char is before start_char.', {
    reason: 'window_reversed',
    hint: 'Give start_char and end_char as offsets into the passage, start first.',
  });
}

/** True if the caller saw the whole passage last, and asks for no other part. */
function isShownWhole({ passage }: NamedPassage, { start_char, end_char }: ExpandExcerptInput): boolean {
  const { window, text } = passage;
  const isRest = start_char === undefined && end_char === undefined;
  return isRest && window.start === 0 && text.slice(window.end).trim() === '';
}

/** An empty excerpt at the end of a passage. */
function nothingMore(named: NamedPassage, options: Shape['options']): Reply<ExcerptOutput> {
  const end = named.passage.text.length;
  const shape = { span: { start: end, end }, options, maxTokens: 0 };
  return wholeReply(build(named, shape, { ...shape.span, text: '' }));
}

interface Excerpt extends Span {
  readonly text: string;
}

/** One span per line, up to the limits, which include the bullets. A first span that is too long is truncated. */
function toBullets(text: string, window: Span, { maxTokens, maxBytes }: WindowLimits): Excerpt {
  let shown: Excerpt = { ...window, end: window.start, text: '' };
  for (const { start, end } of splitSpans(text.slice(window.start, window.end))) {
    const span = text.slice(window.start + start, window.start + end).replace(/\s+/g, ' ');
    const lines = shown.text === '' ? `- ${span}` : `${shown.text}\n- ${span}`;
    if (!fitsTokens(lines, maxTokens) || Buffer.byteLength(lines) > maxBytes) break;
    shown = { start: window.start, end: window.start + end, text: lines };
  }
  if (shown.text !== '') return shown;
  const limits = { maxTokens: maxTokens - 2, maxBytes: maxBytes - 2, maxChars: Infinity };
  const part = readWindow(text, window, limits);
  return { ...part, text: `- ${text.slice(part.start, part.end).trim().replace(/\s+/g, ' ')}` };
}

function build(
  { id, uri, passage }: NamedPassage,
  shape: Shape,
  { start, end, text }: Excerpt,
): ExcerptOutput {
  const isTruncated = passage.text.slice(end).trim() !== '';
  const { sectionId, docTag, title } = passage;
  return {
    passage_id: id,
    excerpt: text,
    start_char: start,
    end_char: end,
    truncated: isTruncated,
    next_start_char: isTruncated ? end : null,
    ...(shape.options.include_citation
      ? { citation: { section_id: sectionId, doc_tag: docTag, title, uri } }
      : {}),
  };
}
