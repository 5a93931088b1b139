import { convertRst } from '../../../../../src/ingest/reading/rst/read-rst.js';

const markdown = (...lines: readonly string[]): string =>
  convertRst(lines.join('\n'))
    .lines.map(({ text }) => text)
    .join('\n')
    .trim();

describe('directives of reStructuredText', () => {
  it.each(['code', 'code-block', 'sourcecode'])('writes %s as a fence', (name) => {
    const lines = [
      `.. ${name}:: python`,
      '   :linenos:',
      '   :caption: One valve',
      '',
      '   turn(``x``)',
      '',
      '     more',
    ];
    expect(markdown(...lines)).toBe('One valve\n\n```python\nturn(``x``)\n\n  more\n```');
  });

  it('removes the markup in a parsed literal', () => {
    expect(markdown('.. parsed-literal::', '', '   turn(:ref:`size <s>`)')).toBe('```\nturn(size)\n```');
  });

  it.each([
    ['note', '**Note:** Turn it.'],
    ['warning', '**Warning:** Turn it.'],
    ['seealso', '**See also:** Turn it.'],
  ])('begins a %s with its kind', (name, text) => {
    expect(markdown(`.. ${name}:: Turn`, '   it.')).toBe(text.replace('Turn it', 'Turn\nit'));
    expect(markdown(`.. ${name}::`, '', '   Turn it.')).toBe(text);
  });

  it.each([
    ['.. versionadded:: 0.6\n\nAfter.', '**New in version 0.6.**\n\n\nAfter.'],
    ['.. versionadded::\n\n   Use it.', '**New:** Use it.'],
    ['.. versionchanged:: next\n   Use it.', '**Changed in version next:** Use it.'],
    ['.. versionchanged:: 1.9, 2.0\n   Use it.', '**Changed in version 1.9, 2.0:** Use it.'],
    ['.. versionchanged:: 2.0: Use it.', '**Changed in version 2.0:** Use it.'],
    ['.. deprecated:: ``foo2`` is gone.', '**Deprecated:** `foo2` is gone.'],
    ['.. deprecated:: Use foo instead.', '**Deprecated:** Use foo instead.'],
    ['.. deprecated-removed:: 3.9 3.14', '**Deprecated since version 3.9, removed in version 3.14.**'],
    [
      '.. deprecated-removed:: 3.9 3.14\n   Use it.',
      '**Deprecated since version 3.9, removed in version 3.14:** Use it.',
    ],
    ['.. versionchanged:: 2.1 The size.', '**Changed in version 2.1:** The size.'],
    ['.. deprecated:: 2.1\n\n   Use it.', '**Deprecated since version 2.1:** Use it.'],
  ])('converts %j', (text, converted) => {
    expect(markdown(text)).toBe(converted);
  });

  it('keeps the subtitle of a sidebar', () => {
    expect(markdown('.. sidebar:: Versions\n   :subtitle: Valves 5.3\n\n   Text.')).toBe(
      '**Versions: Valves 5.3**\nText.',
    );
  });

  it('keeps the titles of admonitions, tabs and rubrics', () => {
    expect(markdown('.. admonition:: Big *valves*', '', '   Turn.')).toBe('**Big *valves***\nTurn.');
    expect(markdown('.. rubric:: Valves')).toBe('**Valves**');
  });

  it.each(['function', 'py:function', 'setting', 'made:up'])(
    'keeps the signature of a %s with its text',
    (name) => {
      expect(markdown(`.. ${name}:: turn(*args)`, '', '   Turns it.')).toBe('**`turn(*args)`**\nTurns it.');
    },
  );

  it('keeps several signatures, and the list of parameters', () => {
    const lines = ['.. method:: a(x)', '            b(x)', '', '   :param int x: size', '   :returns: more'];
    expect(markdown(...lines)).toBe('**`a(x)`**\n**`b(x)`**\n\n- `x` (int): size\n- Returns: more');
  });

  it.each([
    '.. setting:: VALVE',
    '.. index:: valve',
    '.. image:: a.png\n   :alt: x',
    '.. raw:: html\n\n   <b>x</b>',
    '.. include:: x.txt',
  ])('removes %j', (text) => {
    expect(markdown(text, '', 'After.')).toBe('After.');
  });

  it.each([
    '.. figure:: a.png\n   :width: 3\n\n   Turn it.',
    '.. only:: html\n\n   Turn it.',
    '.. container:: x\n\n   Turn it.',
  ])('keeps the content of %j', (text) => {
    expect(markdown(text)).toBe('Turn it.');
  });

  it.each([
    ['.. epigraph:: To be or not\n   to be.', 'To be or not\nto be.'],
    ['.. epigraph::\n   To be.', 'To be.'],
    ['.. compound:: One text', 'One text'],
    ['.. made-up:: One text', 'One text'],
    ['.. py:module:: valves\n\n   Turns valves.', '**`valves`**\nTurns valves.'],
    ['.. code-tab:: bash Mac\n\n   turn', 'Mac\n\n```bash\nturn\n```'],
    ['.. py:attribute:: size\n   :type: int\n   :value: 3', '**`size`**\nType: `int`. Value: `3`.'],
    [
      '.. confval:: size\n   :default: ``3`` or\n     more\n\n   A size.',
      '**`size`**\nDefault: `3` or more.\n\nA size.',
    ],
  ])('keeps the text of %j', (text, converted) => {
    expect(markdown(text)).toBe(converted);
  });

  it('takes the links of a table of contents', () => {
    const { links } = convertRst(
      '.. toctree::\n   :maxdepth: 2\n\n   valves\n   Pumps <big/pumps>\n   more/*\n   genindex\n',
    );
    expect(links).toEqual([
      { href: 'valves', line: 4 },
      { href: 'big/pumps', line: 5 },
    ]);
  });
});
