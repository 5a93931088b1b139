import { BackendUnavailableError, InvalidArgumentError, PithError } from '../../../../src/core/errors.js';
import { fromPlain, toPlain } from '../../../../src/engines/sqlite/reader-messages.js';

const CONTEXT = { reason: 'index_missing', hint: 'Index it.', details: { file: 'a' } };

describe('toPlain', () => {
  it('makes data that survives the way between threads', () => {
    const plain = toPlain(new BackendUnavailableError('Gone.', { ...CONTEXT, cause: new Error('why') }));
    expect(structuredClone(plain)).toEqual({
      code: 'BACKEND_UNAVAILABLE',
      message: 'Gone.',
      context: { ...CONTEXT, cause: 'why' },
    });
  });
});

describe('fromPlain', () => {
  it.each([new BackendUnavailableError('Gone.', CONTEXT), new InvalidArgumentError('Wrong.', CONTEXT)])(
    'puts %s together again',
    (error) => {
      const again = fromPlain(structuredClone(toPlain(error)));
      expect(again).toBeInstanceOf(error.constructor);
      expect(again).toMatchObject({ code: error.code, message: error.message, ...CONTEXT });
    },
  );

  it('keeps unknown failures opaque, with all of them for the log', () => {
    const again = fromPlain(structuredClone(toPlain(new TypeError('x is undefined'))));
    expect(again).not.toBeInstanceOf(PithError);
    expect(again.message).toContain('x is undefined');
  });

  it('takes what is no error too', () => {
    expect(fromPlain(toPlain('gone')).message).toBe('gone');
  });
});
