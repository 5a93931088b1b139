/** File formats of imports: one JSON row per line, or the graph file of the reference memory server. */
export const MEMORY_FORMATS = ['jsonl', 'memory-json'] as const;
export type MemoryFormat = (typeof MEMORY_FORMATS)[number];
