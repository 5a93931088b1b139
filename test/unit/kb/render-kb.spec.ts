import type { RetrievedEvidence } from '../../../src/kb/evidence.schemas.js';
import type { ExcerptOutput } from '../../../src/kb/excerpt.schemas.js';
import {
  evidenceSummary,
  evidenceText,
  excerptSummary,
  excerptText,
  searchSummary,
  searchText,
} from '../../../src/kb/render-kb.js';
import type { SearchOutput } from '../../../src/kb/search.schemas.js';

const aResult = (
  overrides: Partial<SearchOutput['results'][number]> = {},
): SearchOutput['results'][number] => ({
  passage_id: 'p1',
  section_id: 'guide.md#use',
  doc_tag: 'guides',
  title: 'Guide > Use',
  rank: 1,
  score: 1,
  source: 'bm25',
  preview: 'Use it.',
  scratch_uri: 'wekadocs://scratch/session/p1',
  size_bytes: 7,
  anchor: 'use',
  ...overrides,
});
const aSearch = (overrides: Partial<SearchOutput> = {}): SearchOutput => ({
  results: [
    aResult(),
    aResult({ rank: 2, passage_id: 'p2', section_id: 'b.md', title: 'B', preview: 'Or not.' }),
  ],
  next_cursor: null,
  partial: false,
  limit_reason: 'none',
  session_id: 'session',
  diagnostic_id: 'call-1',
  ...overrides,
});
const cite = (passage_id: string, section_id: string) => {
  return { passage_id, section_id, confidence: 1, start_char: 0 };
};
const anEvidence = (overrides: Partial<RetrievedEvidence> = {}): RetrievedEvidence => ({
  answerable: 'likely',
  quotes: [
    { quote: 'Use it.', ...cite('p1', 'guide.md#use') },
    { quote: 'Or not.', ...cite('p2', 'b.md') },
    { quote: 'Use it twice.', ...cite('p1', 'guide.md#use') },
  ],
  sources: [
    {
      section_id: 'guide.md#use',
      title: 'Guide > Use',
      doc_tag: 'guides',
      url: 'https://example.org/use',
    },
    { section_id: 'b.md', title: 'B', doc_tag: 'b' },
  ],
  partial: false,
  limit_reason: 'none',
  diagnostic_id: 'call-1',
  ...overrides,
});
const anExcerpt = (overrides: Partial<ExcerptOutput> = {}): ExcerptOutput => ({
  passage_id: 'p1',
  excerpt: 'Use it.',
  start_char: 0,
  end_char: 7,
  truncated: false,
  next_start_char: null,
  citation: { section_id: 'guide.md#use', doc_tag: 'guides', title: 'Guide > Use', uri: 'u' },
  ...overrides,
});

describe('searchText', () => {
  it('is a numbered list that needs no other text', () => {
    expect(searchText(aSearch())).toBe(
      '1. Guide > Use (guide.md#use)\n   Use it.\n   passage_id: p1\n2. B (b.md)\n   Or not.\n   passage_id: p2',
    );
  });

  it('contains the ids and cursor for the next call', () => {
    const text = searchText(aSearch({ next_cursor: 'abc', hint: 'Try keywords.', degraded: ['graph'] }));
    expect(text).toContain('abc');
    expect(text).toContain('Try keywords.');
    expect(text).toContain('graph');
  });

  it('is no longer than the structured form', () => {
    expect(searchText(aSearch()).length).toBeLessThan(JSON.stringify(aSearch()).length);
  });
});

