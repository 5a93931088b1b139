import { BackendUnavailableError, InvalidArgumentError, PithError } from '../../../src/core/errors.js';
import { fromPlain, toPlain } from '../../../src/sqlite/reader-messages.js';

const CONTEXT = { reason: 'index_missing', hint: 'Index it.', details: { file: 'a' } };

describe('toPlain', () => {
  it('makes data that can be sent between threads', () => {
    const plain = toPlain(new BackendUnavailableError('Gone.', { ...CONTEXT, cause: new Error('why') }));
    expect(structuredClone(plain)).toEqual({
      code: 'BACKEND_UNAVAILABLE',
      message: 'Gone.',
      context: { ...CONTEXT, serverFile: '', cause: 'why' },
    });
  });
});

describe('fromPlain', () => {
  it.each([new BackendUnavailableError('Gone.', CONTEXT), new InvalidArgumentError('Wrong.', CONTEXT)])(
    'restores %s',
    (error) => {
      const again = fromPlain(structuredClone(toPlain(error)));
      expect(again).toBeInstanceOf(error.constructor);
      expect(again).toMatchObject({ code: error.code, message: error.message, ...CONTEXT });
    },
  );

  it('keeps unknown failures opaque, with the whole error for the log', () => {
    const again = fromPlain(structuredClone(toPlain(new TypeError('x is undefined'))));
    expect(again).not.toBeInstanceOf(PithError);
    expect(again.message).toContain('x is undefined');
  });

  it('accepts values that are not errors', () => {
    expect(fromPlain(toPlain('gone')).message).toBe('gone');
  });
});
