import { z } from 'zod';
import { CONTROL_MESSAGE, hasNoControl } from '../../text/control-characters.js';

/** Free text, which is often pasted and may contain control characters. */
const FREE_TEXT = ['query', 'question', 'keywords', 'parts'];
/** Our own tokens. Their tools handle invalid ones, of any content, according to their contract. */
const TOKENS = ['cursor', 'passage_id', 'passage_ids'];
const NOT_CHECKED = new Set([...FREE_TEXT, ...TOKENS]);

type Path = readonly (string | number)[];

/** The path of the first string with a control character; null if there is none. */
function findControl(value: unknown, path: Path): Path | null {
  if (typeof value === 'string') return hasNoControl(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = findControl(item, [...path, key]);
    if (found) return found;
  }
  return null;
}

/**
 * A validation error for a control character in an id, filter or name; null if there is none. SQLite ends a text at
 * NUL, so an id that contains one would name something else.
 * @param args  as sent, before trimming
 * @param known  the tool's fields
 */
export function controlProblem(args: unknown, known: readonly string[]): z.ZodError | null {
  const sent = Object.entries(args ?? {}).filter(([name]) => known.includes(name) && !NOT_CHECKED.has(name));
  const path = findControl(Object.fromEntries(sent), []);
  if (!path) return null;
  return new z.ZodError([{ code: 'custom', path: [...path], message: CONTROL_MESSAGE, input: undefined }]);
}
