import { createHash } from 'node:crypto';
import { clipText } from './span.js';

const MAX_TITLE_CHARS = 200;
const MAX_ANCHOR_CHARS = 200;
export const MAX_PATH_CHARS = 1_024;

/** Clips a title for replies. */
export function shownTitle(title: string): string {
  return clipText(title, MAX_TITLE_CHARS);
}

/**
 * The titles above a section, from the top down.
 * @param trail  titles above its page; the outermost are left out if the whole is too long to show
 */
export function sectionTitle(headingPath: readonly string[], trail: readonly string[] = []): string {
  const starts = trail.map((_, at) => [...trail.slice(at), ...headingPath].join(' > '));
  const title = starts.find((whole) => shownTitle(whole) === whole) ?? headingPath.join(' > ');
  return shownTitle(title);
}

/** Returns an anchor for replies; null if it is too long, since a clipped anchor would not work. */
export function shownAnchor(anchor: string | null): string | null {
  return anchor !== null && anchor.length <= MAX_ANCHOR_CHARS ? anchor : null;
}

/** 128 bits, which a source can't guess: call ids are random, and the mark is made after the source has answered. */
const MARK_BYTES = 16;

interface MarkedCall {
  readonly id: string;
}

function markOf({ id }: MarkedCall): string {
  const digest = createHash('sha256').update(`pith untrusted\n${id}`).digest();
  return digest.subarray(0, MARK_BYTES).toString('base64url');
}

/**
 * Puts text of another server between two marks, so that a model can tell it from text of this server. One call always
 * has the same mark; no other call has it.
 * @param source  who wrote the text, in one line
 */
export function fenced(call: MarkedCall, source: string, text: string): string {
  const mark = markOf(call);
  const body = text.toWellFormed().replaceAll(mark, '…');
  return `BEGIN UNTRUSTED DATA ${mark} from ${source}\n${body}\nEND UNTRUSTED DATA ${mark}`;
}

/**
 * Puts text of documents that are not trusted between marks; other text stays as it is.
 * @param ids  of the sections, passages or documents that the text is from
 */
export type TextFence = (ids: string | readonly string[], text: string) => string;

export const NO_FENCE: TextFence = (_ids, text) => text;

/** 72 bits: no document can be made to contain the mark that its own text determines. */
const SHORT_MARK_CHARS = 12;

/** A mark that occurs in none of the texts. The same texts always have the same mark. */
export function markFor(texts: readonly string[]): string {
  for (let attempt = 0; ; attempt++) {
    const digest = createHash('sha256').update(JSON.stringify(['pith documents', attempt, ...texts]));
    const mark = digest.digest('base64url').slice(0, SHORT_MARK_CHARS);
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
}

/** Puts a text between two lines with a mark of `markFor`. @param source  in one line */
export function betweenMarks(mark: string, source: string, text: string): string {
  return `BEGIN UNTRUSTED DATA ${mark} from ${source}\n${text}\nEND UNTRUSTED DATA ${mark}`;
}

const FENCE = /^(.*?)(BEGIN UNTRUSTED DATA (\S{22}) from \S+\s)(.*)(\sEND UNTRUSTED DATA \3)(.*)$/s;
/** Less text between two marks tells nothing (characters). */
const MIN_FENCED = 20;

/** Shortens a message so that text between two marks keeps both, or is left out with them. @param limit  > 1 */
export function clipFenced(text: string, limit: number): string {
  const [, before = '', begin = '', , body = '', end = '', after = ''] = FENCE.exec(text) ?? [];
  if (text.length <= limit || begin === '') return clipText(text, limit);
  const room = limit - (text.length - body.length);
  if (room < MIN_FENCED) return clipText(before.trimEnd(), limit);
  return `${before}${begin}${clipText(body, room)}${end}${after}`;
}
