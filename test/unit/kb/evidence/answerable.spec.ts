import { answerableFrom, confidenceOf } from '../../../../src/kb/evidence/answerable.js';
import { aCandidate, aRanking } from '../../../support/builders.js';

interface Asked {
  readonly text?: string;
  readonly terms: readonly string[];
  /** Number of sections with the term, of ten; default 1. */
  readonly found?: Readonly<Record<string, number>>;
  /** Score of the best section; the default is the highest that counts. */
  readonly lexical?: number;
  /** The terms in each section, best section first. */
  readonly held: readonly (readonly string[])[];
}
// The weights of the four shares are tuned, so the tests check only the direction of their effects.
function confidence({ text, terms, found, lexical = 25, held }: Asked): number {
  const documentFrequency = found ?? Object.fromEntries(terms.map((term) => [term, 1]));
  const candidates = [aCandidate({ lexical })];
  const ranking = aRanking({ part: { text: text ?? terms.join(' ') }, terms, documentFrequency, candidates });
  return confidenceOf(
    ranking,
    held.map((section) => new Set(section)),
  );
}

describe('confidenceOf', () => {
  it('is 0 without results', () => {
    expect(confidenceOf(aRanking({ candidates: [] }), [])).toBe(0);
  });

  it('is 1 if one section contains every term and has a high score', () => {
    expect(confidence({ terms: ['disk', 'ship'], held: [['disk', 'ship']] })).toBeCloseTo(1, 10);
  });

  it.each([1, 25, 99])('is from 0 to 1 for a score of %d', (lexical) => {
    const sure = confidence({ terms: ['disk'], held: [['disk']], lexical });
    expect(sure).toBeGreaterThan(0);
    expect(sure).toBeLessThanOrEqual(1);
  });

  it('is higher if rare terms are found than if common terms are found', () => {
    const asked = { terms: ['disk', 'ship'], found: { disk: 1, ship: 3 } };
    expect(confidence({ ...asked, held: [['disk']] })).toBeGreaterThan(
      confidence({ ...asked, held: [['ship']] }),
    );
  });

  it('is lowest if the missing term is in no section of the index', () => {
    const terms = ['disk', 'ship'];
    const nowhere = confidence({ terms, found: { disk: 3 }, held: [['disk']] });
    expect(nowhere).toBeLessThan(confidence({ terms, found: { disk: 3, ship: 1 }, held: [['disk']] }));
  });

  it('is higher if one section contains all terms than if several do together', () => {
    const terms = ['disk', 'ship'];
    const together = confidence({ terms, held: [['disk'], ['ship']] });
    expect(confidence({ terms, held: [['disk', 'ship'], []] })).toBeGreaterThan(together);
    expect(together).toBeGreaterThan(confidence({ terms, held: [['disk'], ['disk']] }));
  });

  it('uses only the five best sections', () => {
    const terms = ['disk', 'ship'];
    const fifth = confidence({ terms, held: [['disk'], [], [], [], ['ship']] });
    const sixth = confidence({ terms, held: [['disk'], [], [], [], [], ['ship']] });
    expect(fifth).toBeGreaterThan(sixth);
    expect(sixth).toBe(confidence({ terms, held: [['disk']] }));
  });

  it.each([
    ['an acronym', 'does a disk use ZFS', 'zf'],
    ['mixed case', 'does a disk use eBay', 'ebai'],
    ['a digit', 'does a disk use raid5', 'raid5'],
    ['a capital within a sentence', 'does a disk use Prisma', 'prisma'],
  ])('is lower if a named thing is missing than if another word is missing: %s', (_, text, name) => {
    const asked = { terms: ['disk', name], held: [['disk']] };
    expect(confidence({ ...asked, text })).toBeLessThan(
      confidence({ ...asked, text: text.toLowerCase().replace(/\d/, '') }),
    );
  });

  it.each([
    ['the first word', 'Prisma on a disk'],
    ['the first word of a sentence', 'A disk. Prisma on it'],
  ])('does not treat %s as a name', (_, text) => {
    const asked = { terms: ['disk', 'prisma'], held: [['disk']] };
    expect(confidence({ ...asked, text })).toBe(confidence({ ...asked, text: 'prisma disk' }));
  });

  it('rises with the best score, up to the maximum for the number of words', () => {
    const asked = { terms: ['disk', 'ship'], held: [['disk', 'ship']] };
    const [low, high, highest] = [0.5, 25, 99].map((lexical) => confidence({ ...asked, lexical }));
    expect(low).toBeLessThan(high ?? 0);
    expect(highest).toBe(high);
  });

  it('is unlikely if the sections contain no word of the question, whatever the score', () => {
    expect(answerableFrom(confidence({ text: 'use ZFS', terms: ['zf'], lexical: 99, held: [[]] }))).toBe(
      'unlikely',
    );
  });
});

describe('answerableFrom', () => {
  it.each([
    [1, 'likely'],
    [0.6, 'unsure'],
    [0.59, 'unlikely'],
    [0, 'unlikely'],
    [0.74, 'unsure'],
    [0.75, 'likely'],
  ])('calls %d %s', (confidence, answerable) => {
    expect(answerableFrom(confidence)).toBe(answerable);
  });
});
