import fc from 'fast-check';
import { findAcronyms } from '../../../src/text/find-acronyms.js';

/** Formats acronyms as `SHORT = long`. */
const found = (text: string): string[] => findAcronyms(text).map(({ short, long }) => `${short} = ${long}`);

describe('findAcronyms', () => {
  it.each<[string, string, string[]]>([
    ['the long form first', 'We use latent semantic analysis (LSA).', ['LSA = latent semantic analysis']],
    [
      'the short form first',
      'CORS (cross-origin resource sharing) is off.',
      ['CORS = cross-origin resource sharing'],
    ],
    ['words with a hyphen', 'cross-site request forgery (CSRF)', ['CSRF = cross-site request forgery']],
    ['small words within', 'Set the time to live (TTL).', ['TTL = time to live']],
    ['a hyphen instead of spaces', 'the time-to-live (TTL)', ['TTL = time-to-live']],
    ['a plural', 'Our virtual machines (VMs) start.', ['VM = virtual machines']],
    [
      'a sentence of many words before',
      'a b c d e f g h i j k l m n latent semantic analysis (LSA)',
      ['LSA = latent semantic analysis'],
    ],
    [
      'two letters of one word',
      'a hypertext markup language (HTML) page',
      ['HTML = hypertext markup language'],
    ],
    ['digits', 'the universal time 2 (UT2) clock', ['UT2 = universal time 2']],
    ['capitals in the long form', 'Role-Based Access Control (RBAC)', ['RBAC = role-based access control']],
    ['an article in the brackets', 'TTL (the time to live)', ['TTL = time to live']],
    ['a slash', 'the input/output (IO) layer', ['IO = input/output']],
    ['an apostrophe', "the server's own state (SOS)", ["SOS = server's own state"]],
    ['letters beyond ASCII', 'die Übliche Sammlung (ÜS)', ['ÜS = übliche sammlung']],
    [
      'white space of any length as one space',
      'latent\n  semantic\nanalysis (LSA)',
      ['LSA = latent semantic analysis'],
    ],
    [
      'only the words before that are needed',
      'Keep the whole old rate limit policy (RLP) now',
      ['RLP = rate limit policy'],
    ],
    [
      'both ways in one text',
      'A rate limit (RL). TTL (time to live).',
      ['RL = rate limit', 'TTL = time to live'],
    ],
    ['each once', 'rate limit (RL), the rate limit (RL)', ['RL = rate limit']],
    ['two readings of one', 'rate limit (RL) or request line (RL)', ['RL = rate limit', 'RL = request line']],
    [
      'a long form before emphasis',
      'one **latent semantic analysis (LSA)** fit',
      ['LSA = latent semantic analysis'],
    ],
  ])('reads %s', (_, text, acronyms) => {
    expect(found(text)).toEqual(acronyms);
  });

  it.each([
    ['no brackets', 'latent semantic analysis LSA'],
    ['nothing', ''],
    ['a reference', 'Call the gateway (see API).'],
    ['a reference after a short form', 'Use the API (see the appendix).'],
    ['letters that are not at the start of an earlier word', 'a well known thing (API)'],
    ['letters in another order', 'analysis semantic latent (LSA)'],
    ['the first letter only inside a word', 'the big application (PA)'],
    ['lower case in brackets', 'the latent semantic analysis (lsa)'],
    ['a single word', 'the hypertext (HT)'],
    ['a single letter', 'the big cat (C)'],
    ['nine letters', 'a b c d e f g h i (ABCDEFGHI)'],
    ['a number in brackets', 'the year two thousand (2000)'],
    ['empty brackets', 'call get list ()'],
    ['a call', 'const api = getPublic(API)'],
    ['too many words for its letters', 'red one two three four lights (RL)'],
    ['a sentence between', 'latent semantic analysis. Then (LSA)'],
    ['a first letter that is not at the start of a word', 'extensible markup language (XML)'],
    ['a remark', 'The CLI (see the client library) helps.'],
    ['the short form in its own long form', 'the graphics GPU unit (GPU)'],
  ])('finds nothing in %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it('returns long forms in lower case that contain the letters in order and start with the first', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const texts = fc.tuple(fc.array(word, { maxLength: 12 }), fc.stringMatching(/^[A-Z]{2,8}$/));
    fc.assert(
      fc.property(texts, ([words, short]) => {
        const letters = new RegExp(`^${[...short.toLowerCase()].join('.*')}`);
        const acronyms = findAcronyms(`${words.join(' ')} (${short})`);
        expect(acronyms.filter(({ long }) => !letters.test(long))).toEqual([]);
      }),
    );
  });

  it('finds acronyms made of first letters in any context', () => {
    const words = fc.array(fc.stringMatching(/^[b-z]a{1,7}$/), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(words, (long) => {
        const short = long.map((word) => word.charAt(0).toUpperCase()).join('');
        expect(found(`A. ${long.join(' ')} (${short}), so.`)).toEqual([`${short} = ${long.join(' ')}`]);
      }),
    );
  });
});
