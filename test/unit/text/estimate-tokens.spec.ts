import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { clipToTokens, estimateTokens } from '../../../src/text/estimate-tokens.js';
import { codePoints } from '../../support/code-points.js';

const realTokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const BASE64 = `${LOWER}${LOWER.toUpperCase()}0123456789+/`;
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const lettersOf = (alphabet: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 300 });

const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
const prose =
  'The provider is resolved from the module that imports it, and the scope of the request decides when.';
const cyrillic = 'Программное обеспечение используется для обработки данных.';

const samples: [string, string][] = [
  ['one word', 'word'],
  ['a control character', '\u0000'],
  ['a lone surrogate', '\ud800'],
  ['C1 controls', '\u0085'.repeat(400)],
  ['C1 controls between bidirectional marks', '\u202e\u0085'.repeat(200)],
  ['prose', prose],
  ['a special token', 'before <|endoftext|> after'],
  [
    'TypeScript',
    "export const port = Number(process.env['PORT'] ?? 3000);\nif (!port) throw new Error(`no ${port}`);",
  ],
  ['a Markdown table', '| Name | Type | Default |\n| :--- | ---- | ------: |\n| `ttl` | number | 5_000 |\n'],
  ['escaped JSON', JSON.stringify({ text: '# Title\n\nSay "hello".\n\n```ts\nconst a = \'b\';\n```\n' })],
  ['twice escaped JSON', JSON.stringify(JSON.stringify({ text: 'Say "hello"\n\tand "bye"\n' }))],
  ['a UUID', '3f2b8c1e-9d47-4a6b-8e05-71c2d9f0ab34'],
  ['a URL', 'https://docs.example.com/a/b%20c?utm_source=x&id=8fd1c0#getting-started'],
  ['base64', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r/wW1gFWFOEjXk='],
  ['hex', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['Chinese', '使用这个函数可以返回一个新的对象，如果参数为空则抛出异常。'],
  ['Japanese', 'この関数は新しいオブジェクトを返します。'],
  ['Korean', '이 함수는 새로운 객체를 반환합니다.'],
  ['Russian', cyrillic],
  ['Arabic', 'تعيد هذه الدالة كائنا جديدا'],
  ['Hebrew', 'הפונקציה מחזירה אובייקט חדש'],
  ['Hindi', 'यह फ़ंक्शन एक नया ऑब्जेक्ट लौटाता है'],
  ['Thai', 'ฟังก์ชันนี้คืนค่าออบเจ็กต์ใหม่'],
  ['emoji joined to a family', family.repeat(5)],
  ['spaces', ' '.repeat(1000)],
  ['tabs', '\t'.repeat(333)],
  ['newlines', '\n'.repeat(333)],
  ['CRLF', '\r\n'.repeat(200)],
  ['one letter', 'a'.repeat(500)],
  ['dashes', '-'.repeat(500)],
  ['backticks', '`'.repeat(200)],
  ['spelt letters', 'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'],
];

describe('estimateTokens', () => {
  it('is 0 for the empty text', () => {
    expect(estimateTokens('')).toBe(0);
  });

  it.each(samples)('is never below the o200k count of %s', (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(realTokens(text));
  });

  it.each(samples)('is at least one token per four characters of %s', (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(Math.ceil(text.length / 4));
  });

  it('stays within a third of the o200k count of English prose', () => {
    const text = `${prose} `.repeat(5);
    expect(estimateTokens(text)).toBeLessThan(1.34 * realTokens(text));
  });

  const numRuns = 150;

  it.each([
    ['any Unicode', fc.string({ unit: codePoints, maxLength: 200 })],
    ['whole emoji and letters with marks', fc.string({ unit: 'grapheme', maxLength: 200 })],
    ['lone surrogates', fc.array(fc.integer({ min: 0, max: 0xffff })).map((a) => String.fromCharCode(...a))],
    ['lower-case letters', lettersOf(LOWER)],
    ['upper-case letters', lettersOf(LOWER.toUpperCase())],
    ['base64', lettersOf(BASE64)],
    ['hex', lettersOf('0123456789abcdef')],
    ['punctuation', lettersOf(PUNCTUATION)],
    ['whitespace', lettersOf(' \t\r\n')],
    ['a mixture', lettersOf(`${BASE64}${PUNCTUATION} \n\téß中あ`)],
    ['escaped ASCII', lettersOf(`${LOWER}${PUNCTUATION} \n`).map((text) => JSON.stringify({ text }))],
  ])('is never below the o200k count of random %s', (_, texts) => {
    const holds = (text: string): boolean => estimateTokens(text) >= realTokens(text);
    fc.assert(fc.property(texts, holds), { numRuns, seed: 20240613 });
  });

  it('never decreases when a text grows', () => {
    const grows = (a: string, b: string): boolean => estimateTokens(a) <= estimateTokens(a + b);
    fc.assert(fc.property(fc.string({ unit: codePoints }), fc.string({ unit: codePoints }), grows));
  });
});

const ROOT = join(__dirname, '../../..');
/** Further folders with documents, separated as in PATH. */
const others = (process.env['TEST_CORPORA'] ?? '').split(delimiter).filter((folder) => folder !== '');
const folders = [...others, 'fixtures', 'docs']
  .map((folder): [string, string] => [folder, resolve(ROOT, folder)])
  .filter(([, path]) => existsSync(path));

/** At most 25 Markdown files, evenly spread over the folder in name order. */
function sampleOf(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.mdx?$/.test(name),
  );
  const step = Math.ceil(names.length / 25);
  return names
    .sort()
    .filter((_, at) => at % step === 0)
    .map((name) => readFileSync(join(path, name), 'utf8'));
}

const partsOf = (text: string): string[] => [text, ...text.split(/\n\s*\n/), ...text.split(/(?=^#{1,6} )/m)];
const undercounted = (text: string): boolean => estimateTokens(text) < realTokens(text);

// Jest rejects an empty table, which would result from a checkout without these folders.
(folders.length > 0 ? describe : describe.skip)('estimateTokens on documents', () => {
  const table = folders.length > 0 ? folders : [['none', '']];

  it.each(table)('is never below the o200k count of files, sections and paragraphs of %s', (_, path) => {
    expect(sampleOf(path).flatMap(partsOf).filter(undercounted)).toEqual([]);
  });

  it.each(table)('is never below the o200k count of %s as JSON', (_, path) => {
    const replies = sampleOf(path).map((text) => JSON.stringify({ text: text.slice(0, 4000) }));
    expect(replies.filter(undercounted)).toEqual([]);
  });
});

describe('clipToTokens', () => {
  it.each([0, 1, -5, NaN])('fits nothing into a budget of %d', (maxTokens) => {
    expect(clipToTokens(prose, maxTokens)).toBe(0);
  });

  it('fits the whole text into its own estimate', () => {
    expect(clipToTokens(prose, estimateTokens(prose))).toBe(prose.length);
  });

  it('takes as much as fits the budget and no more', () => {
    const end = clipToTokens(prose, 12);
    expect(estimateTokens(prose.slice(0, end))).toBe(12);
    expect(estimateTokens(prose.slice(0, end + 1))).toBe(13);
  });

  it('never splits a surrogate pair', () => {
    const ends = [4, 5, 6, 7, 8, 9, 10].map(
      (maxTokens) => clipToTokens('\u{1F600}'.repeat(9), maxTokens) % 2,
    );
    expect(ends).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('keeps every prefix within its budget', () => {
    const fits = (text: string, maxTokens: number): boolean =>
      estimateTokens(text.slice(0, clipToTokens(text, maxTokens))) <= maxTokens;
    fc.assert(fc.property(fc.string({ unit: codePoints, maxLength: 300 }), fc.nat(200), fits));
  });
});
