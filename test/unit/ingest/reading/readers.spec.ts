import { isDocument } from '../../../../src/ingest/conversion/formats.js';
import { readerFor } from '../../../../src/ingest/reading/readers.js';

describe('readerFor', () => {
  it.each([
    ...[
      'a.md',
      'a.Markdown',
      'a.mkd',
      'a.mdown',
      'a.qmd',
      'a.Rmd',
      'a.mdc',
      'a.livemd',
      'a.cheatmd',
      'b/a.mdx',
    ],
    ...['a.HTML', 'a.htm', 'a.xhtml', 'a.rst', 'a.rest', 'a.adoc', 'a.asc', 'a.b.TXT', 'a.text', 'b/README'],
  ])('reads %s', async (path) => {
    const read = await readerFor(path);
    expect(isDocument(path)).toBe(true);
    expect((await read?.('text'))?.blocks).toMatchObject([{ kind: 'text', text: 'text' }]);
  });

  it.each([
    'a.doc',
    'docs/requirements-dev.txt',
    'robots.txt',
    'CMakeLists.txt',
    'README/a',
    'md',
    '.md',
    'a/.md',
    'a.md/b',
    'a.constructor',
    '',
  ])('finds no reader for %j', (path) => {
    expect(isDocument(path)).toBe(false);
    expect(readerFor(path)).toBeUndefined();
  });
});

describe('readText', () => {
  it('reads the markup of a text file', async () => {
    const read = await readerFor('a.txt');
    expect((await read?.('Models\n======\n\n.. note:: Stop.\n'))?.blocks).toMatchObject([
      { kind: 'heading', title: 'Models' },
      { kind: 'text', text: '**Note:** Stop.' },
    ]);
  });

  it('returns only paragraphs', async () => {
    const read = await readerFor('a.txt');
    expect((await read?.('# a\n  b\n \n\n---\n'))?.blocks).toEqual([
      { kind: 'text', text: '# a\n  b', line: 1 },
      { kind: 'text', text: '---', line: 5 },
    ]);
  });
});
