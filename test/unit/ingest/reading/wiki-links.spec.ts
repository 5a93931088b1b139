import { readerFor } from '../../../../src/ingest/reading/readers.js';

const read = async (text: string) => {
  const document = await (await readerFor('a.md'))?.(text);
  const blocks = document?.blocks ?? [];
  return {
    text: blocks.map((block) => (block.kind === 'heading' ? `# ${block.title}` : block.text)).join('\n'),
    links: (document?.tagLinks ?? []).map(({ href, line }) => `${line} ${href}`),
  };
};

describe('wiki links', () => {
  it.each([
    ['a page', 'See [[Heron roost]].', 'See Heron roost.', '[[Heron roost]]'],
    ['a heading', 'See [[Heron roost#Nests]].', 'See Heron roost > Nests.', '[[Heron roost#Nests]]'],
    ['a heading of the page', 'See [[#Nests]].', 'See Nests.', '[[#Nests]]'],
    ['words', 'Many [[Heron roost|herons]].', 'Many herons.', '[[Heron roost|herons]]'],
    ['a heading with words', '[[Heron roost#Nests|here]].', 'here.', '[[Heron roost#Nests|here]]'],
    ['a paragraph', '[[Heron roost#^a1b2]].', 'Heron roost.', '[[Heron roost#^a1b2]]'],
    ['a folder', '[[birds/Heron roost]].', 'birds/Heron roost.', '[[birds/Heron roost]]'],
    ['a file name', '[[heron-roost.md]].', 'heron-roost.', '[[heron-roost.md]]'],
    ['a date', 'On [[2024-05-06]].', 'On 2024-05-06.', '[[2024-05-06]]'],
    ['an embedded page', '![[Heron roost]]', 'Heron roost', '[[Heron roost]]'],
    ['a picture with words', '![[roost.png|A nest]]', 'A nest', '[[roost.png|A nest]]'],
    ['the words first', '[[the big roost|Heron-Roost]].', 'the big roost.', '[[the big roost|Heron-Roost]]'],
    ['an address', '[[the site|https://example.org/a]].', 'the site.', '[[the site|https://example.org/a]]'],
    ['a table', '| a |\n| - |\n| [[Heron roost\\|h]] |', '| a |\n| - |\n| h |', '[[Heron roost\\|h]]'],
    ['a destination', 'See [the roost]([[Heron roost]]).', 'See the roost.', '[[Heron roost]]'],
    ['a tag of Logseq', 'On #[[Wading bird]].', 'On #Wading bird.', '[[Wading bird]]'],
  ])('shows the words of a link to %s', async (_name, written, shown, href) => {
    const { text, links } = await read(written);
    expect(text).toBe(shown);
    expect(links.map((link) => link.replace(/^\d+ /, ''))).toEqual([href]);
  });

  it('reads the links of headings and lists, with their lines', async () => {
    expect(await read('# The [[Heron]]\n\n- a\n- [[Egret]] and [[Ibis|b]][[Stork]]\n')).toEqual({
      text: '# The Heron\n- a\n- Egret and bStork',
      links: ['1 [[Heron]]', '4 [[Egret]]', '4 [[Ibis|b]]', '4 [[Stork]]'],
    });
  });

  it('shows no picture without words', async () => {
    expect((await read('![[roost.png]]\n\n![[roost.png|300x200]]\n\nEnd.')).text).toBe('End.');
  });

  it.each([
    'Use `[[Heron roost]]` here.',
    '```\n[[Heron roost]]\n```',
    'Use\n\n    [[Heron roost]]',
    '<pre>\n[[Heron roost]]\n</pre>',
    'If [[ -f x ]] holds.',
    'If [[ $a == b ]] holds.',
    'The list [[1,2]] or [[1, 2], [3, 4]].',
    'The texts [["a"]].',
    'Note [[1]](https://example.org) and [[2]][b].',
    'Escaped \\[[Heron roost]].',
    '[[[Heron roost]]]',
    '[[_TOC_]]',
    '[[x]',
  ])('leaves other brackets as they are: %j', async (text) => {
    expect(await read(text)).toMatchObject({ text: text.replace('\n\n', '\n'), links: [] });
  });

  it('keeps the brackets of a single word on a page without other wiki links', async () => {
    expect(await read('Add a [[bin]] table.')).toEqual({
      text: 'Add a [[bin]] table.',
      links: ['1 [[bin]]'],
    });
    expect((await read('See [[todo]] and [[Heron roost]].')).text).toBe('See todo and Heron roost.');
  });
});
