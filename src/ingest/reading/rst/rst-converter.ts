import type { SourceLine } from './source-line.js';

/** The conversions that blocks call for their contents, and the lists that they add to. There is one per document. */
export interface RstConverter {
  /** Converts the inline markup of a paragraph to Markdown. */
  readonly inline: (text: string) => string;
  /** Removes inline markup. */
  readonly plain: (text: string) => string;
  /** Converts lines without common indentation to Markdown. @param depth  0 for the document itself */
  readonly blocks: (lines: readonly SourceLine[], depth: number) => readonly SourceLine[];
  /** Level of a heading with this style of title, from 1. */
  readonly levelOf: (style: string) => number;
  /** A label for the text that follows. */
  readonly addLabel: (name: string, line: number) => void;
  /** A link that is not part of the text. */
  readonly addLink: (href: string, line: number) => void;
}

/** The Markdown of a construct, and the index of the line after it. */
interface Converted {
  readonly lines: readonly SourceLine[];
  readonly end: number;
}

/** Tries to convert the construct that begins at a line; null if it is another one. */
export type BlockRule = (
  lines: readonly SourceLine[],
  at: number,
  context: { readonly rst: RstConverter; readonly depth: number },
) => Converted | null;
