import { strToU8, zipSync } from 'fflate';
import { convertFixture } from '../../../support/convert-fixture.js';

const notebook = (cells: unknown, more: object = {}): Uint8Array =>
  strToU8(JSON.stringify({ cells, metadata: {}, nbformat: 4, ...more }));
const read = (bytes: Uint8Array) => convertFixture('a.ipynb', bytes);
const markdown = (source: unknown) => ({ cell_type: 'markdown', source });
const coded = (source: unknown, ...outputs: unknown[]) => ({ cell_type: 'code', source, outputs });
const printed = (text: unknown) => ({ output_type: 'stream', name: 'stdout', text });
const NOTE = markdown('# Tides\n\nHigh water is at noon.');
const TEXT = ['# Tides', 'High water is at noon.'];

describe('hostile notebooks', () => {
  it.each([
    [
      'a level of headings that is huge',
      [{ cell_type: 'heading', level: 1e9, source: 'Tides' }],
      '###### Tides',
    ],
    ['a negative level', [{ cell_type: 'heading', level: -3, source: 'Tides' }], '# Tides'],
    ['a level that is no number', [{ cell_type: 'heading', level: {}, source: 'Tides' }], '# Tides'],
    ['a source that is an object', [markdown({ length: 1e9 }), NOTE], '# Tides'],
    ['a source with parts of other types', [markdown([1, null, {}, ['x'], '# Tides'])], '# Tides'],
    ['cells that are no objects', [null, 7, 'x', [], NOTE], '# Tides'],
    ['a type that does not exist', [{ cell_type: '__proto__', source: 'x' }], '```text\nx\n```'],
    ['outputs that are no list', [{ cell_type: 'code', source: 'x', outputs: 'y' }], '```\nx\n```'],
  ])('are read as far as they are notebooks: %s', async (_, cells, first) => {
    expect((await read(notebook(cells))).lines[0]).toBe(first);
  });

  it.each([
    ['cells that are an object', { length: 1e9 }],
    ['cells that are a number', 7],
    ['cells that are nothing', null],
  ])('have no text with %s', async (_, cells) => {
    expect((await read(notebook(cells))).lines).toEqual([]);
  });

  it('have no text in lists in lists', async () => {
    const lists = '['.repeat(500_000) + ']'.repeat(500_000);
    expect((await read(strToU8(`{"cells":${lists}}`))).lines).toEqual([]);
  });

  it.each([
    ['a PDF', strToU8('%PDF-1.7\n')],
    ['an archive', zipSync({ 'a.md': strToU8('# A') })],
    ['bytes', Uint8Array.from({ length: 1_000 }, (_, at) => (at * 7) % 256)],
    ['lists that do not end', strToU8('['.repeat(1_000_000))],
    ['an object that does not end', strToU8('{"cells":'.repeat(300_000))],
  ])('are refused if they are %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow('it is no notebook');
  });

  it.each([
    ['what it prints', printed('a'.repeat(5_000_000))],
    ['an error', { output_type: 'error', ename: 'E', evalue: 'a'.repeat(5_000_000) }],
    ['the name of an error', { output_type: 'pyerr', ename: 'a'.repeat(5_000_000) }],
    ['a result', { output_type: 'execute_result', data: { 'text/plain': 'a'.repeat(5_000_000) } }],
    ['a table', { output_type: 'display_data', data: { 'text/markdown': 'a'.repeat(5_000_000) } }],
  ])('are cut with a word if %s is long', async (_, output) => {
    const { lines, leftOut } = await read(notebook([NOTE, coded('', output)]));
    expect(leftOut).toEqual(['the ends of 1 outputs of over 10000 characters are left out']);
    expect(lines.join('\n').length).toBeLessThan(10_100);
  });

  it('have no more than a limit of outputs', async () => {
    const outputs = Array.from({ length: 400 }, () => printed('word '.repeat(1_900)));
    const { lines, leftOut } = await read(notebook([coded('', ...outputs), NOTE]));
    expect(leftOut).toEqual([expect.stringContaining('outputs beyond 2000000 characters are left out')]);
    expect(lines.slice(-2)).toEqual(TEXT);
  });

  it.each([
    ['a page', { 'text/html': '<script>alert(1)</script><iframe src="file:///etc/passwd">' }],
    ['a script', { 'application/javascript': 'fetch("http://169.254.169.254/")' }],
    ['a drawing', { 'image/svg+xml': '<svg onload="alert(1)"><text>x</text></svg>' }],
    ['a widget', { 'application/vnd.jupyter.widget-view+json': { model_id: 'x' } }],
    ['a picture', { 'image/png': 'A'.repeat(3_000_000) }],
  ])('show nothing of an output that is %s', async (_, data) => {
    expect((await read(notebook([NOTE, coded('', { output_type: 'display_data', data })]))).lines).toEqual(
      TEXT,
    );
  });

  it('lose pictures that are written as text', async () => {
    const picture = `data:image/png;base64,${'QUJD'.repeat(500_000)}`;
    const cells = [markdown(`![a](${picture})\n\n${NOTE.source as string}`), coded('', printed(picture))];
    const attached = { ...NOTE, attachments: { 'a.png': { 'image/png': 'A'.repeat(3_000_000) } } };
    const { lines } = await read(notebook([...cells, attached]));
    expect(lines.join('\n').length).toBeLessThan(11_000);
    expect(lines).toEqual(expect.arrayContaining(TEXT));
  });

  it('keep text in its block, whatever fences, colours and languages it has', async () => {
    const fences = '``` # no heading\n'.repeat(200_000);
    const language = { metadata: { language_info: { name: 'python\n# no heading' } } };
    const { lines } = await read(
      notebook([coded(fences), coded('', printed('\u001b[31mred\u001b[0m\n')), NOTE], language),
    );
    expect(lines).toEqual([expect.stringMatching(/^````\n``` # no/), '```text\nred\n```', ...TEXT]);
  });

  it('put no file in', async () => {
    const marks = '{{#include /etc/passwd}}\n\n--8<-- "/etc/passwd"\n\n<<< @/../etc/passwd';
    const { lines } = await read(notebook([markdown(marks)]));
    expect(lines.join('\n')).not.toContain('root:');
  });

  it('are read with a million cells that have nothing', async () => {
    const cells = `${'{},'.repeat(1_000_000)}${JSON.stringify(NOTE)}`;
    expect((await read(strToU8(`{"cells":[${cells}]}`))).lines).toEqual(TEXT);
  });
});
