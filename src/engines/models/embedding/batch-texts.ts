/** How much one request may hold. */
export interface BatchLimits {
  readonly texts: number;
  /** In UTF-16 units; a single text that is longer goes alone. */
  readonly chars: number;
}

/** Cuts a list into runs that one request may hold each, in their order. */
export function batchTexts(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    chars += text.length;
    if (last && last.length < limits.texts && chars <= limits.chars) last.push(text);
    else {
      batches.push([text]);
      chars = text.length;
    }
  }
  return batches;
}
