import { InvalidArgumentError } from '../../core/errors.js';
import { canonicalJson } from '../../text/canonical-json.js';

/** Deepest nesting of arrays and objects. */
export const MAX_JSON_DEPTH = 32;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1));
}

/** '' if it is nested too deep; null if it is not JSON. */
function canonicalOrNull(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value, MAX_JSON_DEPTH) ? canonicalJson(value) : '';
  } catch {
    // Not JSON, or a number that is too large to be stored.
    return null;
  }
}

/**
 * A JSON argument in its canonical form.
 * @param field  as messages name it
 * @param maxBytes  UTF-8 bytes of the canonical form
 * @throws InvalidArgumentError `json_invalid`, `json_too_deep`, `json_too_large`
 */
export function canonicalArgument(text: string, field: string, maxBytes: number): string {
  const refused = (reason: string, what: string, hint: string): InvalidArgumentError =>
    new InvalidArgumentError(`${field} ${what}.`, { reason, hint, details: { field } });
  const canonical = canonicalOrNull(text);
  if (canonical === null)
    throw refused('json_invalid', 'is not JSON', 'Send a JSON value, such as {"files": 3}.');
  if (canonical === '')
    throw refused('json_too_deep', `is nested deeper than ${MAX_JSON_DEPTH} levels`, 'Send a flatter value.');
  if (Buffer.byteLength(canonical) > maxBytes)
    throw refused(
      'json_too_large',
      `is larger than ${maxBytes} bytes`,
      'Send less, and keep the rest elsewhere.',
    );
  return canonical;
}
