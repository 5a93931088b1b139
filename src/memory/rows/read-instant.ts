// A day, or a day and a time; seconds and zone are optional.
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const DAY_LENGTH = 10;

function inFull(text: string, zone: string | undefined): string {
  if (text.length === DAY_LENGTH) return `${text}T00:00:00Z`;
  const hours = /^[+-]\d{2}$/.test(zone ?? '') ? ':00' : '';
  // Without a zone, JavaScript uses the machine's own, and two machines would disagree.
  return `${text.replace(' ', 'T').replace(',', '.')}${zone === undefined ? 'Z' : hours}`;
}

/** False for a day that does not exist, such as 30 February, which JavaScript moves to March. */
function isCalendarDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Milliseconds since 1970 of an ISO-8601 date or time, UTC if it names no zone; null for any other text. */
export function readInstant(text: string): number | null {
  const found = ISO.exec(text);
  if (!found || !isCalendarDay(text.slice(0, DAY_LENGTH))) return null;
  const at = Date.parse(inFull(text, found[1]));
  return Number.isNaN(at) ? null : at;
}

/** The same, but a date without a time gives the last millisecond of that day. */
export function readEnd(text: string): number | null {
  const start = readInstant(text);
  return start !== null && text.length === DAY_LENGTH ? start + 86_399_999 : start;
}
