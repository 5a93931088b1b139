import { expandIncludes } from '../../../../src/ingest/includes/expand-includes.js';
import { Inclusion } from '../../../../src/ingest/includes/inclusion.js';

const FILES: Readonly<Record<string, string>> = {
  'src/a.py': 'import x\n# --8<-- [start:run]\nx.run()\n# --8<-- [end:run]\nx.stop()\n',
  'docs/note.md': 'Take care.\n',
  'docs/outer.md': 'Outer.\n--8<-- "note.md"\n',
  'src/b.rs': 'use x;\n// ANCHOR: run\nx::run();\n// ANCHOR_END: run\nx::stop();\n',
  'src/d.rs': 'x();\n// ANCHOR: all\ny();\n',
  'src/c.ts': 'import x;\n// #region run\nx.run();\n// #endregion\nx.stop();\n',
  'src/fence.md': '```\na\n```\n',
  'docs/mdbook-note.md': 'Set [x](#region) first.\n<!-- ANCHOR: part -->\nPart.\n<!-- ANCHOR_END: part -->\n',
  'docs/region-note.md':
    'The mark is ANCHOR: x\n<!-- #region part -->\nSee [x](#region) now.\n<!-- #endregion part -->\n',
  'docs/snippet-note.md':
    'The mark is ANCHOR: x\n<!-- --8<-- [start:part] -->\n// #region\n<!-- --8<-- [end:part] -->\n',
  'src/c.py': '# #region run\nrun()  # see #region run\n#endregion\n',
  'src/large.py': 'a'.repeat(100_001),
};
const inclusion = () => new Inclusion({ has: (path) => path in FILES, read: (path) => FILES[path] ?? null });
const expand = (text: string): string =>
  expandIncludes(text, { page: 'docs/guide/page.md', above: [], inclusion: inclusion() });

