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
});
