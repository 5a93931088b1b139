import { convert } from '@asciidoctor/core';
import { asciidocToHtml, readAsciidoc } from '../../../../../src/ingest/reading/asciidoc/read-asciidoc.js';
import { MalformedDocumentError } from '../../../../../src/ingest/reading/parsed-document.js';
import { testFolder } from '../../../../support/test-folder.js';
import { writeFiles } from '../../../../support/write-files.js';

const blocksOf = async (text: string) =>
  (await readAsciidoc(text)).blocks.map((block) =>
    block.kind === 'heading' ? `${'#'.repeat(block.level)} ${block.title}` : block.text,
  );

describe('readAsciidoc', () => {
  it('keeps the title, and headings with their levels and ids', async () => {
    const { blocks } = await readAsciidoc(
      '= Guide\nA. Writer\n:x: y\n\n[#go]\n== Start {x}\n\n=== Next step\n\na',
    );
    expect(blocks).toMatchObject([
      { level: 1, title: 'Guide' },
      { level: 2, title: 'Start y', anchor: 'go' },
      { level: 3, title: 'Next step', anchor: '_next_step' },
      { kind: 'text', text: 'a' },
    ]);
  });

  it('makes the ids that sites have for titles with marks and dashes', async () => {
    const source =
      '== Intel(R) boats(TM)\n\nx\n\n== Moor -- leave\n\nx\n\n== a--b... c->d\n\nx\n\n== The (C) flag\n\nx';
    const ids = (await readAsciidoc(source)).blocks.flatMap((block) =>
      block.kind === 'heading' ? [block.anchor] : [],
    );
    expect(ids).toEqual(['_intel_boats', '_moorleave', '_ab_cd', '_the_flag']);
  });

  it('keeps HTML that is passed through, whatever its elements', async () => {
    const text = 'a\n\n++++\n<aside><p>one</p></aside></main><footer>two</footer>\n++++\n\nb';
    expect(await blocksOf(text)).toEqual(['a', 'one', 'two', 'b']);
  });

  it('keeps marks that change the meaning, and tables with spans', async () => {
    expect(await blocksOf('10^6^ H~2~O kbd:[Ctrl+C] [.line-through]#5#')).toEqual([
      '10<sup>6</sup> H<sub>2</sub>O <kbd>Ctrl</kbd>+<kbd>C</kbd> ~~5~~',
    ]);
    const [table = ''] = await blocksOf('|===\n.2+|N |1\n|2\n2+|Sum\n|===');
    expect(table.split('\n').slice(2)).toEqual(['| N | 1 |', '| N | 2 |', '| Sum |  |']);
  });

  it('reads front matter', async () => {
    expect(await readAsciidoc('---\ntitle: T\n---\n== A\n\nb')).toMatchObject({
      frontMatter: { title: 'T' },
      blocks: [{ title: 'A' }, { text: 'b' }],
    });
  });

  it.each([
    ['[source,ruby]\n----\nputs 1  # <1>\n\n  x\n----', '```ruby\nputs 1  # (1)\n\n  x\n```'],
    ['....\na *b*\n....', '```\na *b*\n```'],
    ['NOTE: Wait.', '**Note:** Wait.'],
    ['*b* _i_ `m` +{x}+', '**b** _i_ `m` {x}'],
    ['it\'s -> "a" -- b...', 'it\'s -> "a" -- b...'],
    ['a \\-- b &copy; &lt;', 'a -- b © <'],
    ['{unknown}', '{unknown}'],
    ['afootnote:[Since 2.]', 'a (Since 2.)'],
    ['a::\nb::\n  c', '**a, b**\nc'],
    ['[horizontal]\na:: b', '**a**\nb'],
    ['|===\n|A |B\n\n|1\n|2\n|===', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    ['// gone\na', 'a'],
    ['ifdef::x[]\ngone\nendif::[]\na', 'a'],
    ['.Film\nvideo::x.mp4[]\n\na', 'Film', 'a'],
    ['video::x.mp4[]\n\naudio::x.mp3[]\n\na', 'a'],
    ['image::p.png[alt]', '![alt](p.png)'],
  ])('reads %j', async (source, ...texts) => {
    expect(await blocksOf(`== S\n\n${source}`)).toEqual(['## S', ...texts]);
  });

  it('keeps the kind of an admonition with several blocks', async () => {
    const blocks = await blocksOf('[WARNING]\n.Hot\n====\na\n\nb\n====');
    expect(blocks).toEqual(['**Warning:** Hot', 'a', 'b']);
  });

  it('keeps items in one list', async () => {
    expect(await blocksOf('* a\n** b\n* c')).toEqual(['- a\n\n  - b', '- c']);
  });

  it.each([
    ['xref:page.adoc#id[text]', '[text](page.adoc#id)'],
    ['xref:sub/page.adoc[]', '[sub/page.adoc](sub/page.adoc)'],
    ['<<page#id,text>>', '[text](page.adoc#id)'],
    ['link:page.html[text]', '[text](page.html)'],
    ['https://example.org[text]', '[text](https://example.org)'],
    ['linkgit:git-add[1]', '[git-add(1)](git-add.adoc)'],
  ])('links %j', async (source, text) => {
    expect(await blocksOf(source)).toEqual([text]);
  });

  it('links to a section with its title', async () => {
    expect(await blocksOf('See <<s>>.\n\n[[s]]\n== The *end*\n\na')).toEqual([
      'See [The **end**](#s).',
      '## The end',
      'a',
    ]);
  });

  it('reads no file, and links to what a document includes', async () => {
    const text =
      'include::/etc/passwd[]\n\na\n\n----\ninclude::secret.txt[]\nx\n----\n\ninclude::{dir}/b.adoc[]';
    const { blocks, tagLinks } = await readAsciidoc(text);
    expect(blocks.map((block) => 'text' in block && block.text)).toEqual(['a', '```\nx\n```']);
    expect(tagLinks).toEqual([
      { href: '/etc/passwd', line: 1 },
      { href: 'secret.txt', line: 1 },
    ]);
  });

  describe('with a file outside', () => {
    const folder = testFolder();
    const file = folder.file('secret.svg');
    beforeAll(() => writeFiles(folder.file('.'), { 'secret.svg': '<svg>hidden words</svg>' }));
    afterAll(() => folder.remove());

    it.each([
      ['an include', `include::${file}[]`],
      ['an inline picture', `image::${file}[opts=inline]`],
    ])('does not read it through %s, which Asciidoctor does in another mode', async (_name, text) => {
      expect(await convert(text, { safe: 'unsafe' })).toContain('hidden words');
      expect(await asciidocToHtml(text)).not.toContain('hidden words');
    });
  });

  it('does not depend on the time', async () => {
    expect(await blocksOf('{localdate} {docdate}')).toEqual(['{localdate} {docdate}']);
  });

  it.each([
    ['an unclosed block', '----\na\n\n== b'],
    ['an unclosed table', '|===\n|a'],
    ['equals signs', '='.repeat(1_000_000)],
    ['stars', '*'.repeat(1_000_000)],
    ['pipes', '|'.repeat(1_000_000)],
    ['spaces', `a${' '.repeat(1_000_000)}b`],
    ['unclosed marks', '+a '.repeat(300_000)],
    ['unclosed references', 'xref:a['.repeat(1400)],
    ['long attributes', `:x: ${'link:a['.repeat(571)}\n\n${'{x}'.repeat(200)}\n`],
    ['many long attributes', `:x: ${'link:a['.repeat(571)}\n\n${'{x}\n\n'.repeat(2_000)}`],
    ['escaped references', `${'xref:a['.repeat(1400)}\\]`],
  ])('reads %s', async (_name, text) => {
    // Patterns that take quadratic time would take minutes.
    expect((await blocksOf(text)).join('').length).toBeLessThan(text.length + 1_000_000);
  });

  it.each([
    ['quotation marks', `----\n${'>'.repeat(60)} x\n----`],
    ['equal headings', `\`\`\`md\n${'## x\n'.repeat(2_001)}\`\`\``],
  ])('reads a listing with many %s', async (_name, text) => {
    expect(await blocksOf(text)).toHaveLength(1);
  });

  it('prints nothing about an unterminated block', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    expect(await blocksOf('* a\n+\n--\nb')).toEqual(['- a\n\n  b']);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it.each([
    ['quotations', '> '.repeat(100_000)],
    ['equal headings', '== a\n\n'.repeat(2_001)],
  ])('refuses too many %s', async (_name, text) => {
    await expect(readAsciidoc(text)).rejects.toThrow(MalformedDocumentError);
  });
});
