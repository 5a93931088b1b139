/** Limits of one request. */
export interface BatchLimits {
  readonly texts: number;
  /** In UTF-16 units; a longer text gets its own batch. */
  readonly chars: number;
}

/** Splits a list into batches for one request each, in order. */
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

/** Indices of texts, shortest first: batches of similar lengths need little padding. */
export function byLength(texts: readonly string[]): number[] {
  const lengthAt = (at: number): number => texts[at]?.length ?? 0;
  return texts.map((_, at) => at).sort((a, b) => lengthAt(a) - lengthAt(b));
}
