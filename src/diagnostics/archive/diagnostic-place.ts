import { InvalidArgumentError } from '../../core/errors.js';
import { isDay } from './diagnostic-paths.js';

/** A place between two lines of a day's file: how far a list has come. */
export interface DiagnosticPlace {
  readonly day: string;
  /** In bytes; the lines before it are still to be listed. */
  readonly at: number;
}

/** The cursor that stands for a place. */
export function encodePlace({ day, at }: DiagnosticPlace): string {
  return Buffer.from(`${day}.${at}`).toString('base64url');
}

/**
 * Reads a cursor back.
 * @throws InvalidArgumentError `cursor_invalid` for what is none
 */
export function decodePlace(cursor: string): DiagnosticPlace {
  const [day = '', digits] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  const place = { day, at: Number(digits) };
  // Decoding is lenient, so only the very text that was handed out counts.
  if (isDay(day) && Number.isSafeInteger(place.at) && place.at >= 0 && encodePlace(place) === cursor)
    return place;
  throw new InvalidArgumentError('The cursor was not issued by a list of diagnostics.', {
    reason: 'cursor_invalid',
    hint: 'Repeat the call without cursor.',
  });
}
