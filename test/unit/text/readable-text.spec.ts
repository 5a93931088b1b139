import { readableText, withoutPadding } from '../../../src/text/quotable/readable-text.js';

describe('readableText', () => {
  it.each<[string, string, string]>([
    ['components', 'Use it.\n\n<AppOnly>\n\nHere.\n\n</AppOnly>', 'Use it.\n\nHere.'],
    ['layout tags with attributes', 'Run:\n\n<div class="termy">\n\nGo.\n</div>', 'Run:\n\nGo.'],
    ['several tags on a line', 'One.\n</td></tr>\nTwo.', 'One.\nTwo.'],
    ['ends of blocks', 'One.\n\n///\n\nTwo.\n:::', 'One.\n\nTwo.'],
    ['tags in a quotation', '> One.\n> </Note>\n> Two.', '> One.\n> Two.'],
    ['images', 'One.\n\n![The page](a.png)\n\nTwo.', 'One.\n\nTwo.'],
    ['includes', 'One.\n\n{* ../a.py hl[8] *}\n\nTwo.', 'One.\n\nTwo.'],
    ['template tags and comments', 'One.\n{% include a.md %}\n<!-- two -->\nTwo.', 'One.\nTwo.'],
    ['link definitions', 'One [a].\n\n[a]: https://example.org/a', 'One [a].'],
    [
      'padding of tables',
      '| A    | B   |\n| ---- |:-----|\n|  1   | 2   |',
      '| A | B |\n| --- |:---|\n| 1 | 2 |',
    ],
  ])('leaves out %s', (_, text, shown) => {
    expect(readableText(text)).toBe(shown);
  });

  it.each([
    ['code', '```html\n<div>\n\n\n</div>\n```'],
    ['code that looks like a table', '```\n| a    |\n```'],
    ['spaces within a cell', '| `a  b` | c |'],
    ['code without its start', '<div>\n```\n\nDone.'],
    ['tags within a sentence', 'Press <kbd>A</kbd>.'],
    ['a generic type', 'A `List<T>`\nis one.'],
    ['the kind and title of a block', '/// warning | Mind the gap\n:::tip'],
  ])('keeps %s', (_, text) => {
    expect(readableText(text)).toBe(text);
  });
});

describe('withoutPadding', () => {
  it('keeps the alignment marks of a separator', () => {
    expect(withoutPadding('| :----- | -----: | :---: |')).toBe('| :--- | ---: | :---: |');
  });

  it('does not shorten dashes in other rows', () => {
    expect(withoutPadding('| a ------ b |   c |')).toBe('| a ------ b | c |');
  });
});
