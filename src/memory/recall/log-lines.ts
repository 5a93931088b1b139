import type { MemoryOutput } from './memory-reply.js';

/** What a call may leave in the log at level info: figures, never content. */
export function figuresLine({ diagnostics }: MemoryOutput, floor: number): string {
  const { provider, model, dim, k_req, floor_used, kg_candidates, thought_candidates, k_ret, latency_ms } =
    diagnostics;
  const figures = { dim, k_req, floor, floor_used, kg_candidates, thought_candidates, k_ret, latency_ms };
  const names = [`provider=${provider}`, `model=${model}`];
  return [...names, ...Object.entries(figures).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** The same at level debug: which rows, never their text. */
export function rowsLine({ snippets }: MemoryOutput): string {
  return `snippets: ${snippets.map(({ table, id }) => `${table}/${id}`).join(' ') || 'none'}`;
}
