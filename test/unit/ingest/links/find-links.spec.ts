import fc from 'fast-check';
import { findLinks } from '../../../../src/ingest/links/find-links.js';
import { aSection } from '../../../support/builders.js';

const hrefsOf = (...texts: readonly string[]) =>
  findLinks(texts.map((text, ordinal) => aSection({ ordinal, text }))).map(({ href }) => href);

const isSeeAlso = (text: string, headingPath: readonly string[] = ['Guide', 'Use']) =>
  findLinks([aSection({ headingPath, text })]).map((link) => link.isSeeAlso);

describe('findLinks', () => {
  it.each([
    ['[a](b.md)', 'b.md'],
    ['[a](b.md#c)', 'b.md#c'],
    ['[a]( b.md )', 'b.md'],
    ['[a](b.md "Title")', 'b.md'],
    ["[a](b.md 'Title (x)')", 'b.md'],
    ['[a](b.md\n(Title))', 'b.md'],
    ['[a](<b c.md>)', 'b c.md'],
    ['[a](b_(c).md)', 'b_(c).md'],
    ['[a](b\\_c\\).md)', 'b_c).md'],
    ['[a](b?c&amp;d)', 'b?c&d'],
    ['[a [b] c](d)', 'd'],
    ['[a]({{< ref "b c.md" >}})', '{{< ref "b c.md" >}}'],
    ['[a]({{ site.baseurl }}{% link b.md %}#c)', '{{ site.baseurl }}{% link b.md %}#c'],
    ['[a]({% link b.md %}#c)', '{% link b.md %}#c'],
    ['[a]({{ site.url }}/b "Title")', '{{ site.url }}/b'],
    ['[`a]`](b)', 'b'],
    ['[a\nb](c)', 'c'],
    ['*[a](b)*', 'b'],
    ['| [a](b) |', 'b'],
    ['[![a](b.png)](c)', 'c'],
    ['[![a][img]](c)\n\n[img]: b.png', 'c'],
    ['<https://example.org/a>', 'https://example.org/a'],
    ['<mailto:a@example.org>', 'mailto:a@example.org'],
    ['<a href="b">c</a>', 'b'],
    ["<p><a class=x href='b'>c</a></p>", 'b'],
    ['<A HREF=b>c</A>', 'b'],
  ])('finds the link in %j', (text, href) => {
    expect(hrefsOf(text)).toEqual([href]);
  });

  it.each([
    ['![a](b.png)'],
    ['![a][b]\n\n[b]: c.png'],
    ['`[a](b)`'],
    ['```\n[a](b)\n```'],
    ['~~~\n<a href="b">c</a>\n~~~'],
    ['\\[a](b)'],
    ['[a\\](b)'],
    ['[a] (b)'],
    ['[a](b c)'],
    ['[a]()'],
    ['[a](b(c)'],
    ['[a\n\nb](c)'],
    ['[a][b]'],
    ['[a]'],
    ['- [x] done'],
    ['[^1]\n\n[^1]: https://example.org'],
    ['<a name="b"></a>'],
    ['a < b > c'],
    ['[b]: c.md'],
    ['[!INCLUDE [a](../b.md)]'],
    ['[!code-cpp[a#1](b.cpp)]'],
  ])('finds no link in %j', (text) => {
    expect(hrefsOf(text)).toEqual([]);
  });

  it('finds the inner of two nested links', () => {
    expect(hrefsOf('[a [b](c) d](e)')).toEqual(['c']);
  });

  it.each([
    ['[Text][ref]'],
    ['[Text][REF]'],
    ['[Text][ r\u00a0ef ]'.replace('\u00a0', '')],
    ['[Ref][]'],
    ['[ref]'],
    ['[`x`][ref]'],
    ['[ref], then'],
  ])('resolves the reference %j', (text) => {
    expect(hrefsOf(text, '[ref]: b.md "Title"')).toEqual(['b.md']);
  });

  it.each([
    ['[ref]: <b c.md>', 'b c.md'],
    ['  [ref]: b.md', 'b.md'],
    ['> [ref]: b.md', 'b.md'],
    ['[ref]:\n  b.md', 'b.md'],
    ['[x]: y.md\n[ref]: b.md', 'b.md'],
    ['[ref]: b.md\n[ref]: c.md', 'b.md'],
  ])('reads the definition %j in any section', (definition, href) => {
    expect(hrefsOf('[ref]', 'Text.', definition)).toEqual([href]);
    expect(hrefsOf(definition, '[ref]')).toEqual([href]);
  });

  it.each([['```\n[ref]: b.md\n```'], ['[ref]: b.md and more'], ['[ref]: string'], ['Text\n[ref]: b.md']])(
    'reads no definition in %j',
    (text) => {
      expect(hrefsOf(text, '[ref]')).toEqual([]);
    },
  );

  it('returns each target once per section, in reading order', () => {
    const sections = [
      aSection({ ordinal: 3, text: '[a](x) [b](y) [c](x)' }),
      aSection({ ordinal: 4, text: '[a](x)' }),
    ];
    expect(findLinks(sections)).toEqual([
      { section: 3, href: 'x', isSeeAlso: false },
      { section: 3, href: 'y', isSeeAlso: false },
      { section: 4, href: 'x', isSeeAlso: false },
    ]);
  });

  it('leaves out destinations that are too long', () => {
    expect(hrefsOf(`[a](${'b'.repeat(2048)}) [c](${'d'.repeat(2049)})`)).toEqual(['b'.repeat(2048)]);
  });

  it.each([
    ['See also'],
    ['See Also:'],
    ['RELATED LINKS'],
    ['Related'],
    ['Related content'],
    ['Related reading'],
    ['Further reading'],
    ['Next steps'],
    ['🔗 Learn more'],
  ])('treats links below %j as related', (title) => {
    expect(isSeeAlso('[a](b)', ['Guide', title])).toEqual([true]);
    expect(isSeeAlso('[a](b)', ['Guide', title, 'Books'])).toEqual([true]);
  });

  it.each([['Related work of the parser'], ['How to see also'], ['Next'], ['Use']])(
    'treats links below %j as plain links',
    (title) => {
      expect(isSeeAlso('[a](b)', ['Guide', title])).toEqual([false]);
    },
  );

  it.each([
    ['See also: [a](b)', [true]],
    ['See also [a](b).', [true]],
    ['**Related:** [a](b)', [true]],
    ['> **Learn more** about it in [a](b).', [true]],
    ['- one\n- See also [a](b)', [true]],
    ['See also:\n\n- [a](b)\n- [c](d)', [true, true]],
    ['See also the following:\n* [a](b)\n  and [c](d)', [true, true]],
    ['See also\nthe page [a](b)', [true]],
    ['- See also:\n  - [a](b)\n- [c](d)', [true, false]],
    ['See also:\n\n- [a](b)\n\nText [c](d)', [true, false]],
    ['[a](b)\n\nSee also: [c](d)\n\n[e](f)', [false, true, false]],
    ['See [a](b)', [false]],
    ['Related to this is [a](b)', [false]],
    ['You may see also [a](b)', [false]],
  ])('finds the related links of %j', (text, expected) => {
    expect(isSeeAlso(text)).toEqual(expected);
  });

  it('never throws', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '\\',
      '`',
      '"',
      ':',
      ' ',
      '\n',
      'a',
      '<a href=',
      'See also',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(hrefsOf(pieces.join('')).every((href) => href !== '')).toBe(true);
      }),
    );
  });
});
