import { strToU8 } from 'fflate';
import { convertFixture } from '../../../support/convert-fixture.js';

const read = async (name: string, text: string | Uint8Array) => {
  const { title, lines, leftOut } = await convertFixture(
    name,
    typeof text === 'string' ? strToU8(text) : text,
  );
  return { title, leftOut, text: lines.join('\n') };
};

describe('DocBook', () => {
  it('has sections, lists, terms, tables, code, notes and links', async () => {
    const { text, leftOut } = await read(
      'a.xml',
      `<?xml version="1.0"?>
<!DOCTYPE article [<!ENTITY port "Port of Gull"><!ENTITY evil SYSTEM "file:///etc/passwd">]>
<article xmlns="http://docbook.org/ns/docbook" version="5.0">
<info><title>Harbour</title><author><personname>A</personname></author></info>
<para>The &port; has <emphasis>two</emphasis> quays, &evil; and <command>moor</command>.</para>
<section xml:id="berths"><title>Berths</title>
<itemizedlist><listitem><para>one</para></listitem><listitem><para>two</para></listitem></itemizedlist>
<variablelist><varlistentry><term><option>-d</option></term><listitem><para>Depth.</para></listitem></varlistentry></variablelist>
<note><para>Take care.</para></note>
<programlisting language="sh">moor -d 4
tug</programlisting>
<informaltable><tgroup cols="2"><thead><row><entry>Berth</entry><entry>Fee</entry></row></thead>
<tbody><row><entry>1</entry><entry>20</entry></row></tbody></tgroup></informaltable>
<para>See <link linkend="berths">berths</link> and <ulink url="https://tug.example">tugs</ulink><footnote><para>A note.</para></footnote>.</para>
</section></article>`,
    );
    expect(leftOut).toEqual(['1 entities are not known and stay as written, such as &evil;']);
    expect(text).toBe(`# Harbour
The Port of Gull has _two_ quays, &evil; and \`moor\`.
## Berths
- one
- two
**\`-d\`**
Depth.
**Note**
Take care.
\`\`\`sh
moor -d 4
tug
\`\`\`
| Berth | Fee |
| --- | --- |
| 1 | 20 |
See [berths](#berths) and [tugs](https://tug.example) (A note.).`);
  });

  it('is decoded as it says, or by its byte order mark', async () => {
    const article = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><article><title>Gröe</title><para>Café – 5</para></article>`;
    const text = '# Gröe\nCafé – 5';
    expect((await read('a.xml', article('utf-8'))).text).toBe(text);
    const latin = Buffer.from(article('ISO-8859-1').replace('–', '\x96'), 'latin1');
    expect((await read('a.xml', latin)).text).toBe(text);
    expect((await read('a.xml', Buffer.from(`\uFEFF${article('UTF-16')}`, 'utf16le'))).text).toBe(text);
    expect((await read('a.xml', article('utter-nonsense'))).text).toBe(text);
    const nonsense = Buffer.from(article('utter-nonsense'), 'latin1');
    await expect(read('a.xml', nonsense)).rejects.toThrow('utter-nonsense');
  });

  it('has the elements in the texts of its entities', async () => {
    const entities = '<!DOCTYPE article [<!ENTITY app "<application>Gull</application> 2">]>';
    const { text, leftOut } = await read(
      'a.xml',
      `${entities}<article><title>T</title><para>&app;.</para></article>`,
    );
    expect({ text, leftOut }).toEqual({ text: '# T\nGull 2.', leftOut: [] });
  });

  it('refuses damaged XML, and entities do not multiply', async () => {
    await expect(read('a.xml', '<article><title>A</title><para>')).rejects.toThrow('its XML is damaged');
    const bomb = `<!DOCTYPE article [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><article><title>T</title><para>&b;</para></article>`;
    expect((await read('a.xml', bomb)).text).toBe('# T\n&b;');
  });
});

describe('DITA', () => {
  it('has topics with steps, terms and tables', async () => {
    const { text } = await read(
      'a.dita',
      `<!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd">
<task id="moor"><title>Mooring</title><shortdesc>How to moor.</shortdesc>
<taskbody><steps><step><cmd>Stop the <uicontrol>engine</uicontrol>.</cmd></step><step><cmd>Throw the rope.</cmd></step></steps>
<example><title>Example</title><codeblock>moor -d 4</codeblock></example></taskbody></task>`,
    );
    expect(text).toBe(`# Mooring
How to moor.
1. Stop the **engine**.
2. Throw the rope.
**Example**
\`\`\`
moor -d 4
\`\`\``);
  });
});

