import fc from 'fast-check';
import { mayBeNamed, nameOf } from '../../../../src/kb/search/score-hits.js';

describe('nameOf', () => {
  it.each([
    ['Get-ChildItem', 'get childitem'],
    ['What is the index?', 'what is the *index*'],
    ['Rate limits', 'rate limit'],
    ['Café', 'cafe'],
    ['about_Functions', 'About functions'],
  ])('is equal for %j and %j', (a, b) => {
    expect(nameOf(a)).toBe(nameOf(b));
  });

  it.each([
    ['Rate limits', 'Limit rates'],
    ['Rate limits', 'Rate limits of the API'],
    ['The index', 'Index'],
    ['C', 'C++'],
  ])('differs for %j and %j', (a, b) => {
    expect(nameOf(a)).not.toBe(nameOf(b));
  });

  it('is empty without a word', () => {
    expect(nameOf('— ?')).toBe('');
  });
});

describe('mayBeNamed', () => {
  it.each([
    ['— Rate limits', 'rate limit', true],
    ['Überblick', 'uberblick', true],
    ['The rate limits', 'rate limit', false],
    ['Rate', 'rate limit', false],
    ['???', 'rate limit', false],
  ])('of %j and the name of %j is %j', (text, question, expected) => {
    expect(mayBeNamed(text, nameOf(question))).toBe(expected);
  });

  it('is true for the name of any text', () => {
    const word = fc.oneof(
      fc.constantFrom('std::max_size', 'HTTPServer', 'yes', 'OAuth2', 'C++', 'é', '東京都', '--flag', '@a/b'),
      fc.string(),
      fc.stringMatching(/^[a-zA-Z]{1,12}(ed|ing|ly|ies|ational|ness)$/),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const text = words.join(' ');
        const name = nameOf(text);
        expect(name === '' || mayBeNamed(text, name)).toBe(true);
      }),
    );
  });
});
