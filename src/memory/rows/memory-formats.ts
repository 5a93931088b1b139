/** How a file of memory is written: rows as JSON, one a line, or the graph of the reference memory server. */
export const MEMORY_FORMATS = ['jsonl', 'memory-json'] as const;
export type MemoryFormat = (typeof MEMORY_FORMATS)[number];
