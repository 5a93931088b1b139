/** A delimiter of get_doc's text, read by the contract's grammar. */
export interface ParsedDelimiter {
  readonly chunk_id: string;
  readonly position: number;
  readonly total: number;
  /** 0 for the target. */
  readonly offset: number;
}

const GRAMMAR = /^--- Chunk: (.+) \(Chunk (\d+) of (\d+)\) \((?:(Target)|Context: ([+-]\d+))\) ---$/;

/** Reads the delimiters of a reply as a lenient client might: any line end counts, and white space around a line. */
export function parseDelimited(text: string): ParsedDelimiter[] {
  return text.split(/\r\n|[^\P{Cc}\t]|[\u2028\u2029]/u).flatMap((line) => {
    const found = GRAMMAR.exec(line.trim());
    if (!found) return [];
    const [, chunk_id = '', position, total, , offset = '0'] = found;
    return [{ chunk_id, position: Number(position), total: Number(total), offset: Number(offset) }];
  });
}
