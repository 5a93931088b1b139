import { documentPage } from '../../../../src/admin/people/document-page.js';

const READER = { name: null, maySignIn: false, isOperator: false };

/** A section of guide.md. */
const chunk = (heading: string | null, text: string, { id = '', page = '' } = {}) => ({
  chunk_id: `guide.md${id === '' ? '' : `#${id}`}`,
  position: 1,
  total: 1,
  relation: 'target' as const,
  offset: 0,
  heading,
  text,
  filepath: 'guide.md',
  metadata: Object.fromEntries(page === '' ? [] : [['page', page]]),
});
type Chunk = ReturnType<typeof chunk> & { readonly anchor?: string };

/** The article of the page. */
function article(chunks: readonly Chunk[], quote = ''): string {
  const page = documentPage({ path: 'guide.md', chunks, quote, next: null, reader: READER });
  const [, body = ''] = /<article class="text" dir="auto">([\s\S]*)<\/article>/.exec(page) ?? [];
  return body.replace(/\s+/g, ' ').trim();
}

describe('documentPage', () => {
  it('gives a heading the part of its id that names it, and the anchor by which others link to it', () => {
    expect(article([chunk('# Guide', 'One.'), chunk('## Set up', 'Two.', { id: 'guide/set-up' })])).toBe(
      '<h1 id="guide">Guide</h1><p>One.</p><h2 id="guide/set-up"><span id="set-up"></span>Set up</h2><p>Two.</p>',
    );
  });

  it('gives a heading the anchor of its own, instead of that of its title', () => {
    const sections = [
      chunk('# Guide', '#### Inner `x` {#own}\n\n#### Plain {.wide}'),
      { ...chunk('## Use', 'x', { id: 'use' }), anchor: 'install' },
      chunk('## Own', 'x', { id: 'own-title' }),
    ];
    const page = article(sections);
    expect(page).toContain('<h2 id="own">Inner <code>x</code></h2><h3 id="plain">Plain</h3>');
    expect(page).toContain('<h2 id="use"><span id="install"></span>Use</h2>');
  });

  it('gives no heading an id of the page itself', () => {
    const ids = ['main', 'nav:contents'];
    const page = article(ids.map((id) => ({ ...chunk(`## ${id}`, 'x'), anchor: id })));
    expect(page).not.toMatch(/ id="(?:main|nav:contents)"/);
  });

  it('has one first heading and leaves out no level, whatever the document has', () => {
    const levels = article([
      chunk('### A', '#### B\n\n# C'),
      chunk('# D', '', { id: 'd' }),
      chunk('###### E', '', { id: 'e' }),
    ]).match(/<h\d/g);
    expect(levels).toEqual(['<h1', '<h2', '<h3', '<h2', '<h2', '<h3']);
  });

  it('leads to the pages of a document that has some', () => {
    const pages = [
      chunk(null, 'x', { id: '_part-1', page: '1' }),
      chunk(null, 'y', { id: '_part-2', page: '2' }),
    ];
    expect(article(pages)).toContain('<span id="_part-2"></span><span id="page=2"></span><p>y</p>');
  });

  it('uses no id twice, and none of the page', () => {
    expect(article([chunk('# Main', '## Main\n\n## Main')]).match(/ id="[^"]*"/g)).toBeNull();
  });

  it('marks the quote', () => {
    expect(article([chunk('# Guide', 'One. **Two** three.')], '**Two** three.')).toContain(
      '<p>One. <strong><mark>Two</mark></strong><mark> three.</mark></p>',
    );
  });
});
