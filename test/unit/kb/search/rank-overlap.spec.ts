import fc from 'fast-check';
import {
  overlapTokens,
  rankOverlap,
  rankSpans,
  type ScoredSpan,
} from '../../../../src/kb/search/rank-overlap.js';

const textsOf = (...texts: string[]) => texts.map((text, i) => ({ id: `${i}`, text }));
const shown = (spans: readonly ScoredSpan[]): [string, number][] =>
  spans.map(({ source, start, end, score }) => [source.text.slice(start, end), score]);

describe('overlapTokens', () => {
  it.each([
    ['How do I get it?', ['how', 'get']],
    ['RATE_LIMIT rate-limit', ['rate', 'limit']],
    ['v4.4.5 of get.weka.io', ['get', 'weka']],
    ['Is 443 in use', ['443', 'use']],
    ['café Straße', ['café', 'straße']],
    ['磁盘满 磁盘', ['磁盘满']],
    ['𠮷𠮷 𠮷𠮷𠮷', ['𠮷𠮷𠮷']],
    ['an ox', []],
    ['?!', []],
    ['', []],
  ])('reads %j as %j', (question, tokens) => {
    expect(overlapTokens(question)).toEqual(tokens);
  });
});

// overlap-cases.spec.ts tests scores and order.
describe('rankSpans', () => {
  it('ranks every span of every text, with its text', () => {
    expect(rankSpans('mount disk', textsOf('Mount it. Rest.', 'Mount the disk.'))).toEqual([
      { start: 0, end: 15, source: { id: '1', text: 'Mount the disk.' }, score: 1 },
      { start: 0, end: 9, source: { id: '0', text: 'Mount it. Rest.' }, score: 0.5 },
      { start: 10, end: 15, source: { id: '0', text: 'Mount it. Rest.' }, score: 0 },
    ]);
  });

  it('ranks nothing without texts', () => {
    expect(rankSpans('disk', [])).toEqual([]);
    expect(rankSpans('disk', textsOf('', ' \n'))).toEqual([]);
  });

  it('returns scores from 0 to 1, best first', () => {
    const words = fc.array(fc.constantFrom('mount', 'disk', 'full.', 'on', '\n\n- '), { maxLength: 30 });
    fc.assert(
      fc.property(words, words, (question, text) => {
        const scores = rankSpans(question.join(' '), textsOf(text.join(' '))).map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.filter((score) => score < 0 || score > 1)).toEqual([]);
      }),
    );
  });
});

describe('rankOverlap', () => {
  it('omits spans without a token', () => {
    expect(shown(rankOverlap('mount disk', textsOf('Mount it. Rest.', 'Mount the disk.')))).toEqual([
      ['Mount the disk.', 1],
      ['Mount it.', 0.5],
    ]);
  });

  it('is empty for a question without tokens', () => {
    expect(rankOverlap('is it on', textsOf('It is on.'))).toEqual([]);
  });
});
