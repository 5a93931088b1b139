import { type CitedQuote, evidenceReply } from '../../../../src/kb/evidence/evidence-reply.js';
import { aPassage } from '../../../support/builders.js';

const quoteOf = (id: string, start: number, part = 0): CitedQuote => ({
  ...{ textId: id, quote: 'Use it.', start, end: start + 7, confidence: 1, part },
  source: { id, uri: id, url: null, passage: aPassage({ sectionId: id }) },
});
const replyOf = (whole: readonly CitedQuote[]) =>
  evidenceReply(
    { whole, count: whole.length, needsFirst: true, choose: ({ count }) => whole.slice(0, count) },
    (evidence, leftOut) => ({ ...evidence, leftOut }),
  );

describe('evidenceReply', () => {
  it('has all headings as the title of a source, and one URI for the passages of all quotes', () => {
    const headingPath = ['Operators', 'operator > (MASM)'];
    const passage = aPassage({ headingPath, title: headingPath.join(' > ') });
    const { sources, passage_uri } = replyOf([
      { ...quoteOf('a', 0), source: { id: 'p1', uri: 's://scratch/own/p1', url: null, passage } },
    ]).output;
    expect(passage_uri).toBe('s://scratch/own/{passage_id}');
    expect(sources[0]?.title).toBe('Operators > operator > (MASM)');
  });

  it('reports no loss for a complete result', () => {
    expect(replyOf([quoteOf('a', 0)]).output.leftOut).toBeNull();
  });

  it('counts the sections of a smaller result that are left out, and names the parts without quotes', () => {
    const reply = replyOf([quoteOf('a', 0), quoteOf('b', 0), quoteOf('c', 0, 1)]);
    const { leftOut, ...smaller } = reply.build({ count: 2, maxChars: 7, reason: 'byte_cap' });
    expect(leftOut).toEqual({ what: ['1 of 3 sections'], parts: [1] });
    expect(smaller).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
  });

  it('reports shorter quotes', () => {
    const { leftOut } = replyOf([quoteOf('a', 0)]).build({ count: 1, maxChars: 3, reason: 'byte_cap' });
    expect(leftOut).toEqual({ what: ['parts of the quotes'], parts: [] });
  });
});