describe('expandIncludes', () => {
  it.each([
    ['PyMdown', '--8<-- "note.md"'],
    ['PyMdown in lines', '--8<--\nnote.md\n--8<--'],
    ['mdBook', '{{#include ../note.md}}'],
    ['VitePress', '<!--@include: ../note.md-->'],
    ['MyST', '```{include} ../note.md\n```'],
  ])('leaves an include of %s behind more than a hundred spaces', (_, written) => {
    expect(expand(`${' '.repeat(100)}${written}`).trim()).toBe('Take care.');
    const text = `${' '.repeat(101)}${written}`;
    expect(expand(text)).toBe(text);
  });

  it.each([
    ['in brackets', 'base_path: ["./includes", docs/extra]'],
    ['in lines', 'base_path:\n        - docs/extra\n        - includes\n'],
    ['alone', 'base_path: includes'],
  ])('finds a snippet in the folder that mkdocs.yml names %s', (_, setting) => {
    const files: Record<string, string> = {
      'site/mkdocs.yml': `markdown_extensions:\n  - pymdownx.snippets:\n      ${setting}`,
      'site/includes/tides.md': 'Low tide.\n',
    };
    const own = new Inclusion({ has: (path) => path in files, read: (path) => files[path] ?? null });
    const place = { page: 'site/docs/a/b.md', above: [], inclusion: own };
    expect(expandIncludes('--8<-- "tides.md"', place)).toBe('Low tide.');
  });

  it('reads the settings of a site once for all snippets that it does not find', () => {
    const read = jest.fn(() => 'base_path: includes');
    const own = { has: (path: string) => path === 'mkdocs.yml', read };
    for (const page of ['a.md', 'b.md'])
      expandIncludes('--8<-- "none.md"\n'.repeat(9), { page, above: [], inclusion: new Inclusion(own) });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('names the line of a file that it does not find', () => {
    const own = inclusion();
    expandIncludes('A\n\n--8<--\nnote.md\n\nnone.md\n--8<--\n', {
      page: 'docs/page.md',
      above: [],
      inclusion: own,
    });
    expect(own.missed).toMatchObject([{ what: 'none.md', line: 6 }]);
  });

  it.each([
    ['a file', '{* ../../src/a.py *}', '```py\nimport x\nx.run()\nx.stop()\n```'],
    ['lines of a file', '{* ../../src/a.py ln[1,5:5] hl[1] *}', '```py\nimport x\nx.stop()\n```'],
    ['a file from a folder above', '{* ../src/a.py ln[1] *}', '```py\nimport x\n```'],
    ['a file with fences', '{* ../../src/fence.md *}', '````md\n```\na\n```\n````'],
    ['a snippet', '--8<-- "note.md"', 'Take care.'],
    ['a snippet with indentation', '!!! note\n    --8<-- "note.md"', '!!! note\n    Take care.'],
    ['a section in code', '```py\n--8<-- "src/a.py:run"\n```', '```py\nx.run()\n```'],
    ['a file of mdBook', '{{#include ../../src/b.rs}}', 'use x;\nx::run();\nx::stop();'],
    ['a line of mdBook', '{{#include ../../src/b.rs:5}}', 'x::stop();'],
    ['the first lines of mdBook', '{{#include ../../src/b.rs::1}}', 'use x;'],
    [
      'an anchor of mdBook',
      '```rust\n{{#rustdoc_include ../../src/b.rs:run}}\n```',
      '```rust\nx::run();\n```',
    ],
    ['an anchor that does not end', '{{#include ../../src/d.rs:all}}', 'y();'],
    [
      'a playground of mdBook',
      '{{#playground ../../src/b.rs editable}}',
      '```rs\nuse x;\nx::run();\nx::stop();\n```',
    ],
    [
      'a file of VitePress',
      '<<< @/src/c.ts{2 ts:line-numbers}',
      '```ts\nimport x;\nx.run();\nx.stop();\n```',
    ],
    [
      'a region of VitePress in a group',
      '<<< @/src/c.ts#run{1 ts:line-numbers} [server]',
      '```ts\nx.run();\n```',
    ],
    ['a region of VitePress', '<<< ../../src/c.ts#run{1}', '```ts\nx.run();\n```'],
    ['a page of VitePress', '<!--@include: ../note.md-->', 'Take care.'],
    ['lines of a page of VitePress', '<!-- @include: @/src/c.ts{5,} -->', 'x.stop();'],
    ['a region of a page of VitePress', '<!--@include: @/src/c.ts#run-->', 'x.run();'],
    ['lines in code', '```py\n--8<-- "src/a.py:5:"\n```', '```py\nx.stop()\n```'],
    [
      'a note of MkDocs with marks of others',
      '--8<-- "snippet-note.md"',
      'The mark is ANCHOR: x\n// #region',
    ],
    ['a section with marks of others', '--8<-- "snippet-note.md:part"', '// #region'],
    [
      'a note of mdBook with marks of others',
      '{{#include ../mdbook-note.md}}',
      'Set [x](#region) first.\nPart.',
    ],
    [
      'a note of VitePress with marks of others',
      '<!--@include: ../region-note.md-->',
      'The mark is ANCHOR: x\nSee [x](#region) now.',
    ],
    ['a region with a link to its mark', '<!--@include: ../region-note.md#part-->', 'See [x](#region) now.'],
    ['a file that includes another', '--8<-- "outer.md"', 'Outer.\nTake care.'],
    ['several files of PyMdown', '--8<--\nnote.md\nsrc/b.rs:5\n--8<--', 'Take care.\nx::stop();'],
    ['a file of MyST', '```{include} ../note.md\n```', 'Take care.'],
    [
      'a part of a file of MyST',
      ':::{include} /docs/mdbook-note.md\n:start-after: "first."\n:end-before: <!-- ANCHOR_END\n:::',
      '\n<!-- ANCHOR: part -->\nPart.\n',
    ],
    [
      'code of MyST',
      '```{literalinclude} ../../src/c.ts\n:language: ts\n:lines: 3\n```',
      '```ts\nx.run();\n```',
    ],
    ['code with a mark inside a line', '<<< @/src/c.py#run', '```py\nrun()  # see #region run\n```'],
  ])('inserts %s', (_, text, expected) => {
    expect(expand(`Before.\n${text}\nAfter.`)).toBe(`Before.\n${expected}\nAfter.`);
  });

  it.each([
    ['an unknown file', '{* none.py *}'],
    ['a file above the folder', '{* ../../../../src/a.py *}'],
    ['an absolute path', '--8<-- "/src/a.py"'],
    ['an unknown section', '--8<-- "src/a.py:none"'],
    ['a large file', '{* ../../src/large.py *}'],
    ['an example of MyST in code', '````md\n```{include} ../note.md\n```\n````'],
    ['an example in code', '```\n{* ../../src/a.py *}\n```'],
    ['an escaped snippet', ';--8<-- "note.md"'],
    ['an escaped include of mdBook', '\\{{#include ../../src/b.rs}}'],
    ['an unknown anchor of mdBook', '{{#include ../../src/b.rs:none}}'],
    ['an example of VitePress in code', '```\n<<< @/src/c.ts\n```'],
  ])('leaves %s as written', (_, text) => {
    expect(expand(text)).toBe(text);
  });
});
