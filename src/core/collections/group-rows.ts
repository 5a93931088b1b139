/** Groups consecutive rows with the same key. */
export function* rowsTogether<T>(rows: Iterable<T>, keyOf: (row: T) => string): Generator<T[]> {
  let group: T[] = [];
  let key = '';
  for (const row of rows) {
    if (group.length > 0 && keyOf(row) !== key) {
      yield group;
      group = [];
    }
    key = keyOf(row);
    group.push(row);
  }
  if (group.length > 0) yield group;
}

/** Groups all rows by key, in order of each key's first occurrence. */
export function rowsByKey<T, K>(rows: Iterable<T>, keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
