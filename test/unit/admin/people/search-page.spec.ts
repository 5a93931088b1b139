import { answerPart, searchPage, type SearchView } from '../../../../src/admin/people/search-page.js';
import type { RetrievedEvidence } from '../../../../src/kb/evidence.schemas.js';
import type { ScopeDescription } from '../../../../src/scope/describe-scope.schemas.js';

const TEXT = 'Ask the pilot. | A | B |\n|---|---|\n| 1 | 2 |';
const ID = 'guides/berth%20one.md#leave/at-night';

const SCOPE: ScopeDescription = {
  project_id: 'harbour',
  environment: 'dev',
  doc_tags: [{ name: 'guides', documents: 1, sections: 1 }],
  repositories: [],
  versions: ['2.0', '1.0'],
  documents: 3,
  sections: 5,
  indexed_at: '2026-01-01T00:00:00Z',
  index_bytes: 0,
  engines: [],
  partial: false,
  limit_reason: 'none',
};

function evidence(quote: string, more: Partial<RetrievedEvidence> = {}): RetrievedEvidence {
  const source = { section_id: ID, title: 'Berth > Leave > At night', doc_tag: 'guides' };
  const place = { passage_id: 'p', confidence: 1, start_char: 0 };
  return {
    answerable: 'likely',
    quotes: [{ quote, section_id: ID, ...place }],
    sources: [source],
    partial: false,
    limit_reason: 'none',
    diagnostic_id: 'd',
    ...more,
  };
}

const view = (found: RetrievedEvidence | null, text = TEXT, isOperator = false): SearchView => ({
  asked: { q: 'when?', tag: '', repository: '', version: '' },
  reader: { name: null, maySignIn: false, isOperator },
  scope: SCOPE,
  answer: found && { evidence: found, texts: new Map(text === '' ? [] : [[ID, text]]) },
  endpoint: 'http://localhost/mcp',
});
const shown = (...args: Parameters<typeof view>): string =>
  String(answerPart(view(...args))).replace(/\s+/g, ' ');

describe('answerPart', () => {
  it('shows the quote under its title, which leads to it in the reader', () => {
    const page = shown(evidence('Ask the pilot.'));
    expect(page).toContain('An answer is likely');
    expect(page).toContain('Berth › Leave');
    expect(page).toContain('href="/read/guides/berth%20one.md?quote=Ask+the+pilot.#leave/at-night"');
    expect(page).toContain('<blockquote class="text" dir="auto"><p>Ask the pilot.</p></blockquote>');
    expect(page).toContain('<mark>Ask the pilot.</mark>');
  });

  it.each([
    ['unsure', 'An answer is uncertain'],
    ['unlikely', 'An answer is unlikely'],
  ] as const)('says %s in plain words', (answerable, words) => {
    expect(shown(evidence('Ask the pilot.', { answerable }))).toContain(words);
  });

  it('says that nothing was found, and about which parts', () => {
    const found = evidence('', {
      answerable: 'unlikely',
      quotes: [],
      sources: [],
      parts_without_evidence: ['<b>'],
    });
    expect(shown(found)).toContain('Nothing was found');
    expect(shown(found)).toContain('Nothing about: <q>&lt;b&gt;</q>');
  });

  it('marks a quote by its offsets, where it is cut through markup', () => {
    const code = 'A `code\nspan` here';
    const quote = '**zz';
    const page = shown(evidence(quote), code);
    expect(page).toContain('<pre tabindex="0"><mark>A &#96;c</mark>ode span&#96; here</pre>');
  });

  it('shows a quote of code as it is written', () => {
    const text = '```sh\n# not a heading <T>\n```';
    const found = evidence('# not a heading <T>');
    const quotes = found.quotes.map((quote) => ({ ...quote, start_char: 6 }));
    expect(shown({ ...found, quotes }, text)).toContain(
      '<pre tabindex="0"><code># not a heading &lt;T&gt;</code></pre>',
    );
  });

  it('shows rows of a table with its headings', () => {
    const found = evidence('| A | B |\n|---|---|');
    const quotes = [...found.quotes, ...evidence('| 1 | 2 |').quotes];
    expect(shown({ ...found, quotes })).toContain('<th>B</th></tr></thead><tbody><tr><td>1</td>');
  });

  it('leads to the public address of a source, and to none that could run code', () => {
    const [source] = evidence('x').sources;
    const withUrl = (url: string) => shown(evidence('x', { sources: source ? [{ ...source, url }] : [] }));
    expect(withUrl('https://docs.example/a#b')).toContain(
      '<a href="https://docs.example/a#b" rel="noopener noreferrer nofollow"',
    );
    expect(withUrl('javascript:alert(1)')).not.toContain('javascript');
    expect(withUrl('http://localhost/read/guides/berth%20one.md#leave')).not.toContain('Source at');
  });

  it('opens nothing where the text can’t be read', () => {
    expect(shown(evidence('Ask the pilot.'), '')).not.toMatch(/<details|\/read\//);
  });

  it('asks operators alone if they want to know why', () => {
    expect(shown(evidence('x'), TEXT, true)).toContain('href="/?q=when%3F&amp;why=1"');
    expect(shown(evidence('x'))).not.toContain('why=1');
  });
});

describe('searchPage', () => {
  it('has filters with more than one choice, and the choice of the address', () => {
    const page = searchPage({
      ...view(null),
      asked: { q: '', tag: 'other', repository: '', version: '1.0' },
    });
    expect(page).toMatch(/<option value="other" selected>/);
    expect(page).toMatch(/<option value="1.0" selected>/);
    expect(page).not.toContain('name="repository"');
    expect(searchPage(view(null))).not.toContain('name="tag"');
  });
});
