import type { SentText, TextPart } from '../../core/ports/work/text-reader.port.js';

/** The `workerData` of a thread that reads texts: `pith.cjs` is also the program. */
export const READS_TEXTS = { task: 'texts' } as const;

export interface TextTask {
  readonly text: SentText;
  readonly part: TextPart;
}

export type TextAnswer =
  | { readonly read: unknown }
  | { readonly malformed: { readonly line: number; readonly reason: string } }
  | { readonly failed: string };
