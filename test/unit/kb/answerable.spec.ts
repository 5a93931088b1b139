import { answerableFrom, confidenceOf } from '../../../src/kb/answerable.js';
import { aCandidate, aRanking } from '../../support/builders.js';

const holding = (text: string, lexical = 25) => [aCandidate({ section: { text, headingPath: [] }, lexical })];

describe('confidenceOf', () => {
  it('is 0 where nothing was found', () => {
    expect(confidenceOf(aRanking({ candidates: [] }))).toBe(0);
  });

  it('is 1 where every term was found with a high score', () => {
    const part = { text: 'disk', terms: ['disk'] };
    expect(confidenceOf(aRanking({ part, candidates: holding('A disk.') }))).toBeCloseTo(1, 10);
  });

  it('weighs the found terms by their inverse document frequency', () => {
    // ln(1 + 9.5 / 1.5) = 1.9924 and ln(1 + 7.5 / 3.5) = 1.1451: .4 of 1.9924 / 3.1376, .4 for no names, .2 for the score.
    const part = { text: 'disk ship', terms: ['disk', 'ship'] };
    const documentFrequency = { disk: 1, ship: 3 };
    expect(confidenceOf(aRanking({ part, documentFrequency, candidates: holding('A disk.') }))).toBeCloseTo(
      0.854,
      4,
    );
  });

  it('counts a term that no section holds as the rarest', () => {
    // ln(1 + 10.5 / .5) = 3.0910: .4 of 1.1451 / 4.2361.
    const part = { text: 'disk ship', terms: ['disk', 'ship'] };
    const documentFrequency = { disk: 3 };
    expect(confidenceOf(aRanking({ part, documentFrequency, candidates: holding('A disk.') }))).toBeCloseTo(
      0.7081,
      3,
    );
  });

  it('takes off for named things that were not found', () => {
    const part = { text: 'does a disk use ZFS', terms: ['disk', 'zf'] };
    const documentFrequency = { disk: 3, zf: 3 };
    expect(confidenceOf(aRanking({ part, documentFrequency, candidates: holding('A disk.') }))).toBeCloseTo(
      0.4,
      4,
    );
  });

  it('counts the best score for a fifth, up to 25', () => {
    const part = { text: 'disk', terms: ['disk'] };
    expect(confidenceOf(aRanking({ part, candidates: holding('A disk.', 12.5) }))).toBeCloseTo(0.9, 10);
    expect(confidenceOf(aRanking({ part, candidates: holding('A disk.', 99) }))).toBeCloseTo(1, 10);
  });

  it('finds words in the headings too', () => {
    const candidates = [aCandidate({ section: { text: 'Use it.', headingPath: ['Disks'] }, lexical: 25 })];
    expect(confidenceOf(aRanking({ part: { text: 'disk', terms: ['disk'] }, candidates }))).toBeCloseTo(
      1,
      10,
    );
  });

  it('looks at the five best sections only', () => {
    const candidates = [...Array.from({ length: 5 }, () => holding('A ship.')).flat(), ...holding('A disk.')];
    expect(confidenceOf(aRanking({ part: { text: 'disk', terms: ['disk'] }, candidates }))).toBeCloseTo(
      0.6,
      10,
    );
  });
});

describe('answerableFrom', () => {
  it.each([
    [1, 'likely'],
    [0.8, 'likely'],
    [0.79, 'unsure'],
    [0.6, 'unsure'],
    [0.59, 'unlikely'],
    [0, 'unlikely'],
  ])('calls %d %s', (confidence, answerable) => {
    expect(answerableFrom(confidence)).toBe(answerable);
  });
});
