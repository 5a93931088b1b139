import { markQuotes, type Piece } from '../../../../src/admin/people/pieces.js';
import { renderMarkdown } from '../../../../src/admin/people/render-markdown.js';
import { html } from '../../../../src/admin/views/html.js';

const OPTIONS = { linkTo: () => null, placeHeading: () => ({ level: 4, id: null }) };
const piecesOf = (text: string): readonly Piece[] => renderMarkdown(text, OPTIONS);
const marked = (text: string, ...quotes: readonly string[]) => {
  const { content, found } = markQuotes(
    piecesOf(text),
    quotes.map((quote) => [piecesOf(quote), [quote]]),
  );
  return { content: String(html`${content}`), found };
};

describe('markQuotes', () => {
  it.each([
    ['One. Two words. Three.', 'Two words.', '<p>One. <mark>Two words.</mark> Three.</p>'],
    ['One\ntwo three', 'One\ntwo', '<p><mark>One\ntwo</mark> three</p>'],
    ['A **bold** word', 'A **bold**', '<p><mark>A </mark><strong><mark>bold</mark></strong> word</p>'],
    [
      '```\na<b>(c)\nd\n```',
      'a<b>(c)',
      '<pre tabindex="0"><code><mark>a&lt;b&gt;(c)</mark>\nd\n</code></pre>',
    ],
    ['See [it](x.md) now.', 'See [it](x.md)', '<p><mark>See </mark><mark>it</mark> now.</p>'],
    ['Ünïts of Größe', 'größe', '<p>Ünïts of <mark>Größe</mark></p>'],
    ['keyed hash', 'keye', '<p><mark>keyed</mark> hash</p>'],
  ])('in %j marks %j', (text, quote, content) => {
    expect(marked(text, quote)).toEqual({ content, found: [true] });
  });

  it('marks several quotes once, in any order', () => {
    expect(marked('One two. Three four.', 'Three four.', 'One two.', 'two. Three').content).toBe(
      '<p><mark>One two.</mark><mark> Three</mark><mark> four.</mark></p>',
    );
  });

  it('marks nothing for a quote that is elsewhere, and none without letters', () => {
    expect(marked('One.', 'Two.', '***')).toEqual({ content: '<p>One.</p>', found: [false, false] });
  });

  it('leaves the pieces as they are without a quote', () => {
    const pieces = piecesOf('One **two**.');
    expect(markQuotes(pieces, []).content).toBe(pieces);
  });

  it('escapes what it marks', () => {
    expect(marked('a `<script>` b', '`<script>` b').content).toBe(
      '<p>a <code>&lt;<mark>script&gt;</mark></code><mark> b</mark></p>',
    );
  });
});
