import type { Asked } from '../../../../src/cli/eval/eval-services.js';
import { goldenRow } from '../../../../src/cli/eval/evaluate-golden.js';
import type { GoldenQuestion } from '../../../../src/cli/eval/sets/golden-set.js';
import { aCandidate } from '../../../support/builders.js';

const aQuestion = (overrides: Partial<GoldenQuestion> = {}): GoldenQuestion => ({
  id: 'g-1',
  question: 'Which port?',
  type: 'factual',
  answerable: true,
  multihop: false,
  answers: [{ path: 'b.md', heading: 'Ports', quote: 'The port is 8443.', group: 0 }],
  keywords: [],
  parts: [],
  ...overrides,
});

const aQuote = (quote: string, section_id: string, title: string) => {
  return { quote, section_id, title, passage_id: '', confidence: 0.5, start_char: 0 };
};

const anAnswer = (answerable: 'likely' | 'unlikely', quotes: ReturnType<typeof aQuote>[]): Asked => {
  const rest = { partial: false, limit_reason: 'none' as const, diagnostic_id: '' };
  const sources = quotes.map(({ section_id, title }) => ({ section_id, title, doc_tag: '' }));
  const output = { answerable, quotes, sources, ...rest };
  return {
    output,
    content: 'x'.repeat(40),
    structured: 'y'.repeat(80),
    bytes: 200,
    calls: 1,
    ms: 3,
    confidence: 0.7,
  };
};

const ranked = [
  aCandidate({ document: { path: 'a.md' }, section: { id: 'a.md', headingPath: ['A'] } }),
  aCandidate({ document: { path: 'b.md' }, section: { id: 'b.md#x', headingPath: ['B', 'X'] } }),
  aCandidate({ document: { path: 'b.md' }, section: { id: 'b.md#ports', headingPath: ['B', 'Ports'] } }),
];

describe('goldenRow', () => {
  it('measures quotes, ranks and costs of an answered question', () => {
    const asked = anAnswer('likely', [aQuote('So: **The port** is 8443.', 'b.md#ports', 'B > Ports')]);
    expect(goldenRow(aQuestion(), asked, ranked).values).toMatchObject({
      answered: 1,
      page: 1,
      section: 1,
      // b.md is the second page; its section Ports the third section.
      pageHit1: 0,
      pageHit3: 1,
      sectionHit1: 0,
      sectionHit3: 1,
      ndcg10: 1 / Math.log2(3),
      mrr10: 0.5,
      contentTokens: 10,
      structuredTokens: 20,
      abstain: 20.5,
      confidence: 0.7,
      abstained: 0,
      failed: 0,
    });
  });

  it('measures page, section and sentence separately', () => {
    const asked = anAnswer('likely', [aQuote('Another.', 'b.md#x', 'B > X')]);
    expect(goldenRow(aQuestion(), asked, []).values).toMatchObject({ answered: 0, page: 1, section: 0 });
  });

  it('counts a question as answered only if each group has a match', () => {
    const [answer] = aQuestion().answers;
    const answers = [...aQuestion().answers, { path: 'c.md', heading: '', quote: 'Other.', group: 1 }];
    const asked = anAnswer('likely', [aQuote(answer?.quote ?? '', 'b.md#ports', 'B > Ports')]);
    expect(goldenRow(aQuestion({ answers }), asked, []).values).toMatchObject({ answered: 0, page: 0 });
  });

  it('measures only abstention for an unanswerable question', () => {
    const question = aQuestion({ answerable: false, answers: [] });
    const { values } = goldenRow(question, anAnswer('unlikely', []), []);
    expect(values).toMatchObject({ abstained: 1, unanswerable: 1, rightlyAbstained: 1, abstain: 0 });
    expect(values).not.toHaveProperty('answered');
    expect(values).not.toHaveProperty('contentTokens');
  });

  it('counts a failed call as unanswered, with the lowest confidence', () => {
    const failed = { ...anAnswer('likely', []), output: null };
    expect(goldenRow(aQuestion(), failed, []).values).toMatchObject({ failed: 1, answered: 0, abstain: -10 });
  });
});
