import { strToU8 } from 'fflate';
import { convertOdf } from '../../../../src/ingest/conversion/convert-odf.js';
import { convertCsv } from '../../../../src/ingest/conversion/convert-sheets.js';
import { convertFixture, zip } from '../../../support/convert-fixture.js';

describe('sheets', () => {
  const BERTHS = ['| Berth | Length | Fee per day | Valid from |', '| --- | --- | --- | --- |'];

  it.each([
    ['fees.xlsx', ['## fees', 'Berth fees 2025'], ['120.5', '260', '610']],
    ['fees.ods', ['## fees', 'Berth fees 2025'], ['120.5', '260', '610']],
    ['fees.csv', ['Berth fees 2025'], ['120.50', '260.00', '610.00']],
  ])('%s is a table below its header', async (name, before, [small, middle, large]) => {
    const { lines } = await convertFixture(name);
    expect(lines.slice(0, -1)).toEqual(before);
    expect(lines.at(-1)?.split('\n')).toEqual([
      ...BERTHS,
      `| 1 | 50 | ${small} | 2025-01-01 |`,
      `| 2 | 100 | ${middle} | 2025-01-01 |`,
      `| 7, north | 190 | ${large} | 2025-02-15 |`,
    ]);
  });

  it('has its header above a row that is wider than all others', async () => {
    const { lines } = await convertFixture('a.csv', strToU8('Berth,Fee\n1,2,see,the,notes,below\n3,4\n'));
    expect(lines.at(-1)?.split('\n')[0]).toMatch(/^\| Berth \| Fee \|/);
  });

  it('has its header below a few facts, also if its rows have many empty cells', async () => {
    const rows = ['Version,1.2', 'Author,Bob', 'Crane,A,B,C,D,E,F,G', 'North,x,,,,,,x', 'South,,x,,,,x,'];
    const { lines } = await convertFixture('a.csv', strToU8(rows.join('\n')));
    expect(lines.slice(0, 2)).toEqual(['Version 1.2', 'Author Bob']);
    expect(lines.at(-1)?.split('\n')[0]).toBe('| Crane | A | B | C | D | E | F | G |');
  });

  it('names the cells for which a table has no place', async () => {
    const row = (mark: string): string => Array.from({ length: 1_002 }, (_, at) => `${mark}${at}`).join(',');
    const { lines, leftOut } = await convertFixture('a.csv', strToU8(`${row('h')}\n${row('c')}\n`));
    expect(lines.join('')).toContain('| c999 |');
    expect(leftOut).toEqual(['4 cells beyond 1000 columns of a table are left out']);
  });

  it('leaves out hidden sheets, and says so', async () => {
    const sheet = '<worksheet><row><c r="A1" t="inlineStr"><is><t>Secret</t></is></c></row></worksheet>';
    const { lines, leftOut } = await convertFixture(
      'book.xlsx',
      zip({
        'xl/workbook.xml': '<workbook><sheet name="A" state="hidden" r:id="rId1"/></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        'xl/worksheets/sheet1.xml': sheet,
      }),
    );
    expect(lines).toEqual([]);
    expect(leftOut).toEqual(['1 of 1 sheets are hidden, and left out']);
  });

  it('leaves out hidden sheets of OpenDocument, too', async () => {
    const sheet = (name: string): string =>
      `<table:table table:name="${name}" table:style-name="${name}"><table:table-row><table:table-cell><text:p>Text</text:p></table:table-cell></table:table-row></table:table>`;
    const style = (name: string, isShown: boolean): string =>
      `<style:style style:name="${name}"><style:table-properties table:display="${isShown}"/></style:style>`;
    const { lines, leftOut } = await convertFixture(
      'a.ods',
      zip({
        'content.xml': `<office:document-content>${style('A', true)}${style('B', false)}<office:body><office:spreadsheet>${sheet('A')}${sheet('B')}</office:spreadsheet></office:body></office:document-content>`,
      }),
    );
    expect(lines).toEqual(['## A', 'Text']);
    expect(leftOut).toEqual(['1 of 2 sheets are hidden, and left out']);
  });

  it.each([
    [14, '', '45000', '2023-03-15'],
    [22, '', '45000.75', '2023-03-15 18:00:00'],
    [20, '', '0.5', '12:00:00'],
    [164, 'yyyy\\-mm\\-dd', '45000', '2023-03-15'],
    [10, '', '0.125', '12.5%'],
    [164, '#,##0.00 "days"', '3', '3'],
    [164, '[Red]0.00', '0.1', '0.1'],
    [164, '000000', '42', '000042'],
    [164, '[h]:mm', '1.5', '36:00:00'],
    [164, '[mm]:ss', '-0.01', '-00:14:24'],
    [46, '', '1.5', '36:00:00'],
    [164, '0.0" [m]"', '5.2', '5.2'],
  ])('shows a number of format %i %s as people see it', async (id, code, value, shown) => {
    const { lines } = await convertFixture(
      'book.xlsx',
      zip({
        'xl/workbook.xml': '<workbook><sheet name="A" r:id="rId1"/></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs></styleSheet>`,
        'xl/worksheets/sheet1.xml': `<worksheet><row><c r="A1" s="1"><v>${value}</v></c></row></worksheet>`,
      }),
    );
    expect(lines).toEqual(['## A', shown]);
  });

  it('keeps cells in their columns behind a long gap, which OpenDocument writes as one cell', async () => {
    const cell = (text: string): string => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const gap = (times: number): string => `<table:table-cell table:number-columns-repeated="${times}"/>`;
    const row = (cells: string): string => `<table:table-row>${cells}${gap(16_000)}</table:table-row>`;
    const rows = [
      cell('Berth') + gap(149) + cell('Fee') + cell('Crane'),
      cell('1') + gap(150) + cell('North'),
      cell('2') + gap(149) + cell('30'),
    ].map(row);
    const { lines } = await convertFixture(
      'a.ods',
      zip({
        'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
      }),
    );
    expect(lines.at(-1)?.split('\n')).toEqual([
      '| Berth | Fee | Crane |',
      '| --- | --- | --- |',
      '| 1 |  | North |',
      '| 2 | 30 |  |',
    ]);
  });

  it('reads tables of any number of rows', async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i},20`);
    const { text } = convertCsv(Buffer.from(`Berth,Fee\n${rows.join('\n')}\n`));
    expect(text).toContain('<td>199999</td>');
  });

  it('says how many rows are beyond its limit', async () => {
    const row = `<table:table-row table:number-rows-repeated="600000"><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell></table:table-row>`;
    const { leftOut } = convertOdf(
      zip({
        'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table>${row}</table:table></office:spreadsheet></office:body></office:document-content>`,
      }),
    );
    expect(leftOut).toEqual(['100000 rows beyond 1000000 cells are left out']);
  });
});
