import { evidenceReply } from '../../../../src/kb/evidence/evidence-reply.js';
import { aPassage } from '../../../support/builders.js';

describe('evidenceReply', () => {
  it('uses the nearest heading as the title of a quote, and all headings as the title of its source', () => {
    const headingPath = ['Operators', 'operator > (MASM)'];
    const passage = aPassage({ headingPath, title: headingPath.join(' > ') });
    const source = { id: 'p1', uri: 'u', passage };
    const quote = { textId: 'a', quote: 'Use it.', start: 0, end: 7, confidence: 1, source };
    const { quotes, sources } = evidenceReply([quote], (evidence) => evidence).output;
    expect(quotes[0]?.title).toBe('operator > (MASM)');
    expect(sources[0]?.title).toBe('Operators > operator > (MASM)');
  });
});
