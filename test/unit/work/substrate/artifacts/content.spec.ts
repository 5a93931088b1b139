import fc from 'fast-check';
import {
  clippedContent,
  contentOf,
  sentBytes,
} from '../../../../../src/work/substrate/artifacts/artifact.service.js';
import { codePoints } from '../../../../support/code-points.js';

const failingWith = (reason: string) => expect.objectContaining({ reason });

describe('sentBytes', () => {
  it('takes text as UTF-8 and base64 as it is', () => {
    expect(sentBytes({ text: 'Ä\n' })).toEqual(Buffer.from([0xc3, 0x84, 0x0a]));
    expect(sentBytes({ base64: 'AP8=' })).toEqual(Buffer.from([0, 255]));
    expect(sentBytes({ text: '' })).toHaveLength(0);
  });

  it.each([
    ['content_missing', {}],
    ['content_missing', { text: '', base64: '' }],
    ['base64_invalid', { base64: 'AP8' }],
    ['base64_invalid', { base64: 'A P8=' }],
    ['base64_invalid', { base64: 'AP9=' }],
    ['base64_invalid', { base64: '_-8=' }],
    ['text_not_unicode', { text: '\ud800' }],
    ['artifact_too_large', { text: 'Ä'.repeat(131_073) }],
  ])('refuses with %s', (reason, input) => {
    expect(() => sentBytes(input)).toThrow(failingWith(reason));
  });
});

describe('the parts of an artifact', () => {
  /** Reads in parts, as a client does. */
  const readAll = (bytes: Buffer, format: 'text' | 'base64', maxBytes: number, maxChars: number): Buffer => {
    const parts: Buffer[] = [];
    for (let offset = 0; offset < bytes.length;) {
      const end = Math.min(offset + maxBytes, bytes.length);
      const content = contentOf(bytes.subarray(offset, end), format, end === bytes.length);
      const shown = clippedContent(content, format, maxChars);
      parts.push(Buffer.from(shown.content, format === 'text' ? 'utf8' : 'base64'));
      expect(shown.bytes).toBeGreaterThan(0);
      offset += shown.bytes;
    }
    return Buffer.concat(parts);
  };

  it('make the artifact again, as text', () => {
    const text = fc.string({ unit: codePoints, maxLength: 200 }).map((each) => each.toWellFormed());
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 16, max: 64 }),
        fc.integer({ min: 4, max: 40 }),
        (each, bytes, chars) => {
          expect(readAll(Buffer.from(each), 'text', bytes, chars).toString()).toBe(each);
        },
      ),
    );
  });

  it('make the artifact again, as base64', () => {
    const binary = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(
        binary,
        fc.integer({ min: 16, max: 64 }),
        fc.integer({ min: 4, max: 90 }),
        (each, bytes, chars) => {
          expect(readAll(Buffer.from(each), 'base64', bytes, chars).equals(each)).toBe(true);
        },
      ),
    );
  });

  it('keep a byte order mark', () => {
    expect(contentOf(Buffer.from('\ufeffA'), 'text', true)).toBe('\ufeffA');
  });

  it.each([
    ['bytes that are no text', [0xff, 0xfe], false],
    ['a start within a character', [0x84, 0x41], false],
    ['an end within a character', [0x41, 0xc3], true],
  ])('are not text: %s', (_, bytes, isLast) => {
    expect(() => contentOf(Uint8Array.from(bytes), 'text', isLast)).toThrow(failingWith('not_text'));
  });
});
