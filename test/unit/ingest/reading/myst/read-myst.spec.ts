import fc from 'fast-check';
import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';
import { readMyst } from '../../../../../src/ingest/reading/myst/read-myst.js';

const textsOf = (text: string): string[] =>
  readMyst(text).blocks.map((block) => (block.kind === 'heading' ? `# ${block.title}` : block.text));

describe('readMyst', () => {
  it.each<[string, string, string[]]>([
    ['a note', '```{note}\nStop first.\n```', ['**Note:** Stop first.']],
    ['a note that begins on the first line', '```{warning} Stop first.\n```', ['**Warning:** Stop first.']],
    ['a title', ':::{admonition} Mind *this*\nStop.\n:::', ['**Mind *this***\nStop.']],
    ['options', '```{tip}\n:class: big\n:name: a\n\nStop.\n```', ['**Tip:** Stop.']],
    ['options as YAML', '```{tip}\n---\nclass: big\n---\nStop.\n```', ['**Tip:** Stop.']],
    ['code', '```{code-block} python\n:linenos:\n\nrun()\n```', ['```python\nrun()\n```']],
    ['code cells', '```{code-cell} ipython3\nrun()\n```', ['```ipython3\nrun()\n```']],
    ['a change', '```{versionadded} 1.2\n```', ['**New in version 1.2.**']],
    ['the caption of a figure', '```{figure} a.png\n:alt: b\n\nThe gate.\n```', ['The gate.']],
    ['an image', 'One.\n\n```{image} a.png\n:alt: b\n```', ['One.']],
    [
      'directives in directives',
      '::::{tab-set}\n:::{tab-item} Linux\n```{note}\nStop.\n```\n:::\n::::',
      ['**Linux**\n**Note:** Stop.'],
    ],
    ['a list', '```{tip}\n- One\n- Two\n```', ['**Tip:**', '- One', '- Two']],
    [
      'a directive in an item',
      '- One\n\n  ```{note}\n  Stop.\n  ```\n- Two',
      ['- One\n\n  **Note:** Stop.', '- Two'],
    ],
    [
      'a table',
      '```{list-table} Sizes\n:header-rows: 1\n\n* - A\n  - B\n* - 1\n  - 2\n```',
      ['Sizes', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    ],
    [
      'what follows a directive',
      '```{note}\nStop.\n```\nOne.\n\n# Two',
      ['**Note:** Stop.', 'One.', '# Two'],
    ],
    [
      'a fence in an item of a directive',
      '```{note}\n1.  One:\n\n    ```sh\n    run\n    ```\n2.  Two\n```\n\n# Next',
      ['**Note:**', '1.  One:\n\n    ```sh\n    run\n    ```', '2.  Two', '# Next'],
    ],
    [
      'a fence that is open at the end of a directive',
      ':::{note}\n```sh\nrun\n:::\n\n# Next',
      ['**Note:**', '```sh\nrun\n```', '# Next'],
    ],
    [
      'a note that begins with code',
      '```{note}\n~~~sh\nrun\n~~~\n```\n\n# Next',
      ['**Note:**', '~~~sh\nrun\n~~~', '# Next'],
    ],
    ['a title above a rule', ':::{dropdown} A\n\n---\n\nText\n:::', ['**A**', 'Text']],
    [
      'a directive below an item with code',
      '- ```sh\n  run\n  ```\n\n```{note}\nStop.\n```',
      ['- ```sh\n  run\n  ```', '**Note:** Stop.'],
    ],
    [
      'a glossary',
      ':::{glossary}\nTerm\n    One.\n\n    Two.\n\nOther\n    Three.\n:::',
      ['**Term**\nOne.', 'Two.', '**Other**\nThree.'],
    ],
    [
      'options on two lines',
      '```{code-block} sh\n---\ncaption: "The\n  gate"\n---\nrun\n```',
      ['The gate', '```sh\nrun\n```'],
    ],
    [
      'code directly below options',
      '```{code-block} sh\n:linenos:\n  run\nstop\n```',
      ['```sh\n  run\nstop\n```'],
    ],
    ['a space before the name', '``` {note}\nStop.\n```', ['**Note:** Stop.']],
    [
      'tabs in code',
      '```{code-block} makefile\nall:\n\tgo build\n```',
      ['```makefile\nall:\n\tgo build\n```'],
    ],
    ['reStructuredText', '```{eval-rst}\n.. note:: Stop, ``now``.\n```', ['**Note:** Stop, `now`.']],
  ])('reads %s', (_, text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });

  it.each([
    '```{r}\nrun()\n```',
    '```{ .python .annotate }\nrun()\n```',
    '````md\n```{note}\nStop.\n```\n````',
    ':::{note}\nStop.',
    '```{note}\nStop.',
    '::: {.callout-note}\nStop.\n:::',
    '```{mermaid}\na --> b\n```',
    '    ```{note}\n    Stop.\n    ```',
    '\t```{note}\n\tStop.\n\t```',
    '```{note} A`` is how\n\n# Setup\n\n```sh\nrun\n```\n\n# Next',
  ])('leaves %j as it is', (text) => {
    expect(readMyst(text)).toEqual(readMarkdown(text));
  });

  it.each([
    ['(set-up)=\n# Set up\n\na', ['# Set up', 'a']],
    ['(part)=\nSee {py:func}`open` and {a}.', ['See `open` and {a}.']],
    ['``{func}`open` ``', ['``{func}`open` ``']],
    ['- {func}`open`', ['- `open`']],
    ['{class}`~a.b.C` and {meth}`.run`', ['`C` and `run`']],
    ['{ref}`the part <part>` and {ref}`other-part`', ['the part and other part']],
    ['{doc}`the guide </guide>`', ['[the guide](/guide)']],
    ['f\n(x)=', ['f\n(x)=']],
    ['```\n(x)=\n{func}`open`\n```', ['```\n(x)=\n{func}`open`\n```']],
  ])('removes labels and roles of MyST in %j', (text, texts) => {
    expect(textsOf(text)).toEqual(texts);
  });

  it('has labels as anchors of the text after them', () => {
    const { blocks, anchors } = readMyst('(top)=\n# One\n\n(part)=\nText.\n\n(next)=\n## Two\n');
    expect(blocks.map(({ line }) => line)).toEqual([2, 5, 8]);
    expect(anchors).toEqual([
      { name: 'top', line: 2 },
      { name: 'part', line: 5 },
      { name: 'next', line: 8 },
    ]);
  });

  it('removes attributes above a block, whose ids are anchors', () => {
    const { blocks, anchors } = readMyst(
      '{.wide}\n# Sails\n\n{#jib .small}\nA jib is small.\n\n{name} sets it.\n',
    );
    expect(blocks.map((block) => (block.kind === 'heading' ? block.title : block.text))).toEqual([
      'Sails',
      'A jib is small.',
      '{name} sets it.',
    ]);
    expect(anchors).toMatchObject([{ name: 'jib' }]);
  });

  it('keeps the lines of the file', () => {
    const { blocks } = readMyst('---\ntitle: A\n---\n# One\n\n```{note}\n:class: b\n\nStop.\n```\n\nTwo.');
    expect(blocks.map(({ line }) => line)).toEqual([4, 6, 12]);
  });

  it('follows the entries of a toctree, and does not quote them', () => {
    const { blocks, tagLinks } = readMyst(
      '# Guide\n\n```{toctree}\n:maxdepth: 2\n\nstart\nUse <use.md>\n```\n',
    );
    expect(blocks).toHaveLength(1);
    expect(tagLinks).toEqual([
      { href: 'start', line: 6 },
      { href: 'use.md', line: 7 },
    ]);
  });

  it('accepts any text', () => {
    const piece = fc.constantFrom(
      '```',
      '````',
      ':::',
      '{note}',
      '{eval-rst}',
      '{toctree}',
      '\n',
      ' a',
      '---',
      ':b:',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(() => readMyst(pieces.join(''))).not.toThrow();
      }),
    );
  });

  it.each([
    ['nested', Array.from({ length: 30_000 }, (_, i) => `${':'.repeat(3 + (i % 17))}{note}`).join('\n')],
    ['long', `\`\`\`{code-block} sh\n---\na: b\n${' c\n'.repeat(500_000)}---\nrun\n\`\`\``],
    ['unclosed', '```{note}\n'.repeat(200_000)],
    ['unknown', `${':::{foo}\n'.repeat(200_000)}:::\n`],
    [
      'too deep',
      Array.from({ length: 10 }, (_, i) => `${':'.repeat(13 - i)}{note}\n`).join('') +
        ':::{note}\n'.repeat(100_000) +
        ':'.repeat(13),
    ],
  ])('takes linear time for %s directives', (_, text) => {
    expect(readMyst(text).blocks.length).toBeGreaterThan(0);
  });
});
