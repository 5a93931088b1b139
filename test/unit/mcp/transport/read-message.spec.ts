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

  const messageWith = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"x","params":${params}}`;
  const nested = (levels: number): string => `{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}`;
  const withKeys = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`a:,${i}`, { b: 1 }])));
  // The other five values are the keys.
  const withValues = (count: number): string => JSON.stringify({ a: Array(count - 5).fill('a,b') });

  it.each([
    ['is nested more than 64 levels deep', nested(64), nested(65)],
    ['has an object with more than 1000 keys', withKeys(1_000), withKeys(1_001)],
    ['has more than 60000 keys and array items', withValues(60_000), withValues(60_001)],
  ])('refuses a message that %s', (what, largest, tooLarge) => {
    const error = { code: -32600, message: `Invalid request: the message ${what}.` };
    expect(read(messageWith(largest))).toHaveProperty('messages');
    expect(read(messageWith(tooLarge))).toMatchObject({ refusal: { error } });
  });

  it.each([
    ['tools/call', '{"name":"a","arguments":null}', { name: 'a' }],
    ['prompts/get', '{"name":"a","arguments":null}', { name: 'a' }],
    ['prompts/get', '{"name":"a","arguments":{"x":null,"y":"1"}}', { name: 'a', arguments: { y: '1' } }],
  ])('leaves out arguments of %s that are null: %s', (method, params, left) => {
    expect(read(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)).toEqual({
      messages: [{ jsonrpc: '2.0', id: 1, method, params: left }],
      isBatch: false,
    });
  });

  it('counts no brackets in strings', () => {
    expect(read(messageWith(`{"a":"\\\\\\"${'['.repeat(99)}"}`))).toHaveProperty('messages');
  });

  it('describes the problem in one short line', () => {
    const { refusal } = read('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"\\u001b\\n":1}}') as {
      refusal: { error: { message: string } };
    };
    expect(refusal.error.message).toMatch(/^Invalid request tools\/call\. params\.name: [^\p{Cc}]{10,200}$/u);
  });
});

describe('requests with invalid parameters', () => {
  it.each([
    ['resources/read', '{}'],
    ['resources/subscribe', '{}'],
    ['resources/unsubscribe', '{"uri":5}'],
    ['completion/complete', '{"ref":7}'],
    ['subscriptions/listen', '{"notifications":7}'],
  ])('are refused as such: %s %s', (method, params) => {
    const refused = read(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
    expect(refused).toMatchObject({ refusal: { id: 1, error: { code: -32602 } } });
  });
});

it.each(['ping', 'resources/subscribe', 'resources/unsubscribe'])(
  'leaves it to the SDK to say that 2026-07-28 has no %s',
  (method) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const request = { jsonrpc: '2.0', id: 1, method, params: { _meta } };
    expect(read(JSON.stringify(request))).toHaveProperty('messages');
  },
);

describe('a batch', () => {
  const ask = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const readBatch = (...bodies: object[]) => readMessage(Buffer.from(JSON.stringify(bodies)), true);

  it('is refused if two of its requests have the same id, because one reply would be lost', () => {
    expect(readBatch(ask(1), ask('1'))).toMatchObject({ isBatch: true });
    expect(readBatch(ask(1), ask(2), ask(1))).toMatchObject({
      refusal: { id: null, error: { code: -32600 } },
    });
  });

  it('is refused as a whole if one of its messages is invalid', () => {
    expect(readBatch(ask(1), { jsonrpc: '2.0', id: 2 })).toMatchObject({
      refusal: { error: { code: -32600 } },
    });
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
