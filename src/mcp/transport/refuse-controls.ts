import { z } from 'zod';
import { CONTROL_MESSAGE, hasNoControl } from '../../text/control-characters.js';

/** Fields for free text, which people paste from anywhere. */
const FREE_TEXT = ['query', 'question', 'keywords', 'parts'];
/** Our own tokens. Their tools answer foreign ones, whatever these contain, as their contract says. */
const TOKENS = ['cursor', 'passage_id', 'passage_ids'];
const NOT_CHECKED = new Set([...FREE_TEXT, ...TOKENS]);

type Path = readonly (string | number)[];

/** Where the first string with a control character is; null where there is none. */
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
 * The failed validation of arguments with a control character in an id, filter or name; null where they have none. SQLite
 * ends a text at NUL, so that an id with one would name something else.
 * @param args  as they were sent, before anything was trimmed
 * @param known  the fields that the tool takes
 */
export function controlProblem(args: unknown, known: readonly string[]): z.ZodError | null {
  const sent = Object.entries(args ?? {}).filter(([name]) => known.includes(name) && !NOT_CHECKED.has(name));
  const path = findControl(Object.fromEntries(sent), []);
  if (!path) return null;
  return new z.ZodError([{ code: 'custom', path: [...path], message: CONTROL_MESSAGE, input: undefined }]);
}
