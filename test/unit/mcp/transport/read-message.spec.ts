import { hasBatches, readMessage } from '../../../../src/mcp/transport/read-message.js';

const read = (text: string) => readMessage(Buffer.from(text), false);

describe('readMessage', () => {
  it.each([
    '{"jsonrpc":"2.0","id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error"}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":"a","method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"of/another/kind","params":{"name":7}}',
    ' {"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1}}}\r',
  ])('accepts %s', (text) => {
    expect(read(text)).toEqual({ messages: [JSON.parse(text)], isBatch: false });
  });

  it.each(['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', '{"error":7}'])(
    'does not answer an error with an error: %s',
    (text) => {
      expect(read(text)).toEqual({ messages: [], isBatch: false });
    },
  );

  it('refuses bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(readMessage(bytes, false)).toMatchObject({ refusal: { error: { code: -32700 } } });
  });

  it('counts nesting levels, but not brackets in strings', () => {
    const message = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"x","params":${params}}`;
    const levels = (count: number): string => `{"a":${'['.repeat(count - 1)}${']'.repeat(count - 1)}}`;
    expect(read(message(levels(63)))).toHaveProperty('messages');
    expect(read(message(levels(64)))).toMatchObject({ refusal: { error: { code: -32600 } } });
    expect(read(message(`{"a":"\\\\\\"${'['.repeat(99)}"}`))).toHaveProperty('messages');
  });

  it('refuses more than 1,000 keys in an object', () => {
    const withKeys = (count: number): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'ping',
        params: Object.fromEntries(Array.from({ length: count }, (_, i) => [`a:,${i}`, { b: 1 }])),
      });
    expect(read(withKeys(1_000))).toHaveProperty('messages');
    expect(read(withKeys(1_001))).toMatchObject({
      refusal: {
        error: {
          code: -32600,
          message: 'Invalid request: the message has an object with more than 1000 keys.',
        },
      },
    });
  });

  it('refuses more than 60,000 keys and array items', () => {
    const withItems = (count: number): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: Array(count).fill('a,b') } });
    // The other five are the keys.
    expect(read(withItems(59_995))).toHaveProperty('messages');
    expect(read(withItems(59_996))).toMatchObject({
      refusal: {
        error: {
          code: -32600,
          message: 'Invalid request: the message has more than 60000 keys and array items.',
        },
      },
    });
  });

  it('describes the problem in one short line', () => {
    const { refusal } = read('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"\\u001b\\n":1}}') as {
      refusal: { error: { message: string } };
    };
    expect(refusal.error.message).toMatch(/^Invalid request tools\/call\. params\.name: [^\p{Cc}]{10,200}$/u);
  });
});

describe('hasBatches', () => {
  it.each([
    ['2024-11-05', true],
    ['2025-03-26', true],
    ['2025-06-18', false],
    ['2026-07-28', false],
    ['1', false],
    [undefined, false],
  ])('returns for protocol version %s: %s', (version, expected) => {
    expect(hasBatches(version)).toBe(expected);
  });
});
