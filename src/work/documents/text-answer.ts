/** The `workerData` of a thread that reads texts: `pith.cjs` is also the program. */
export const READS_TEXTS = { task: 'texts' } as const;

export type TextAnswer =
  | { readonly result: unknown }
  | { readonly malformed: { readonly line: number; readonly reason: string } }
  | { readonly failed: string };
