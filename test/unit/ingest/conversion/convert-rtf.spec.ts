import { convertFixture } from '../../../support/convert-fixture.js';

const read = async (text: string) => {
  const { title, lines, leftOut } = await convertFixture('a.rtf', Buffer.from(text, 'latin1'));
  return { title, leftOut, text: lines.join('\n') };
};

const HEAD =
  '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\froman Times;}{\\f1\\fmodern Courier New;}{\\f2\\fcharset204 Times;}}{\\stylesheet{\\s0 Normal;}{\\s1\\b heading 1;}}{\\info{\\title Harbour}{\\author Nobody}}{\\header Page 1}\n';

describe('RTF', () => {
  it('has headings, paragraphs, lists, tables, code, links and notes', async () => {
    const { title, text } = await read(
      `${HEAD}\\pard\\s1 Berths\\par\\pard One \\b bold\\b0  berth{\\footnote A note.}, see {\\field{\\*\\fldinst HYPERLINK "https://tug.example"}{\\fldrslt tugs}}.\\par
{\\listtext\\bullet\\tab}one\\par{\\listtext\\bullet\\tab}two\\par
\\trowd\\pard\\intbl Berth\\cell Fee\\cell\\row\\trowd\\pard\\intbl 1\\cell 20\\cell\\row
\\pard{\\f1 moor  -d 4}\\par{\\f1 tug}\\par\\pard Last.\\par}`,
    );
    expect(title).toBe('Harbour');
    expect(text).toBe(`# Berths
One bold berth (A note.), see [tugs](https://tug.example).
- one
- two
| Berth | Fee |
| --- | --- |
| 1 | 20 |
\`\`\`
moor  -d 4
tug
\`\`\`
Last.`);
  });

  it('ends code and styles at \\plain and \\pard, but not at those of a bullet', async () => {
    const { text } = await read(
      `${HEAD}\\pard\\plain \\s1{\\listtext\\pard\\plain \\tab}\\ls1 {Berths}\\par \\pard\\plain \\f1{moor}\\par \\pard\\plain {Text.}\\par}`,
    );
    expect(text).toBe('# Berths\n```\nmoor\n```\nText.');
  });

  it('has characters of code pages and of Unicode', async () => {
    const { text } = await read(
      `${HEAD}\\'e9t\\'e9 don\\'92t {\\f2\\'ca\\'e8\\'f2} \\u8364? \\uc2\\u-10179xx\\u-8704xx \\endash  a\\~b \\{c\\}\\par}`,
    );
    expect(text).toBe('été don’t Кит € 😀 – a b {c}');
  });

  it('has characters whose second byte is that of a letter', async () => {
    const japanese = "{\\rtf1\\ansi\\ansicpg932 \\'83e\\'83X\\'83g a\\'82\\'a0b\\par}";
    expect((await read(japanese)).text).toBe('テスト aあb');
  });

  it('counts pictures', async () => {
    expect((await read(`${HEAD}{\\pict\\pngblip 89504e47}Text.\\par}`)).leftOut).toEqual([
      '1 pictures are left out',
    ]);
  });

  it('refuses another file, and deep nesting', async () => {
    await expect(read('text')).rejects.toThrow('it does not begin as RTF');
    await expect(read(`{\\rtf1 ${'{'.repeat(20_000)}`)).rejects.toThrow('nested too deeply');
  });
});
