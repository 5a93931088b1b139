import { expandIncludes } from '../../../../src/ingest/includes/expand-includes.js';

const FILES: Readonly<Record<string, string>> = {
  'src/a.py': 'import x\n# --8<-- [start:run]\nx.run()\n# --8<-- [end:run]\nx.stop()\n',
  'docs/note.md': 'Take care.\n',
  'src/fence.md': '```\na\n```\n',
  'src/large.py': 'a'.repeat(100_001),
};
const expand = (text: string): string =>
  expandIncludes(text, 'docs/guide/page.md', (path) => FILES[path] ?? null);

describe('expandIncludes', () => {
  it.each([
    ['a file', '{* ../../src/a.py *}', '```py\nimport x\nx.run()\nx.stop()\n```'],
    ['lines of a file', '{* ../../src/a.py ln[1,5:5] hl[1] *}', '```py\nimport x\nx.stop()\n```'],
    ['a file from a folder above', '{* ../src/a.py ln[1] *}', '```py\nimport x\n```'],
    ['a file with fences', '{* ../../src/fence.md *}', '````md\n```\na\n```\n````'],
    ['a snippet', '--8<-- "note.md"', 'Take care.'],
    ['a snippet with indentation', '!!! note\n    --8<-- "note.md"', '!!! note\n    Take care.'],
    ['a section in code', '```py\n--8<-- "src/a.py:run"\n```', '```py\nx.run()\n```'],
    ['lines in code', '```py\n--8<-- "src/a.py:5:"\n```', '```py\nx.stop()\n```'],
  ])('inserts %s', (_, text, expected) => {
    expect(expand(`Before.\n${text}\nAfter.`)).toBe(`Before.\n${expected}\nAfter.`);
  });

  it.each([
    ['an unknown file', '{* none.py *}'],
    ['a file above the folder', '{* ../../../../src/a.py *}'],
    ['an absolute path', '--8<-- "/src/a.py"'],
    ['an unknown section', '--8<-- "src/a.py:none"'],
    ['a large file', '{* ../../src/large.py *}'],
    ['an example in code', '```\n{* ../../src/a.py *}\n```'],
    ['an escaped snippet', ';--8<-- "note.md"'],
  ])('leaves %s as written', (_, text) => {
    expect(expand(text)).toBe(text);
  });
});
