import { splitFrontMatter } from '../../../src/ingest/front-matter.js';
import { MalformedDocumentError } from '../../../src/ingest/parsed-document.js';

describe('splitFrontMatter', () => {
  it('takes the map off the top and tells the line that the body starts on', () => {
    const split = splitFrontMatter('---\ntitle: A\ntags: [x, y]\n---\nBody\n');
    expect(split).toMatchObject({
      frontMatter: { title: 'A', tags: ['x', 'y'] },
      body: 'Body\n',
      bodyLine: 5,
    });
  });

  it.each([
    ['dots close it', '---\na: 1\n...\nx', { a: 1 }, 'x', 4],
    ['nothing is in it', '---\n---\nx', {}, 'x', 3],
    ['only a comment is in it', '---\n# none\n---\nx', {}, 'x', 4],
    ['the file ends with it', '---\na: 1\n---', { a: 1 }, '', 4],
    ['a list closes in the first column', '---\na: [\n  x\n]\n---\n', { a: ['x'] }, '', 6],
  ])('reads it where %s', (_what, source, frontMatter, body, bodyLine) => {
    expect(splitFrontMatter(source)).toMatchObject({ frontMatter, body, bodyLine });
  });

  it.each([
    ['no marker closes it', '---\ntitle: A\n'],
    ['prose follows a thematic break', '---\nJust prose.\n---\n'],
    ['it is a list', '---\n- a\n---\n'],
    ['it is not at the top', '\n---\na: 1\n---\n'],
    ['the first line goes on', '--- x\na: 1\n---\n'],
  ])('leaves the text alone where %s', (_what, source) => {
    expect(splitFrontMatter(source)).toEqual({ frontMatter: {}, written: [], body: source, bodyLine: 1 });
  });

  it('keeps dates as written', () => {
    expect(splitFrontMatter('---\ndate: 2024-05-01\n---\n').frontMatter).toEqual({ date: '2024-05-01' });
  });

  it('tells what was written, at the top and below the two keys that hold metadata', () => {
    const yaml =
      'version: 7.10\nmetadata: &m\n  beta: yes\n  big: 0x1F\n  none:\nmcp_metadata: *m\ntags: [a]';
    expect(splitFrontMatter(`---\n${yaml}\n---\n`).written).toEqual([
      { below: 'top', key: 'version', value: '7.10', line: 2 },
      { below: 'top', key: 'tags', value: null, line: 8 },
      { below: 'metadata', key: 'beta', value: 'yes', line: 4 },
      { below: 'metadata', key: 'big', value: '0x1F', line: 5 },
      { below: 'mcp_metadata', key: 'beta', value: 'yes', line: 4 },
      { below: 'mcp_metadata', key: 'big', value: '0x1F', line: 5 },
    ]);
  });

  it.each([
    ['a key that comes twice', '---\na: 1\na: 2\n---\n', 3],
    ['an open quote', '---\na: "x\n---\n', 3],
  ])("names the file's line of %s", (_what, source, line) => {
    expect(() => splitFrontMatter(source)).toThrow(expect.objectContaining({ line }));
  });

  it('refuses aliases that multiply', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${`*${of},`.repeat(9)}]\n`;
    const bomb = `---\na: &a [x,x,x]\n${level('b', 'a')}${level('c', 'b')}${level('d', 'c')}---\n`;
    expect(() => splitFrontMatter(bomb)).toThrow(MalformedDocumentError);
  });

  it('refuses front matter beyond all measure', () => {
    expect(() => splitFrontMatter(`---\na: ${'x'.repeat(500_001)}\n---\n`)).toThrow(MalformedDocumentError);
  });
});
