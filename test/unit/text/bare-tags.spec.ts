import { withoutBareTags } from '../../../src/text/quotable/bare-tags.js';

describe('withoutBareTags', () => {
  it.each<[string, string, string]>([
    ['components', 'Use it.\n\n<AppOnly>\n\nHere.\n\n</AppOnly>', 'Use it.\n\nHere.'],
    ['layout tags with attributes', 'Run:\n\n<div class="termy">\n\nGo.\n</div>', 'Run:\n\nGo.'],
    ['several tags on a line', 'One.\n</td></tr>\nTwo.', 'One.\nTwo.'],
    ['ends of blocks', 'One.\n\n///\n\nTwo.\n:::', 'One.\n\nTwo.'],
    ['tags in a quotation', '> One.\n> </Note>\n> Two.', '> One.\n> Two.'],
  ])('leaves out %s', (_, text, shown) => {
    expect(withoutBareTags(text)).toBe(shown);
  });

  it.each([
    ['code', '```html\n<div>\n\n\n</div>\n```'],
    ['code without its start', '<div>\n```\n\nDone.'],
    ['tags within a sentence', 'Press <kbd>A</kbd>.'],
    ['a generic type', 'A `List<T>`\nis one.'],
    ['the kind and title of a block', '/// warning | Mind the gap\n:::tip'],
  ])('keeps %s', (_, text) => {
    expect(withoutBareTags(text)).toBe(text);
  });
});