// OASIS DITA 1.3, 3.5.4 (task elements) and 3.4.4 (properties); DocBook 5.2, info.
describe('texts in elements named info, and from elsewhere', () => {
  it('are those of a step and the abstract of a section, not the facts about it', async () => {
    const task = `<task id="a"><title>T</title><taskbody><steps><step><cmd>Open it.</cmd><info>Wear <b>gloves</b>.</info>
<substeps><substep><cmd>Pull.</cmd><info><p>Hard.</p></info></substep></substeps><tutorialinfo>Well done.</tutorialinfo></step></steps></taskbody></task>`;
    const lines = (await read('a.dita', task)).text.split('\n').filter((line) => line.trim() !== '');
    expect(lines.map((line) => line.trim())).toEqual([
      '# T',
      '1. Open it.',
      'Wear **gloves**.',
      '1. Pull.',
      'Hard.',
      'Well done.',
    ]);
    const book = `<book version="5.0"><info><title>B</title><author><personname>Ann</personname></author><abstract><para>About cranes.</para></abstract></info><chapter><title>C</title><para>p</para></chapter></book>`;
    expect((await read('a.xml', book)).text).toBe('# B\nAbout cranes.\n## C\np');
  });

  it('are cells if they are properties or choices', async () => {
    const topic = `<reference id="a"><title>R</title><refbody><properties><prophead><proptypehd>Type</proptypehd><propvaluehd>Value</propvaluehd></prophead><property><proptype>t1</proptype><propvalue>v1</propvalue></property></properties>
<choicetable><chrow><choption>x</choption><chdesc>y</chdesc></chrow></choicetable></refbody></reference>`;
    const { text } = await read('a.dita', topic);
    expect(text).toContain('| Type | Value |\n| --- | --- |\n| t1 | v1 |');
    expect(text).toContain('| x | y |');
  });

  it('are counted if they are not resolved', async () => {
    const topic = `<topic id="a"><title>T</title><body><p conref="b.dita#b/c"/><p>The <keyword keyref="prod"/> and <xref keyref="x">this</xref>.</p></body></topic>`;
    expect((await read('a.dita', topic)).leftOut).toEqual([
      '2 references to texts elsewhere are not resolved, such as b.dita#b/c',
    ]);
    const book = `<book xmlns:xi="http://www.w3.org/2001/XInclude" version="5.0"><title>B</title><xi:include href="ch1.xml"/></book>`;
    expect((await read('a.xml', book)).leftOut).toEqual([
      '1 references to texts elsewhere are not resolved, such as ch1.xml',
    ]);
  });
});

describe('exports of MediaWiki', () => {
  it('have a section for each page, without redirects and templates', async () => {
    const page = (title: string, ns: number, text: string, more = ''): string =>
      `<page><title>${title}</title><ns>${ns}</ns>${more}<revision><text>${text}</text></revision></page>`;
    const { title, text, leftOut } = await read(
      'export.xml',
      `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><siteinfo><sitename>Port</sitename></siteinfo>
${page('Tugs', 0, "'''Tugs''' pull.\n== Types ==\nTwo &amp;lt;b&amp;gt;.")}${page('Template:A', 10, 'x')}
${page('Tug', 0, '#REDIRECT [[Tugs]]', '<redirect title="Tugs"/>')}</mediawiki>`,
    );
    expect(title).toBe('Port');
    expect(text).toBe('# Tugs\n**Tugs** pull.\n## Types\nTwo <b>.');
    expect(leftOut).toEqual(['2 redirects, templates and pages about pages are left out']);
  });
});
