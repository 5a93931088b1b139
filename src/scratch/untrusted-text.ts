import { createHash } from 'node:crypto';
import type { Call } from '../core/call.js';

/** 128 bits, which a source can't guess: call ids are random, and the mark is made after the source has answered. */
const MARK_BYTES = 16;

function markOf({ id }: Pick<Call, 'id'>): string {
  const digest = createHash('sha256').update(`pith untrusted\n${id}`).digest();
  return digest.subarray(0, MARK_BYTES).toString('base64url');
}

/**
 * Puts text of another server between two marks, so that a model can tell it from text of this server. One call always
 * has the same mark; no other call has it.
 * @param source  who wrote the text, in one line
 */
export function fenced(call: Pick<Call, 'id'>, source: string, text: string): string {
  const mark = markOf(call);
  const body = text.toWellFormed().replaceAll(mark, '…');
  return `BEGIN UNTRUSTED DATA ${mark} from ${source}\n${body}\nEND UNTRUSTED DATA ${mark}`;
}
