import fc from 'fast-check';
import { countTokens } from '../../../../src/mcp/rendering/count-tokens.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';

const PER_HANDLE = 28;
const id = (length: number): string => 'k'.repeat(length);

/** Words that may be handles, and what stands between them. */
const parts = fc.array(
  fc.oneof(
    fc.constantFrom(' ', '"', '/', 'é', '://scratch/', '"session_id":"', '\n'),
    fc.integer({ min: 1, max: 40 }).map(id),
  ),
  { maxLength: 30 },
);

/** The definition: words of 22 or 36 characters, and of 16 after the name of a session. */
function counted(json: string): number {
  let handles = 0;
  const rest = json.replace(/[\w-]+/g, (word: string, at: number) => {
    const isOfSession = /(?::\/\/scratch\/|"session_id":")$/.test(json.slice(0, at));
    if (word.length !== 22 && word.length !== 36 && !(word.length === 16 && isOfSession)) return word;
    handles++;
    return '';
  });
  return Math.min(Buffer.byteLength(json), estimateTokens(rest) + handles * PER_HANDLE);
}

describe('countTokens', () => {
  it('counts each handle at a fixed cost, wherever it stands', () => {
    fc.assert(
      fc.property(parts, (pieces) => {
        const json = pieces.join('');
        expect(countTokens(json)).toBe(counted(json));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not depend on the characters of a handle', () => {
    const random = 'aB3_x-9QzL0mNp7RtUvWx2';
    expect(countTokens(`{"passage_id":"${random}"}`)).toBe(countTokens(`{"passage_id":"${id(22)}"}`));
  });
});
