/** Single-character edits between two texts; a swap of neighbours is one (optimal string alignment; Damerau, 1964). */
export function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (older[j - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(change, swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    older = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
