import { readMarkdown } from '../../../../src/ingest/reading/markdown/read-markdown.js';
import { sectionDocument } from '../../../../src/ingest/sections/section-document.js';

const sections = (text: string, path = 'a.md', title = 'Doc') =>
  sectionDocument(path, readMarkdown(text), title).sections;
const ids = (text: string) => sections(text).map((section) => section.id);

describe('sectionDocument', () => {
  it('makes one section per heading with a body', () => {
    expect(sections('# Top\n\nIntro.\n\n## Set up\n\n### Linux\n\nDo `x`.\n\n- a\n- b\n')).toEqual([
      {
        id: 'a.md#_preamble',
        ordinal: 0,
        title: 'Top',
        headingPath: ['Top'],
        anchor: 'top',
        level: 1,
        text: 'Intro.',
      },
      {
        id: 'a.md#set-up/linux',
        ordinal: 1,
        title: 'Linux',
        headingPath: ['Top', 'Set up', 'Linux'],
        anchor: 'linux',
        level: 3,
        text: 'Do `x`.\n\n- a\n- b',
      },
    ]);
  });

  it('uses the path as the id of a file without headings below the title', () => {
    expect(ids('# Top\n\ntext')).toEqual(['a.md']);
    expect(ids('text')).toEqual(['a.md']);
  });

  it('begins every heading path with the document title if there is no title heading', () => {
    expect(sections('x\n\n## A\n\ny').map((section) => section.headingPath)).toEqual([['Doc'], ['Doc', 'A']]);
  });

  it('does not repeat the title if the first heading has it', () => {
    expect(sections('### Doc\n\nx\n\n#### B\n\ny')).toMatchObject([
      { id: 'a.md#doc', headingPath: ['Doc'] },
      { id: 'a.md#doc/b', headingPath: ['Doc', 'B'] },
    ]);
  });

  it.each([
    ['two H1', '# A\n\nx\n\n# B\n\ny', ['a.md#a', 'a.md#b']],
    ['an H1 that comes later', '## A\n\nx\n\n# B\n\ny', ['a.md#a', 'a.md#b']],
    ['a jump of levels', '# T\n\n#### A\n\nx\n\n## B\n\ny\n\n### C\n\nz', ['a.md#a', 'a.md#b', 'a.md#b/c']],
    ['equal siblings', '## A\n\nx\n\n## A\n\ny\n\n## A 2\n\nz', ['a.md#a', 'a.md#a-2', 'a.md#a-2-2']],
    ['a literal number first', '## A 2\n\nx\n\n## A\n\ny\n\n## A\n\nz', ['a.md#a-2', 'a.md#a', 'a.md#a-3']],
    [
      'equal headings under different parents',
      '## A\n\n### C\n\nx\n\n## B\n\n### C\n\ny',
      ['a.md#a/c', 'a.md#b/c'],
    ],
    ['reserved names', '## _preamble\n\nx\n\n## _part-2\n\ny', ['a.md#_preamble-2', 'a.md#_part-2-2']],
    ['only signs', '## ???\n\nx\n\n## !\n\ny', ['a.md#_', 'a.md#_-2']],
    ['other scripts', '## 漢字 テスト\n\nx\n\n## مرحبا\n\ny', ['a.md#漢字-テスト', 'a.md#مرحبا']],
  ])('makes ids for %s', (_what, text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  it('numbers headings without a body too, so that adding a body does not change other ids', () => {
    expect(ids('## A\n\n## A\n\ny')).toEqual(['a.md#a-2']);
    expect(ids('## A\n\nnew\n\n## A\n\ny')).toEqual(['a.md#a', 'a.md#a-2']);
  });

  it('divides a section at each page, so that every part has the page of its text', () => {
    const blocks = [
      { kind: 'text', text: 'Before.', line: 1, page: 1 },
      { kind: 'heading', level: 2, title: 'Cranes', anchor: 'page=2', line: 2 },
      { kind: 'text', text: 'Cranes need:', line: 3, page: 3 },
      { kind: 'item', text: '- a driver', line: 4, page: 3 },
      { kind: 'item', text: '- power', line: 5, page: 4 },
      { kind: 'fence', text: 'lift 12', line: 6 },
      { kind: 'text', text: 'x'.repeat(5_000), line: 7, page: 5 },
    ] as const;
    const found = sectionDocument('a.pdf', { ...readMarkdown(''), blocks }, 'Doc').sections;
    expect(found.map(({ id, anchor, text }) => [id, anchor, text.slice(0, 30)])).toEqual([
      ['a.pdf#_preamble', 'page=1', 'Before.'],
      ['a.pdf#cranes', 'page=3', 'Cranes need:\n\n- a driver'],
      ['a.pdf#cranes/_part-2', 'page=4', '- power\n\nlift 12'],
      ['a.pdf#cranes/_part-3', 'page=5', 'x'.repeat(30)],
      ['a.pdf#cranes/_part-4', 'page=5', 'x'.repeat(30)],
    ]);
  });

  it('makes anchors over all headings like the page, and keeps explicit ones', () => {
    const text = '# A\n\n## A\n\nx\n\n## B {#own}\n\ny\n\n### A\n\nz';
    expect(sections(text).map((section) => section.anchor)).toEqual(['a-1', 'own', 'a-2']);
  });

  it('encodes the path in ids', () => {
    expect(sections('## A\n\nx', 'my docs/c#.md')[0]?.id).toBe('my%20docs/c%23.md#a');
  });

  it('caps slugs and ids, but not anchors', () => {
    const [section] = sections(`## ${'a'.repeat(150)}\n\nx`);
    expect(section?.id).toBe(`a.md#${'a'.repeat(120)}`);
    expect(section?.anchor).toBe('a'.repeat(150));
    expect(sections('x', `${'b'.repeat(1100)}.md`)[0]?.id).toMatch(/^b{900}~[0-9a-f]{16}$/);
  });

  it('clips a long heading, and begins its section with the full heading', () => {
    const [section] = sections(`## ${'word '.repeat(60)}\n\nx`);
    expect(section?.title).toBe(`${'word '.repeat(39)}word…`);
    expect(section?.text).toBe(`${'word '.repeat(60).trim()}\n\nx`);
  });

  it('numbers the parts of a long section', () => {
    const long = `${'a'.repeat(3000)}\n\n${'b'.repeat(3000)}`;
    expect(sections(long).map(({ id, ordinal }) => [id, ordinal])).toEqual([
      ['a.md', 0],
      ['a.md#_part-2', 1],
    ]);
    expect(sections(`## B\n\n${long}`)).toMatchObject([
      { id: 'a.md#b', anchor: 'b', headingPath: ['Doc', 'B'] },
      { id: 'a.md#b/_part-2', anchor: 'b', headingPath: ['Doc', 'B'] },
    ]);
  });

  it.each(['', '# Top', '---\na: 1\n---\n'])('makes no sections for %j', (text) => {
    expect(sections(text)).toEqual([]);
  });
});
