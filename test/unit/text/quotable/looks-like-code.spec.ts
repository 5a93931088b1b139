import { looksLikeCode } from '../../../../src/text/quotable/readable-text.js';

describe('looksLikeCode', () => {
  it.each([
    ['a text that begins with white space', '  one two three four five six.'],
    ['calls and brackets', 'const a = run();\n// Now we wait until it is done.\nawait a;'],
    ['tags', '<Card title="A">\n  <b>one</b>\n</Card>'],
    ['assignments', 'name: ship\nport = 80'],
  ])('is true for %s', (_, text) => {
    expect(looksLikeCode(text)).toBe(true);
  });

  it.each([
    ['a block with its fence', '```\nrun();\n```'],
    ['a sentence', 'The ship leaves the harbour at noon (or after it);'],
    ['a short sentence between tags', '<div>\nGo.\n</div>'],
    ['a table', '| `a()` | {} |'],
    ['links', '[One](a.md)\n[Two](b.md)'],
    ['an admonition', '!!! note "A"\n    run();'],
    ['shortcodes', '{{< tab "A" >}}\nrun();\n{{< /tab >}}'],
  ])('is false for %s', (_, text) => {
    expect(looksLikeCode(text)).toBe(false);
  });
});
