import { strToU8 } from 'fflate';
import { convertFixture } from '../../../support/convert-fixture.js';

describe('notebooks', () => {
  const notebook = (cells: readonly object[]): Uint8Array =>
    strToU8(JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4 }));

  it('has Markdown, code and what the code printed', async () => {
    const { lines } = await convertFixture(
      'a.ipynb',
      notebook([
        { cell_type: 'markdown', source: ['# Tides\n', 'High water is at noon.'] },
        {
          cell_type: 'code',
          source: 'print(tide)',
          outputs: [
            { output_type: 'stream', name: 'stdout', text: ['4.2 m\n'] },
            { output_type: 'execute_result', data: { 'text/plain': '7', 'image/png': 'AAAA' } },
            { output_type: 'error', ename: 'ValueError', evalue: 'no tide', traceback: ['…'] },
          ],
        },
      ]),
    );
    expect(lines).toEqual([
      '# Tides',
      'High water is at noon.',
      '```python\nprint(tide)\n```',
      '```text\n4.2 m\n```',
      '```text\n7\n```',
      '```text\nValueError: no tide\n```',
    ]);
  });

  it('keeps code with fences in one block, and cuts a long output with a word', async () => {
    const { lines, leftOut } = await convertFixture(
      'a.ipynb',
      notebook([
        { cell_type: 'code', source: 's = """\n```\n# no heading\n```\n"""', outputs: [] },
        { cell_type: 'code', source: 'x', outputs: [{ output_type: 'stream', text: 'a'.repeat(10_001) }] },
      ]),
    );
    expect(lines[0]).toBe('````python\ns = """\n```\n# no heading\n```\n"""\n````');
    expect(leftOut).toEqual(['the ends of 1 outputs of over 10000 characters are left out']);
  });

  it.each(['{', '[]', '"text"'])('refuses %s', async (text) => {
    await expect(convertFixture('a.ipynb', strToU8(text))).rejects.toThrow('it is no notebook');
  });

  // CommonMark 0.31, 4.5 and 4.6; each cell is a document of its own.
  it.each([
    ['```python\ncode', '```python\ncode\n```'],
    ['~~~~\n```\n~~~', '~~~~\n```\n~~~\n~~~~'],
    ['<!-- a note', ''],
    ['One.\n\n<!-- a\nnote', 'One.'],
  ])('ends in each cell what it leaves open: %j', async (source, text) => {
    const { lines } = await convertFixture(
      'a.ipynb',
      notebook([
        { cell_type: 'markdown', source },
        { cell_type: 'markdown', source: '## After\n\nMore.' },
      ]),
    );
    expect(lines).toEqual([...(text === '' ? [] : [text]), '## After', 'More.']);
  });

  it('leaves complete cells as they are', async () => {
    const source = '```\n<!--\n```\n\nUse `<!--` or <!-- here --> and\n\n<pre>a</pre>';
    const { lines } = await convertFixture('a.ipynb', notebook([{ cell_type: 'markdown', source }]));
    expect(lines.join('\n')).toContain('Use `<!--` or');
    expect(lines.at(-1)).toBe('<pre>a</pre>');
  });

  it('has outputs that are only HTML or LaTeX', async () => {
    const output = (data: object) => ({ output_type: 'display_data', data });
    const html =
      '<style>p {}</style><p>Fish &amp; <b>ships</b></p><table><tr><td>1</td><td>2</td></tr></table>';
    const outputs = [
      output({ 'text/plain': '<IPython.core.display.HTML object>', 'text/html': [html] }),
      output({ 'text/html': '<script>if (a) b();</script>' }),
      output({ 'text/plain': '<IPython.core.display.Math object>', 'text/latex': '$$x^2$$' }),
      output({ 'text/plain': 'a  b', 'text/html': '<table></table>', 'text/latex': 'a' }),
      output({ 'text/plain': '<IPython.core.display.Image object>', 'image/png': 'AAAA' }),
    ];
    const { lines } = await convertFixture(
      'a.ipynb',
      notebook([{ cell_type: 'code', source: 'x', outputs }]),
    );
    expect(lines).toEqual([
      '```python\nx\n```',
      '```text\nFish & ships\n1 2\n```',
      '$$x^2$$',
      '```text\na  b\n```',
    ]);
  });

  it('has the front matter of a first cell that is raw', async () => {
    const raw = { cell_type: 'raw', source: '---\ntitle: Tides\n---' };
    const text = { cell_type: 'markdown', source: 'Low.' };
    expect((await convertFixture('a.ipynb', notebook([raw, text]))).lines).toEqual(['Low.']);
    const { lines } = await convertFixture('a.ipynb', notebook([text, raw]));
    expect(lines[1]).toContain('title: Tides');
  });
});
