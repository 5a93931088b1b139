import fc from 'fast-check';
import { entityKey } from '../../../src/core/entity-key.js';

describe('entityKey', () => {
  it.each<[string, string, string]>([
    ['ticks', '`kb.search`', 'kb.search'],
    ['case', 'KB.Search', 'kb.search'],
    ['quotes', '"kb.search"', 'kb.search'],
    ['curly quotes', '“rate limit”', 'rate limit'],
    ['emphasis', '**Rate limit**', 'rate limit'],
    ['brackets around it', '[rateLimit]', 'ratelimit'],
    ['several marks', '**`rateLimit`**', 'ratelimit'],
    ['punctuation behind it', 'rateLimit:', 'ratelimit'],
    ['white space', '  rate \n limit ', 'rate limit'],
    ['compatibility forms', 'ｒａｔｅ', 'rate'],
    ['empty call marks', 'listen()', 'listen'],
    ['call arguments', 'listen(() => go(1), 2)', 'listen'],
    ['call arguments that never end', 'listen(() => {', 'listen'],
    ['type arguments', 'Box<Map<K, V>>', 'box'],
    ['type arguments within', 'box<T>::put', 'box::put'],
    ['indexes', 'string[]', 'string'],
    ['an option’s value', '--port=8080', '--port'],
    ['an option’s placeholder', '--port <n>', '--port'],
    ['an option’s optional value', '--port[=<n>]', '--port'],
    ['a switch’s value', '-Confirm:$false', '-confirm'],
    ['a decorator’s sign', '@Widget()', 'widget'],
    ['a path’s own folder', './src/app.ts', 'src/app.ts'],
    ['a variable’s sign', '$LOG_LEVEL', 'log_level'],
    ['a variable’s braces', '${LOG_LEVEL}', 'log_level'],
    ['a variable’s percent signs', '%LOG_LEVEL%', 'log_level'],
    ['process.env', 'process.env.LOG_LEVEL', 'log_level'],
    ['$env:', '$env:LOG_LEVEL', 'log_level'],
  ])('removes %s', (_, name, key) => {
    expect(entityKey(name)).toBe(key);
  });

  it.each([
    ['a scoped package', '@acme/tools', '@acme/tools'],
    ['a $ before a small letter', '$ref', '$ref'],
    ['a language', 'C++', 'c++'],
    ['another language', 'C#', 'c#'],
    ['an operator', 'operator()', 'operator()'],
    ['a member operator', 'box::operator[]', 'box::operator[]'],
    ['brackets behind a space', 'Remote procedure call (RPC)', 'remote procedure call (rpc)'],
    ['two brackets that are no pair', '(a) or (b)', '(a) or (b)'],
    ['underscores', '__init__', '__init__'],
    ['a switch of a slash', '/Zc:inline', '/zc:inline'],
    ['an error code', '-32602', '-32602'],
    ['a command with options', 'tool run --fast', 'tool run --fast'],
    ['other scripts', '配置', '配置'],
  ])('keeps %s', (_, name, key) => {
    expect(entityKey(name)).toBe(key);
  });

  it.each(['', ' ', '``', '--', '...', '()', '“”', '=>', '<>', '**'])('is empty for %j', (name) => {
    expect(entityKey(name)).toBe('');
  });

  it('has at most 120 characters', () => {
    expect(entityKey('word '.repeat(1000)).length).toBeLessThanOrEqual(120);
  });

  it.each(['`', '(', '<', '-', '7', 'a', '$', '['])('handles a megabyte of %j', (mark) => {
    expect(entityKey(mark.repeat(1 << 20)).length).toBeLessThanOrEqual(120);
  });

  it('leaves a key unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        expect(entityKey(entityKey(name))).toBe(entityKey(name));
      }),
    );
  });

  it('leaves a key unchanged if the name consists of brackets and other marks', () => {
    const piece = fc.constantFrom(
      'a',
      'B_C',
      '(',
      ')',
      '<',
      '>',
      '[',
      '`',
      '"',
      '*',
      '$',
      '@',
      '-',
      '--',
      ':',
      '.',
      '/',
      ' ',
      'operator',
      '%',
      '{',
      '}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const key = entityKey(pieces.join(''));
        expect(entityKey(key)).toBe(key);
      }),
    );
  });
});
