import { tellingAbsence } from '../../../../src/kb/evidence/answerable.js';

describe('tellingAbsence', () => {
  it.each([
    ['the words of a sentence', 'en', 'Which disks?', ['which', 'disk']],
    ['none of a language with unknown endings', 'pl', 'Gdzie są kopie?', []],
    ['none of an unknown language', 'und', 'Πού;', []],
  ] as const)('returns %s', (_, language, question, terms) => {
    expect(tellingAbsence(question, language)).toEqual(terms);
  });

  it('returns the pairs within Chinese words, but not those across two words or of question words', () => {
    const terms = tellingAbsence('可以压缩备份文件吗？', 'zh');
    expect(terms).toEqual(expect.arrayContaining(['压缩', '备份', '文件']));
    expect(terms).not.toEqual(expect.arrayContaining(['缩备']));
    expect(terms).not.toEqual(expect.arrayContaining(['可以']));
  });

  it('returns the pairs within Japanese words', () => {
    const terms = tellingAbsence('写真を郵送できますか。', 'ja');
    expect(terms).toEqual(expect.arrayContaining(['写真', '郵送']));
    expect(terms).not.toEqual(expect.arrayContaining(['真を']));
  });
});
