import { frequentTerms, languageOf, sectionLanguage } from '../../../../src/text/terms/languages.js';

describe('languageOf', () => {
  it.each([
    ['en', 'How do I rotate the signing keys?'],
    ['en', 'signing keys'],
    ['en', ''],
    ['de', 'Wie lange werden Sicherungen aufbewahrt?'],
    ['fr', "Comment changer l'adresse du serveur ?"],
    ['es', '¿Dónde se guardan las copias?'],
    ['it', 'Come posso cambiare la password?'],
    ['pt', 'Onde são guardadas as cópias?'],
    ['nl', 'Hoe kan ik het wachtwoord wijzigen?'],
    ['sv', 'Hur ändrar jag mitt lösenord?'],
    ['pl', 'Gdzie są przechowywane kopie?'],
    ['ru', 'Где хранятся копии?'],
    ['ja', 'コピーはどこに保存されますか'],
    ['zh', '备份保存在哪里？'],
    ['und', 'Πού αποθηκεύονται τα αντίγραφα;'],
  ])('is %s for %s', (language, question) => {
    expect(languageOf(question)).toBe(language);
  });

  it.each([
    ['a part of an identifier', 'MCP_STORAGE_DIR'],
    ['a part of a file name', 'io.example/der.txt'],
    ['fewer words than English ones', 'Why does the die in der Box not roll?'],
    ['a few names in another script', 'What does the section named 备份 describe?'],
  ])('is English despite %s', (_, question) => {
    expect(languageOf(question)).toBe('en');
  });

  it('reads letters with separate accents', () => {
    expect(languageOf('où est là'.normalize('NFD'))).toBe('fr');
  });
});

describe('sectionLanguage', () => {
  it('needs three different words of another language', () => {
    expect(sectionLanguage('Use `de` or `la`: de, la, de.')).toBe('en');
    expect(sectionLanguage('Die Kopien werden auf dem Rechner gespeichert.')).toBe('de');
  });

  it('reads only the start of a long text', () => {
    expect(
      sectionLanguage(`${'The copy is here. '.repeat(120)}${'Die der das ist ein auf. '.repeat(500)}`),
    ).toBe('en');
  });
});

describe('frequentTerms', () => {
  it('contains terms as they are in an index', () => {
    expect(frequentTerms('de')).toContain('konnen');
    expect(frequentTerms('zh')).toContain('什么');
  });

  it('is empty for other languages', () => {
    expect(frequentTerms('und').size).toBe(0);
  });
});
