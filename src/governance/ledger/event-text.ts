import { canonicalJson } from '../../text/canonical-json.js';
import { clipText } from '../../text/span.js';
import { isRunEvent, type LedgerEvent } from './ledger-event.js';

/** Longer texts are clipped: names of unknown tools and ids come from callers. */
const MAX_TEXT = 512;
/** Further items of a list are left out; of refs, they are counted. */
export const MAX_LINE_ITEMS = 100;

/** True if no text and no list is too long, as in nearly all events. */
function isBounded(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  if (Array.isArray(value)) return value.length <= MAX_LINE_ITEMS && value.every(isBounded);
  return typeof value !== 'object' || value === null || Object.values(value).every(isBounded);
}

/** Limits every text and list, so that the size of a line does not depend on the caller. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string') return clipText(value, MAX_TEXT);
  if (Array.isArray(value)) return value.slice(0, MAX_LINE_ITEMS).map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, bounded(item)]));
}

/** The stored form of an event: canonical JSON, with long texts clipped and long lists cut. */
export function eventText(event: LedgerEvent): string {
  if (isBounded(event)) return canonicalJson(event);
  const omitted = event.type === 'tool.call.completed' ? event.refs.length - MAX_LINE_ITEMS : 0;
  const stored = bounded(omitted > 0 ? { ...event, refs_omitted: omitted } : event);
  return canonicalJson({ ...Object(stored), ...limitedTexts(event) });
}

/** Texts that have a limit of their own: see `argumentsText`. */
function limitedTexts(event: LedgerEvent): object {
  if (event.type === 'tool.call.started')
    return event.arguments === undefined ? {} : { arguments: event.arguments };
  return isRunEvent(event) && event.data !== undefined ? { data: event.data } : {};
}

const TYPE = /^(?:tool\.call\.|approval\.|run\.|configuration\.changed$|checkpoint$)/;

const isEvent = (value: unknown): value is LedgerEvent =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  TYPE.test(value.type);

/**
 * Reads the stored form. Only the type is checked: the other fields are what `eventText` wrote, if the ledger is intact.
 * @returns null if the text is not an event
 */
export function readEvent(text: string): LedgerEvent | null {
  try {
    const event: unknown = JSON.parse(text);
    return isEvent(event) ? event : null;
  } catch {
    // Not JSON: the line was changed. Verification reports it.
    return null;
  }
}
