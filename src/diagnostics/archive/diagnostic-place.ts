import { InvalidArgumentError } from '../../core/errors.js';
import { isDay } from './diagnostic-paths.js';

/** The position of a list between two lines of a day's file. */
export interface DiagnosticPlace {
  readonly day: string;
  /** In bytes; the lines before it are not listed yet. */
  readonly at: number;
}

/** Encodes a position as a cursor. */
export function encodePlace({ day, at }: DiagnosticPlace): string {
  return Buffer.from(`${day}.${at}`).toString('base64url');
}

/**
 * Decodes a cursor.
 * @throws InvalidArgumentError `cursor_invalid`
 */
export function decodePlace(cursor: string): DiagnosticPlace {
  const [day = '', digits] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  const place = { day, at: Number(digits) };
  // Decoding is lenient, so the cursor must equal its own encoding.
  if (isDay(day) && Number.isSafeInteger(place.at) && place.at >= 0 && encodePlace(place) === cursor)
    return place;
  throw new InvalidArgumentError('The cursor was not issued by a list of diagnostics.', {
    reason: 'cursor_invalid',
    hint: 'Repeat the call without cursor.',
  });
}
