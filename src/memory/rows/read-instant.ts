// A day, or a day and a time with or without seconds and zone.
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const DAY_LENGTH = 10;

function inFull(text: string, zone: string | undefined): string {
  if (text.length === DAY_LENGTH) return `${text}T00:00:00Z`;
  const hours = /^[+-]\d{2}$/.test(zone ?? '') ? ':00' : '';
  // Without a zone a program would take its own, and two machines would disagree.
  return `${text.replace(' ', 'T').replace(',', '.')}${zone === undefined ? 'Z' : hours}`;
}

/** Whether the day exists: programs take the 30th of February for a day in March. */
function isCalendarDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/**
 * Milliseconds since 1970 of an ISO-8601 date or time; UTC where it names no zone.
 * @returns null when it is neither
 */
export function readInstant(text: string): number | null {
  const found = ISO.exec(text);
  if (!found || !isCalendarDay(text.slice(0, DAY_LENGTH))) return null;
  const at = Date.parse(inFull(text, found[1]));
  return Number.isNaN(at) ? null : at;
}

/** The last millisecond that a date or time covers: of a day its end. */
export function readEnd(text: string): number | null {
  const start = readInstant(text);
  return start !== null && text.length === DAY_LENGTH ? start + 86_399_999 : start;
}
