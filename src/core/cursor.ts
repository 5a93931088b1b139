import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError } from './errors.js';

/** A cursor is valid only for the same caller, the same question and the same generation of the index. */
export interface CursorBinding {
  /** Everything that determines the ranked list, as plain data. */
  readonly question: unknown;
  readonly generation: string;
  /** Name of the principal. */
  readonly principal: string;
}

const TAG_BYTES = 12;

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}

const questionOf = ({ question, principal }: CursorBinding): string => digest([principal, question]);

function sign(payload: string, secret: string): string {
  const tag = createHmac('sha256', secret).update(`cursor\n${payload}`).digest();
  return tag.subarray(0, TAG_BYTES).toString('base64url');
}

function invalid(reason: 'cursor_invalid' | 'cursor_stale', message: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason, hint: 'Repeat the call without cursor.' });
}

/** The error for a cursor that this server did not issue. */
export function foreignCursor(): InvalidArgumentError {
  return invalid('cursor_invalid', 'The cursor was not issued by this server.');
}

/** Makes the cursor for the page that starts at `offset`. */
export function encodeCursor(offset: number, binding: CursorBinding, secret: string): string {
  const payload = `${offset}.${questionOf(binding)}.${digest(binding.generation)}`;
  return Buffer.from(`${payload}.${sign(payload, secret)}`).toString('base64url');
}

/**
 * Verifies a cursor and returns its offset.
 * @throws InvalidArgumentError `cursor_invalid` if it is forged or belongs to another question, `cursor_stale` if the
 *   index has changed since
 */
export function decodeCursor(cursor: string, binding: CursorBinding, secret: string): number {
  const [offset, question, generation, tag] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  const given = Buffer.from(tag ?? '');
  const expected = Buffer.from(sign(`${offset}.${question}.${generation}`, secret));
  // Decoding is lenient, so the cursor must also equal its canonical encoding.
  const canonical = Buffer.from(`${offset}.${question}.${generation}.${tag}`).toString('base64url');
  const isGenuine =
    canonical === cursor && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isGenuine) throw foreignCursor();
  if (question !== questionOf(binding)) {
    const message = 'The cursor belongs to another caller, query, filter, scope or set of options.';
    throw invalid('cursor_invalid', message);
  }
  if (generation !== digest(binding.generation)) {
    throw invalid('cursor_stale', 'The index has changed since this cursor was made.');
  }
  return Number(offset);
}
