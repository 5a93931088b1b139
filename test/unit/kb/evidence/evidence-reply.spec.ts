import { evidenceReply } from '../../../../src/kb/evidence/evidence-reply.js';
import { aPassage } from '../../../support/builders.js';

describe('evidenceReply', () => {
  it('uses the nearest heading as the title of a quote, and all headings as the title of its source', () => {
    const headingPath = ['Operators', 'operator > (MASM)'];
    const passage = aPassage({ headingPath, title: headingPath.join(' > ') });
    const source = { id: 'p1', uri: 'u', passage };
    const quote = { textId: 'a', quote: 'Use it.', start: 0, end: 7, confidence: 1, source };
    const { quotes, sources } = evidenceReply([[quote]], (evidence) => evidence).output;
    expect(quotes[0]?.title).toBe('operator > (MASM)');
    expect(sources[0]?.title).toBe('Operators > operator > (MASM)');
  });

  it('removes the last groups first if the result is too large', () => {
    const source = (id: string) => ({ id, uri: id, passage: aPassage({ sectionId: id }) });
    const quote = (id: string, start: number) => ({
      ...{ textId: id, quote: 'Use it.', start, end: start + 7, confidence: 1, source: source(id) },
    });
    const { build, count } = evidenceReply(
      [[quote('a', 0), quote('a', 20)], [quote('b', 0)]],
      (evidence) => evidence,
    );
    const kept = build({ count: 1, maxChars: 7, reason: 'byte_cap' });
    expect(count).toBe(2);
    expect(kept.quotes.map(({ section_id, start_char }) => [section_id, start_char])).toEqual([
      ['a', 0],
      ['a', 20],
    ]);
    expect(kept).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
  });
});
