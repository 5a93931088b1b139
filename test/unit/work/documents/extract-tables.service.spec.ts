import { writeCsv } from '../../../../src/work/documents/parse-document.service.js';

describe('writeCsv', () => {
  it.each([
    ['plain fields', [['a', 'b']], 'a,b\r\n'],
    ['commas', [['a,b', 'c']], '"a,b",c\r\n'],
    ['quotes', [['say "x"']], '"say ""x"""\r\n'],
    ['line breaks', [['a\nb', 'c']], '"a\nb",c\r\n'],
    ['empty fields', [['', 'b', '']], ',b,\r\n'],
    ['a single empty field', [['']], '""\r\n'],
    ['no rows', [], ''],
  ])('writes %s', (_, rows, csv) => {
    expect(writeCsv(rows)).toBe(csv);
  });
});
