import { answerScores } from '../../../../src/kb/evidence/score-answers.js';
import { readSection, UnitMemo, weighQuestion } from '../../../../src/kb/evidence/sections/read-section.js';
import { withStructure } from '../../../support/builders.js';

const WORDS = { mount: 3, disk: 50, ship: 50, berth: 50 };
const weights = weighQuestion(Object.keys(WORDS), WORDS, 100);

interface Read {
  readonly question?: string;
  readonly share?: number;
  readonly heading?: string;
}

/** The scores of the units of a text, for a question about mounts, disks, ships and berths. */
function scoresOf(text: string, { question = 'mounts', share = 1, heading = 'A' }: Read = {}): number[] {
  const headingPath = [heading];
  const section = readSection(
    withStructure({ id: 'a.md', text, headingPath, share }),
    weights,
    new UnitMemo(),
  );
  return answerScores({ question, weights, sections: [section] })(section);
}

/** The score of the first of two units less that of the second. */
function difference(text: string, question?: string): number {
  const scores = scoresOf(text, question === undefined ? {} : { question });
  expect(scores).toHaveLength(2);
  const [first = NaN, second = NaN] = scores;
  return first - second;
}

const REST = 'that lies in the harbour until the evening';
const FAR = `\n\nNothing here, ${REST}.`.repeat(3);

describe('answerScores', () => {
  it('prefers a rare word of the question to a frequent one', () => {
    expect(difference(`It takes a mount ${REST}. It takes a disk ${REST}.`)).toBeGreaterThan(0.2);
  });

  it('prefers more words of the question', () => {
    expect(difference(`It takes a disk and a ship ${REST}. It takes a disk ${REST}.`)).toBeGreaterThan(0.05);
  });

  it('counts the words of the headings', () => {
    const [below = NaN] = scoresOf(`It lies here, ${REST}.`, { heading: 'Mount' });
    const [other = NaN] = scoresOf(`It lies here, ${REST}.`);
    expect(below - other).toBeGreaterThan(0.2);
  });

  it.each([
    ['after', `A mount ${REST}. It is large, ${REST}.${FAR}`, 1],
    ['before', `It is large, ${REST}. A mount ${REST}.${FAR}`, 0],
  ])('prefers a sentence %s a match to one that is far from it', (_, text, at) => {
    const scores = scoresOf(text);
    expect((scores[at] ?? NaN) - (scores.at(-1) ?? NaN)).toBeGreaterThan(0.1);
  });

  it('adds the share of the section', () => {
    const [best = NaN] = scoresOf(`A disk ${REST}.`, { share: 1 });
    const [other = NaN] = scoresOf(`A disk ${REST}.`, { share: 0.5 });
    expect(best - other).toBeCloseTo(0.4, 10);
  });

  it.each([
    [39, 0.2],
    [40, 0],
  ])('gives less to a unit of %i characters: %f', (length, less) => {
    const short = `It lies ${'x'.repeat(length - 'It lies .'.length)}.`;
    expect(difference(`It lies here, ${REST}. ${short}`)).toBeCloseTo(less, 10);
  });

  it.each([
    ['how is it done?', 0.1],
    ['which command is it?', 0.1],
    ['what is it?', -0.15],
  ])('asked %j, gives a line of code %f more than a sentence', (question, more) => {
    const text = `It lies here: so ${REST}.\n\n\`\`\`\nso ${REST} it lies here\n\`\`\``;
    expect(difference(text, question)).toBeCloseTo(-more, 10);
  });

  it.each([
    ['code, if the question asks for code', 'which setting', `The \`crane\` ${REST}.`, 0.12],
    ['code, not otherwise', 'what', `The \`crane\` ${REST}.`, 0],
    ['an instruction, if the question asks how', 'how', `Use it, ${REST}.`, 0.1],
    ['an instruction, not otherwise', 'what', `Use it, ${REST}.`, 0],
    ['a constraint', 'what', `The crane must lie here ${REST}.`, 0.09],
    ['a constraint, only in English', 'was ist das und wie ist es', `The crane must lie here ${REST}.`, 0],
    ['the quantity that is asked for', 'how many cranes', `There are 12 cranes ${REST}.`, 0.35],
    ['a quantity that is not asked for', 'what cranes', `There are 12 cranes ${REST}.`, 0],
  ])('counts %s', (_, question, sentence, more) => {
    expect(difference(`${sentence} That crane lies here ${REST}.`, question)).toBeCloseTo(more, 10);
  });

  it('counts the quantity in a line of code too', () => {
    const text = `\`\`\`\ncranes = 12 and so on and so on and so on\ncranes = many and so on and so on and so on\n\`\`\``;
    expect(difference(text, 'how many cranes')).toBeCloseTo(0.35, 10);
  });

  it('scores a section without units, and one without words of the question', () => {
    expect(scoresOf('')).toEqual([]);
    expect(scoresOf(`It lies here, ${REST}.`, { share: 0 })).toEqual([0]);
  });
});
