import { nameOf } from '../../../../src/kb/search/name-of.js';

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
