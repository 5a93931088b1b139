import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../../src/core/cursor.js';
import { InvalidArgumentError } from '../../../src/core/errors.js';
import { SECRET } from '../../support/builders.js';

const BINDING = { question: ['disk', { docTags: null }], principal: 'local', generation: 'index:1' };

function refusalOf(cursor: string, binding = BINDING, secret = SECRET): string | undefined {
  try {
    decodeCursor(cursor, binding, secret);
    return undefined;
  } catch (error) {
    return error instanceof InvalidArgumentError ? error.reason : 'another error';
  }
}

describe('decodeCursor', () => {
  it('returns the offset of the cursor', () => {
    fc.assert(
      fc.property(fc.nat(), (offset) =>
        expect(decodeCursor(encodeCursor(offset, BINDING, SECRET), BINDING, SECRET)).toBe(offset),
      ),
    );
  });

  it('rejects a cursor for another question as invalid', () => {
    const other = { ...BINDING, question: ['ship', { docTags: null }] };
    expect(refusalOf(encodeCursor(5, other, SECRET))).toBe('cursor_invalid');
  });

  it('rejects a cursor of another principal as invalid', () => {
    expect(refusalOf(encodeCursor(5, { ...BINDING, principal: 'ada' }, SECRET))).toBe('cursor_invalid');
  });

  it('rejects a cursor for another generation as stale', () => {
    expect(refusalOf(encodeCursor(5, { ...BINDING, generation: 'index:0' }, SECRET))).toBe('cursor_stale');
  });

  it('rejects a cursor for another question and generation as invalid', () => {
    expect(
      refusalOf(encodeCursor(5, { question: 'ship', principal: 'local', generation: 'index:0' }, SECRET)),
    ).toBe('cursor_invalid');
  });

  it('rejects a cursor with the signature of another secret', () => {
    expect(refusalOf(encodeCursor(5, BINDING, `${SECRET}!`))).toBe('cursor_invalid');
  });

  it.each(['', '0', 'MA', 'not base64url!', '....', 'a'.repeat(512), '\u0000', '😀', 'MC4uLg'])(
    'refuses %j',
    (cursor) => {
      expect(refusalOf(cursor)).toBe('cursor_invalid');
    },
  );

  it('rejects a cursor with any character changed', () => {
    const genuine = encodeCursor(5, BINDING, SECRET);
    const changed = fc.tuple(fc.nat(genuine.length - 1), fc.constantFrom(...'ABCabc019-_+/=. '));
    fc.assert(
      fc.property(changed, ([at, by]) => {
        fc.pre(genuine[at] !== by);
        expect(refusalOf(genuine.slice(0, at) + by + genuine.slice(at + 1))).toBe('cursor_invalid');
      }),
      { numRuns: 500 },
    );
  });

  it.each(['=', ' ', '\n', '!', 'A', '.'])('rejects a cursor followed by %j', (added) => {
    expect(refusalOf(encodeCursor(5, BINDING, SECRET) + added)).toBe('cursor_invalid');
  });

  it('rejects a payload re-encoded for another offset', () => {
    const parts = Buffer.from(encodeCursor(5, BINDING, SECRET), 'base64url')
      .toString()
      .split('.');
    expect(refusalOf(Buffer.from(['0', ...parts.slice(1)].join('.')).toString('base64url'))).toBe(
      'cursor_invalid',
    );
  });
});

describe('encodeCursor', () => {
  it('does not reveal the question, and is base64url', () => {
    expect(encodeCursor(5, BINDING, SECRET)).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(encodeCursor(5, BINDING, SECRET), 'base64url').toString()).not.toContain('disk');
  });

  it('makes the same cursor for the same page', () => {
    expect(encodeCursor(5, BINDING, SECRET)).toBe(encodeCursor(5, BINDING, SECRET));
  });
});
