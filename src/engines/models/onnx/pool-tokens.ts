import type { Tensor } from './transformers.js';

/**
 * One vector for each text, from those of its tokens: their mean, or the first one's, as the model was trained.
 * @param hidden  texts × tokens × components
 * @param mask  texts × tokens, 1 for tokens of the text, 0 for padding
 */
export function poolTokens(hidden: Tensor, mask: Tensor, pooling: 'mean' | 'cls'): number[][] {
  const [texts = 0, tokens = 0, components = 0] = hidden.dims;
  // Read once: a tensor makes its data anew for whoever asks.
  const [values, seen] = [hidden.data, mask.data];
  const last = pooling === 'cls' ? 1 : tokens;
  return Array.from({ length: texts }, (_, text) => {
    const sum = new Float64Array(components);
    for (let at = text * tokens; at < text * tokens + last; at++) {
      // 64-bit integers are bigints.
      if (Number(seen[at]) === 0) continue;
      for (let i = 0; i < components; i++) sum[i] = (sum[i] ?? 0) + (values[at * components + i] ?? 0);
    }
    return [...sum];
  });
}
