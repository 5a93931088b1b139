/** Arrays and plain objects, each member as canonical JSON. */
function membersOf(value: object): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const items = new Map(Object.entries(value));
  let members = '';
  // Without an argument, `sort` compares UTF-16 code units.
  for (const name of [...items.keys()].sort()) {
    const item: unknown = items.get(name);
    if (item === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(item)}`;
  }
  return `{${members}}`;
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
