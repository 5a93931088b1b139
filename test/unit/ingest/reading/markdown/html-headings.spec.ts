import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';

const shown = (text: string) =>
  readMarkdown(text).blocks.map((block) =>
    block.kind === 'heading'
      ? `${block.line} h${block.level} ${block.title} ${block.anchor ?? '-'}`
      : `${block.line} ${block.text}`,
  );

describe('headings in HTML', () => {
  it.each([
    ['with attributes', '<h1 align="center">Sails</h1>\n\nText.', ['1 h1 Sails -', '3 Text.']],
    ['with an id', '<h2 id="set">Set &amp; trim</h2>', ['1 h2 Set & trim set']],
    ['with a named link', '<h2><a name="set"></a>Set</h2>', ['1 h2 Set set']],
    ['with a picture only', '<h1><img src="x.svg" alt="Harbour"></h1>', ['1 h1 Harbour -']],
    [
      'in a frame, over several lines',
      '<div align="center">\n<h1>\n  <br>\n  Sails\n</h1>\n<p>Of ships.</p>\n</div>',
      ['2 h1 Sails -', '6 <p>Of ships.</p>\n</div>'],
    ],
  ])('are headings %s', (_what, text, blocks) => {
    expect(shown(text)).toEqual(blocks);
  });

  it.each([
    ['a table', '<table><tr><td><h3>Cell</h3></td></tr></table>'],
    ['a table with blank lines', '<table>\n<tr>\n\n<h3>Cell</h3>\n\n</tr>\n</table>'],
    ['a list', '<ul><li><h3>Item</h3></li></ul>'],
    ['a quotation', '> <h3>Quoted</h3>'],
    ['code', 'Write `<h3>Code</h3>` for it.'],
    ['a badge', '<h1><img src="https://img.shields.io/x.svg" alt="npm"></h1>'],
  ])('are text in %s', (_what, text) => {
    expect(shown(text).filter((block) => / h\d /.test(block))).toEqual([]);
  });
});

describe('attributes below a heading', () => {
  it.each([
    ['an id', '## Set\n{: #trim }\n\nText.', ['1 h2 Set trim', '4 Text.']],
    ['a class', '## Set\n{: .no_toc }\nText.', ['1 h2 Set -', '3 Text.']],
    ['an id below an underlined heading', 'Set\n---\n{: #trim }\n', ['1 h2 Set trim']],
  ])('are no text: %s', (_what, text, blocks) => {
    expect(shown(text)).toEqual(blocks);
  });
});
