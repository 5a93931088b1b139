import { unbrokenWords } from '../../text/unbroken-words.js';
import { findCode, isInSpan } from './markdown/find-code.js';
import type { Block, ParsedDocument } from './parsed-document.js';

/** Shorter ones are examples. */
const MIN_PAYLOAD = 200;
const KEPT_CHARS = 32;
/** A file in an address; a run that is longer than a key of 8,192 bits or a token, or of more lines. */
const START = new RegExp(
  [
    String.raw`data:[\w.+-]{1,60}\/[\w.+-]{1,60}(?:;[\w.=-]{1,60}){0,9};base64,`,
    String.raw`(?<![\w+/=-])[\w+/=-]{2000}`,
    String.raw`(?:^[ \t]{0,99}[\w+/-]{60,128}\n){100}`,
  ].join('|'),
  'gm',
);
// Without limits, these would exceed the stack on a file of 10 MB.
const PIECE = /[\w+/=%-]{1,10000}|\n[ \t]{0,99}(?:[\w+/-]{40,128}(?![\w+/-])|[\w+/-]{0,128}={1,2})/y;

function endOfRun(source: string, from: number): number {
  let end = from;
  for (PIECE.lastIndex = from; PIECE.test(source); PIECE.lastIndex = end) end = PIECE.lastIndex;
  return end;
}

/** True if `START` can be found; it takes time to search. */
function mayHoldFile(source: string): boolean {
  const words = Array.from(unbrokenWords(source, 60));
  return (
    source.includes(';base64,') || words.length >= 100 || words.some(({ start, end }) => end - start >= 2_000)
  );
}

/** Shortens files that are written in a page, such as pictures in Base64: no reader sees them. Lines are kept. */
export function withoutPayloads(source: string): string {
  if (!mayHoldFile(source)) return source;
  const kept: string[] = [];
  let at = 0;
  START.lastIndex = 0;
  for (let found = START.exec(source); found; found = START.exec(source)) {
    const isTyped = found[0].startsWith('data:');
    const from = found.index + (isTyped ? found[0].length : (/^\s*/.exec(found[0])?.[0].length ?? 0));
    const end = endOfRun(source, from);
    START.lastIndex = Math.max(end, from);
    if (end - from < MIN_PAYLOAD) continue;
    const lines = source.slice(from, end).split('\n').length - 1;
    const start = source.slice(from, from + KEPT_CHARS).replace(/\s/g, '');
    kept.push(source.slice(at, from), start, '…', '\n'.repeat(lines));
    at = end;
  }
  return at === 0 ? source : kept.join('') + source.slice(at);
}

/** An image or link with a file in its address, or the definition of one. */
const EMBEDDED =
  /(?:^|(?<=\n))[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?data:[^\n]*(?:\n|$)|!?(\[[^[\]]{0,500}\])\(<?data:[^\s()<>]*>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\)/g;

function withoutFiles(block: Block): Block[] {
  if (block.kind === 'heading' || block.kind === 'fence' || !block.text.includes('data:')) return [block];
  const code = findCode(block.text);
  const text = block.text.replace(EMBEDDED, (written: string, label: string | undefined, at: number) => {
    if (isInSpan(code, at)) return written;
    return label === '[]' ? '' : (label ?? '');
  });
  return text.trim() === '' ? [] : [{ ...block, text }];
}

/** Shows the alternative text of pictures that are written in a page. */
export const withoutEmbedded = (document: ParsedDocument): ParsedDocument => ({
  ...document,
  blocks: document.blocks.flatMap(withoutFiles),
});
