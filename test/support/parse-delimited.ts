/** A delimiter in the text of get_doc, parsed by the grammar of the contract. */
export interface ParsedDelimiter {
  readonly chunk_id: string;
  readonly position: number;
  readonly total: number;
  /** 0 for the requested section. */
  readonly offset: number;
}

const GRAMMAR = /^--- Chunk: (.+) \(Chunk (\d+) of (\d+)\) \((?:(Target)|Context: ([+-]\d+))\) ---$/;

/** Parses the delimiters of a reply like a lenient client, which accepts any line end and white space around a line. */
export function parseDelimited(text: string): ParsedDelimiter[] {
  return text.split(/\r\n|[^\P{Cc}\t]|[\u2028\u2029]/u).flatMap((line) => {
    const found = GRAMMAR.exec(line.trim());
    if (!found) return [];
    const [, chunk_id = '', position, total, , offset = '0'] = found;
    return [{ chunk_id, position: Number(position), total: Number(total), offset: Number(offset) }];
  });
}
