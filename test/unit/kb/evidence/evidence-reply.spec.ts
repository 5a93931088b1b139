import { evidenceReply } from '../../../../src/kb/evidence/evidence-reply.js';
import { aPassage } from '../../../support/builders.js';

describe('evidenceReply', () => {
  it('uses the nearest heading as the title of a quote, and all headings as the title of its source', () => {
    const headingPath = ['Operators', 'operator > (MASM)'];
    const passage = aPassage({ headingPath, title: headingPath.join(' > ') });
    const source = { id: 'p1', uri: 'u', passage };
    const quote = { textId: 'a', quote: 'Use it.', start: 0, end: 7, confidence: 1, source };
    const { quotes, sources } = evidenceReply(
      { groups: [[quote]], ordinals: null },
      (evidence) => evidence,
    ).output;
    expect(quotes[0]?.title).toBe('operator > (MASM)');
    expect(sources[0]?.title).toBe('Operators > operator > (MASM)');
  });

  it('removes the last groups first if the result is too large', () => {
    const source = (id: string) => ({ id, uri: id, passage: aPassage({ sectionId: id }) });
    const quote = (id: string, start: number) => ({
      ...{ textId: id, quote: 'Use it.', start, end: start + 7, confidence: 1, source: source(id) },
    });
    const { build, count } = evidenceReply(
      { groups: [[quote('a', 0), quote('a', 20)], [quote('b', 0)]], ordinals: null },
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

  it('keeps the best sections of a page, in the order of the document', () => {
    const aQuote = (id: string) => {
      const source = { id, uri: id, passage: aPassage({ sectionId: id }) };
      return { textId: id, quote: 'Use it.', start: 0, end: 7, confidence: 1, source };
    };
    const groups = ['a.md#best', 'a.md#next', 'a.md#last', 'b.md'].map((id) => [aQuote(id)]);
    const ordinals = new Map([
      ['a.md#best', 2],
      ['a.md#next', 1],
      ['a.md#last', 0],
      ['b.md', 0],
    ]);
    const { output, build } = evidenceReply({ groups, ordinals }, (evidence) => evidence);
    const idsOf = ({ quotes }: typeof output) => quotes.map(({ section_id }) => section_id);
    expect(idsOf(output)).toEqual(['a.md#last', 'a.md#next', 'a.md#best', 'b.md']);
    expect(idsOf(build({ count: 2, maxChars: 7, reason: 'byte_cap' }))).toEqual(['a.md#next', 'a.md#best']);
  });
});
