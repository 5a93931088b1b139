import type { Tensor } from './transformers.js';

/**
 * Pools the token vectors of each text into one: their mean, or the first token's vector, depending on the model.
 * @param hidden  texts × tokens × components
 * @param mask  texts × tokens, 1 for tokens of the text, 0 for padding
 */
export function poolTokens(hidden: Tensor, mask: Tensor, pooling: 'mean' | 'cls'): number[][] {
  const [texts = 0, tokens = 0, components = 0] = hidden.dims;
  // Read once: each access to `data` creates a new array.
  const [values, seen] = [hidden.data, mask.data];
  const last = pooling === 'cls' ? 1 : tokens;
  return Array.from({ length: texts }, (_, text) => {
    const sum = new Float64Array(components);
    for (let at = text * tokens; at < text * tokens + last; at++) {
      // The mask contains bigints (64-bit integers).
      if (Number(seen[at]) === 0) continue;
      for (let i = 0; i < components; i++) sum[i] = (sum[i] ?? 0) + (values[at * components + i] ?? 0);
    }
    return [...sum];
  });
}
