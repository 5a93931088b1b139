/** Positions of texts, shortest first: texts of like lengths in one batch are hardly padded. */
export function byLength(texts: readonly string[]): number[] {
  const lengthAt = (at: number): number => texts[at]?.length ?? 0;
  return texts.map((_, at) => at).sort((a, b) => lengthAt(a) - lengthAt(b));
}