describe('searchSummary', () => {
  it('is one line without the results', () => {
    expect(searchSummary(aSearch({ next_cursor: 'abc' }))).toMatch(/^.*2.*guide\.md#use.*$/);
    expect(searchSummary(aSearch())).not.toContain('Use it.');
  });

  it('gives a hint if nothing was found', () => {
    expect(searchSummary(aSearch({ results: [], hint: 'Try keywords.' }))).toBe('Try keywords.');
  });
});

describe('evidenceText', () => {
  it('groups the quotes by section, below a line with its ids, and marks gaps', () => {
    expect(evidenceText(anEvidence())).toBe(
      '## guide.md#use (https://example.org/use) p1\nUse it.\n[…]\nUse it twice.\n\n## b.md p2\nOr not.',
    );
  });

  it('names another section of the page above without its path', () => {
    const quotes = [
      { quote: 'Use it.', ...cite('p1', 'a/b/guide.md#use') },
      { quote: 'Both.', ...cite('p2', 'a/b/guide.md#use/both') },
    ];
    expect(evidenceText(anEvidence({ quotes, sources: [] }))).toBe(
      '## a/b/guide.md#use p1\nUse it.\n\n## …#use/both p2\nBoth.',
    );
  });

  it('shows the page of each section of a PDF', () => {
    const [first, second] = [cite('p1', 'a.pdf#use'), cite('p2', 'a.pdf#stop')];
    const source = (section_id: string, url: string) => ({
      section_id,
      title: 'A',
      doc_tag: 'a',
      uri: 'u',
      url,
    });
    const text = evidenceText(
      anEvidence({
        quotes: [
          { quote: 'Use it.', ...first },
          { quote: 'Stop it.', ...second },
        ],
        sources: [source('a.pdf#use', 'a.pdf#page=3'), source('a.pdf#stop', 'a.pdf#page=12')],
      }),
    );
    expect(text).toBe('## a.pdf#use (a.pdf#page=3) p1\nUse it.\n\n## …#stop (#page=12) p2\nStop it.');
  });

  it('names the first section of the page above by the name of its file', () => {
    const quotes = [
      { quote: 'Use it.', ...cite('p1', 'a/b/guide.md#use') },
      { quote: 'A guide.', ...cite('p2', 'a/b/guide.md') },
    ];
    expect(evidenceText(anEvidence({ quotes, sources: [] }))).toBe(
      '## a/b/guide.md#use p1\nUse it.\n\n## …/guide.md p2\nA guide.',
    );
  });

  it('leaves out lines of bare tags', () => {
    const quotes = [{ quote: 'Use it.\n\n</AppOnly>\n\nOr not.', ...cite('p1', 'guide.md') }];
    expect(evidenceText(anEvidence({ quotes, sources: [] }))).toBe('## guide.md p1\nUse it.\n\nOr not.');
  });

  it('groups sections of a page', () => {
    const quotes = [
      { quote: 'Use it.', ...cite('p1', 'guide.md#use') },
      { quote: 'Or not.', ...cite('p2', 'b.md') },
      { quote: 'Both.', ...cite('p3', 'guide.md#use/both') },
    ];
    const sources = quotes.map(({ section_id }) => ({ section_id, title: 'A', doc_tag: 'a' }));
    expect(evidenceText(anEvidence({ quotes, sources }))).toBe(
      '## guide.md#use p1\nUse it.\n\n## …#use/both p3\nBoth.\n\n## b.md p2\nOr not.',
    );
  });

  it('shows the quotes of a section in the order of its text', () => {
    const quotes = [
      { quote: 'Second.', ...cite('p1', 'guide.md'), start_char: 9 },
      { quote: 'First.', ...cite('p1', 'guide.md') },
    ];
    expect(evidenceText(anEvidence({ quotes }))).toBe('## guide.md p1\nFirst.\n[…]\nSecond.');
  });

  it.each([
    ['opens', 'Do this:\n\n```sh\nnpm ci', 'Do this:\n\n```sh\nnpm ci\n[…]\n```'],
    ['closes', '}\n~~~\n\nThen that.', '}\n~~~\n\nThen that.\n~~~'],
    ['holds in a list', '- ```sh\n  run\n  ```', '- ```sh\n  run\n  ```'],
    ['opens in a list', '- ```sh\n  run', '- ```sh\n  run\n  […]\n  ```'],
    ['opens in a quotation', '> ```sh\n> run', '> ```sh\n> run\n> […]\n> ```'],
    ['holds in other marks', '````md\n```\n````', '````md\n```\n````'],
    ['closes before a whole one', 'run\n```\n\nThen:\n\n```sh\ngo\n```', '```sh\ngo\n```'],
    ['has only as inline code', '```npm ci```\nDo it.', '```npm ci```\nDo it.'],
    ['holds whole', '```\nnpm ci\n```', '```\nnpm ci\n```'],
  ])('leaves no code block open after a quote that %s one', (_, quote, shown) => {
    const quotes = [{ quote, ...cite('p1', 'guide.md#use') }];
    expect(evidenceText(anEvidence({ quotes, hint: 'Ask.' }))).toContain(`${shown}\n\nAsk.`);
  });

  it('reports that there are no quotes, with a hint', () => {
    const text = evidenceText(
      anEvidence({ quotes: [], sources: [], answerable: 'unlikely', hint: 'Say so.' }),
    );
    expect(text).toMatch(/^.+\nSay so\.$/);
  });

  it('is no longer than the structured form', () => {
    expect(evidenceText(anEvidence()).length).toBeLessThan(JSON.stringify(anEvidence()).length);
  });

  it.each(['unsure', 'unlikely'] as const)('reports in the text that an answer is %s', (answerable) => {
    expect(evidenceText(anEvidence({ answerable, hint: 'Ask again.' }))).toContain('Ask again.');
  });
});

describe('evidenceSummary', () => {
  it('counts, and gives the verdict with the hint', () => {
    const summary = evidenceSummary(anEvidence({ answerable: 'unsure', hint: 'Ask again.' }));
    expect(summary).toMatch(/3.*2.*unsure/);
    expect(summary).toContain('Ask again.');
  });

  it('has no verdict if there is none', () => {
    const { quotes, sources } = anEvidence();
    const extracted = { quotes, sources, partial: false, limit_reason: 'none' as const };
    expect(evidenceSummary(extracted)).not.toMatch(/likely|unsure|undefined/);
  });
});

describe('excerptText', () => {
  it('contains the excerpt and its source', () => {
    expect(excerptText(anExcerpt())).toBe('Use it.\n\nGuide > Use (guide.md#use)');
  });

  it('reports where to continue', () => {
    expect(excerptText(anExcerpt({ truncated: true, next_start_char: 7 }))).toMatch(/\n.*7\.$/);
  });

  it('is only the excerpt without a citation', () => {
    expect(excerptText(anExcerpt({ citation: undefined }))).toBe('Use it.');
  });
});

describe('excerptSummary', () => {
  it('contains the range, not the text', () => {
    expect(excerptSummary(anExcerpt({ start_char: 3 }))).toMatch(/3.*7/);
    expect(excerptSummary(anExcerpt())).not.toContain('Use it.');
  });
});
