import { InvalidArgumentError } from '../core/errors.js';
import { canonicalJson } from '../text/canonical-json.js';
import { isNestedDeeper } from '../text/nesting.js';

/** Deepest nesting of arrays and objects. */
export const MAX_JSON_DEPTH = 32;

interface Refusal {
  readonly reason: string;
  readonly what: string;
  readonly hint: string;
}

const refused = (field: string, { reason, what, hint }: Refusal): InvalidArgumentError =>
  new InvalidArgumentError(`${field} ${what}.`, { reason, hint, details: { field } });

/** Runs a function on JSON of a caller, whose text no message quotes. */
function reading<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch {
    const hint = 'Send a JSON value, such as {"files": 3}.';
    throw refused(field, { reason: 'json_invalid', what: 'is not JSON', hint });
  }
}

/**
 * The value of an argument that is JSON text.
 * @param field  as messages name it
 * @throws InvalidArgumentError `json_invalid`, `json_too_deep`
 */
export function jsonArgument(text: string, field: string): unknown {
  const value = reading(field, (): unknown => JSON.parse(text));
  if (!isNestedDeeper(value, MAX_JSON_DEPTH)) return value;
  const what = `is nested deeper than ${MAX_JSON_DEPTH} levels`;
  throw refused(field, { reason: 'json_too_deep', what, hint: 'Send a flatter value.' });
}

/**
 * An argument that is JSON text, in its canonical form.
 * @param maxBytes  UTF-8 bytes of the canonical form
 * @throws InvalidArgumentError `json_invalid`, `json_too_deep`, `json_too_large`
 */
export function canonicalArgument(text: string, field: string, maxBytes: number): string {
  const value = jsonArgument(text, field);
  // A number that is too large for JSON is read as infinite.
  const canonical = reading(field, () => canonicalJson(value));
  if (Buffer.byteLength(canonical) <= maxBytes) return canonical;
  const what = `is larger than ${maxBytes} bytes`;
  throw refused(field, { reason: 'json_too_large', what, hint: 'Send less, and keep the rest elsewhere.' });
}
