import fc from 'fast-check';
import { cutQuote, MAX_QUOTE_CHARS } from '../../../../src/kb/evidence/cut-quote.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';

const whole = (text: string) => ({ start: 0, end: text.length });
const spanOf = (text: string, part: string) => ({
  start: text.indexOf(part),
  end: text.indexOf(part) + part.length,
});
const cut = (
  text: string,
  part: string,
  maxTokens: number,
  contextTokens: number,
  within = whole(text),
): string => {
  const { start, end } = cutQuote(text, spanOf(text, part), { maxTokens, contextTokens, within });
  return text.slice(start, end);
};

const PROSE = 'Before it stands a sentence. The disk is full. After it stands another sentence.';
const SENTENCE = 'The keeper writes the name of every ship into the book. ';
/** Twenty words of nine letters: 199 characters. */
const TWENTY =
  'anchorage bulkheads captaincy databases elevation furniture gatehouse hurricane important junctions kilograms ' +
  'landscape machinery navigates objective passenger quantized retention seaworthy telescope';
const LONG = 'word '.repeat(400).trim();

const texts = fc
  .array(fc.constantFrom('word', ' ', '. ', '\n', '漢字', '😀', 'averylongwordwithoutanyend', '-'), {
    minLength: 1,
    maxLength: 250,
  })
  .map((pieces) => pieces.join(''));
const cases = fc.record({
  text: texts,
  from: fc.nat(),
  length: fc.nat(900),
  maxTokens: fc.integer({ min: 10, max: 200 }),
  contextTokens: fc.integer({ min: 0, max: 200 }),
});

describe('cutQuote', () => {
  it('returns a span that fits unchanged if no context is requested', () => {
    expect(cut(PROSE, 'The disk is full.', 80, 0)).toBe('The disk is full.');
  });

  it('adds whole words of context on both sides', () => {
    expect(cut(PROSE, 'The disk is full.', 80, 8)).toMatch(
      /^(\S+ )*sentence\. The disk is full\. After( \S+)*$/,
    );
  });

  it('adds all text between the neighbours if the context is wide', () => {
    expect(cut(PROSE, 'The disk is full.', 200, 200)).toBe(PROSE);
  });

  it('keeps context within the given bounds', () => {
    const within = { start: PROSE.indexOf('a sentence'), end: PROSE.indexOf(' another') };
    expect(cut(PROSE, 'The disk is full.', 200, 200, within)).toBe(
      'a sentence. The disk is full. After it stands',
    );
  });

  it('cuts a span that is too long at a word, and adds no context to it', () => {
    const quote = cut(`Ahead. ${LONG}`, LONG, 40, 20);
    expect(quote).toMatch(/^word( word)+$/);
    expect(estimateTokens(quote)).toBeLessThanOrEqual(40);
  });

  it('cuts a single very long word at the limit', () => {
    const text = 'x1'.repeat(800);
    expect(cut(text, text, 200, 20).length).toBeLessThanOrEqual(MAX_QUOTE_CHARS);
    expect(cut(text, text, 200, 20)).toMatch(/^(x1)+x?$/);
  });

  it('stays within 500 characters if the token limit allows more', () => {
    const sentence = `${'the keeper writes every ship into the book and '.repeat(14)}rests.`;
    expect(estimateTokens(sentence.slice(0, 600))).toBeLessThan(200);
    expect(cut(sentence, sentence, 400, 200)).toHaveLength(498);
  });

  it('adds context up to 500 characters', () => {
    const [first, last] = ['The first ship. ', 'The last ship.'];
    const text = first + SENTENCE.repeat(20) + last;
    expect(cut(text, first.trim(), 400, 200)).toMatch(/^The first ship\. [^]{450,484}$/);
    const airy = `ship${' '.repeat(400)}berth`;
    expect(cut(`${SENTENCE.repeat(20)}${airy}`, airy, 400, 200)).toMatch(/^[^]{20,90}ship {400}berth$/);
  });

  it('adds about the requested context on each side', () => {
    const text = `${SENTENCE.repeat(8)}The disk is full. ${SENTENCE.repeat(8)}`;
    const quote = cut(text, 'The disk is full.', 200, 60);
    const [left = '', right = ''] = quote.split('The disk is full.');
    expect(estimateTokens(left)).toBeGreaterThan(40);
    expect(estimateTokens(right)).toBeGreaterThan(40);
  });

  it('gives unused tokens of one side to the other', () => {
    const quote = cut(`Ahead. The disk is full. ${TWENTY} ${TWENTY}`, 'The disk is full.', 80, 200);
    expect(quote).toMatch(/^Ahead\. The disk is full\. anchorage /);
    expect(estimateTokens(quote)).toBeGreaterThan(70);
  });

  it('adds the same context on both sides, up to the limit', () => {
    const text = `${TWENTY} ${TWENTY}. The disk is full. ${TWENTY} ${TWENTY}.`;
    const [left = '', right = ''] = cut(text, 'The disk is full.', 80, 200).split('The disk is full.');
    expect(Math.abs(estimateTokens(left) - estimateTokens(right))).toBeLessThan(8);
    expect(estimateTokens(left + right)).toBeGreaterThan(55);
  });

  it('cuts a long span of Chinese between characters, not at the only space before it', () => {
    const quote = cut(
      `使用 ${'磁盘已满请清理它'.repeat(40)}`,
      `使用 ${'磁盘已满请清理它'.repeat(40)}`,
      80,
      0,
    );
    expect(quote.length).toBeGreaterThan(20);
  });

  it('keeps the last word of a span that ends at the limit', () => {
    // 99 + 1 + 199 + 1 + 200 characters are 500, and the next one is a space.
    const text = `${TWENTY.slice(0, 99)} ${TWENTY} ${TWENTY}s and more`;
    expect(cut(text, text, 400, 0)).toBe(`${TWENTY.slice(0, 99)} ${TWENTY} ${TWENTY}s`);
  });

  it('never exceeds the token limit or 500 characters', () => {
    fc.assert(
      fc.property(cases, ({ text, from, length, maxTokens, contextTokens }) => {
        const start = from % text.length;
        const span = { start, end: Math.min(text.length, start + 1 + length) };
        const { start: a, end: b } = cutQuote(text, span, { maxTokens, contextTokens, within: whole(text) });
        expect(b - a).toBeLessThanOrEqual(MAX_QUOTE_CHARS);
        expect(estimateTokens(text.slice(a, b))).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });

  it('never shortens a span that fits to add context', () => {
    fc.assert(
      fc.property(cases, ({ text, from, maxTokens, contextTokens }) => {
        const start = from % text.length;
        const span = { start, end: start + 1 };
        const quote = cutQuote(text, span, { maxTokens, contextTokens, within: whole(text) });
        expect(quote.start).toBeLessThanOrEqual(span.start);
        expect(quote.end).toBeGreaterThanOrEqual(span.end);
      }),
    );
  });

  it('never cuts a character in two', () => {
    const text = `${'in'.repeat(236)}i${'😀'.repeat(20)}`;
    expect(cut(text, text, 200, 0).isWellFormed()).toBe(true);
  });
});
