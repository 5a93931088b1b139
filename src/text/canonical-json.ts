/** Arrays and plain objects, each member as canonical JSON. */
function membersOf(value: object): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`);
  return `{${members.join(',')}}`;
}

/**
 * JSON in the canonical form of RFC 8785: members sorted by UTF-16 code units, no white space, numbers and strings as
 * ECMAScript writes them. Undefined members are left out. Departure: the RFC refuses lone surrogates; they are escaped
 * here, so that every argument of a call has a hash.
 * @throws TypeError for values that JSON can't hold
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'object' && value !== null) return membersOf(value);
  const isJson =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isJson) throw new TypeError(`JSON can't hold this value: ${String(value)}`);
  return JSON.stringify(value);
}
