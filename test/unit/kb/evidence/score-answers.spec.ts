import { answerScores } from '../../../../src/kb/evidence/score-answers.js';
import { readSection, weighQuestion } from '../../../../src/kb/evidence/sections/read-section.js';
import { UnitMemo } from '../../../../src/kb/evidence/sections/unit-memo.js';

const weights = weighQuestion(['mount', 'disk'], { mount: 3, disk: 5 }, 100);

/** The scores of the units of a text, for a question about mounting disks. */
function scoresOf(text: string, { question = 'mounted disks', share = 1 } = {}): number[] {
  const section = readSection({ id: 'a.md', text, headingPath: ['A'], share }, weights, new UnitMemo());
  return answerScores({ question, weights, sections: [section] })(section);
}

/** The score of the first unit less that of the second. */
function difference(text: string, question?: string): number {
  const [first = 0, second = 0] = scoresOf(text, question === undefined ? {} : { question });
  return first - second;
}

const REST = 'which lies in the harbour until the evening';
const FAR = `\n\nNothing here, ${REST}.`.repeat(2);

describe('answerScores', () => {
  it('prefers more and rarer words of the question', () => {
    expect(difference(`It can mount a disk ${REST}. It takes a disk ${REST}.`)).toBeGreaterThan(0);
    const [rare = 0, , , frequent = 0] = scoresOf(`A mount ${REST}.${FAR}\n\nA disk ${REST}.`);
    expect(rare).toBeGreaterThan(frequent);
  });

  it('prefers a sentence beside a match to one that is far from it', () => {
    const [, beside = 0, , far = 0] = scoresOf(`A disk ${REST}. It is large, ${REST}.${FAR}`);
    expect(beside).toBeGreaterThan(far);
  });

  it('prefers a better section', () => {
    const text = `A disk ${REST}.`;
    expect(scoresOf(text, { share: 1 })[0]).toBeGreaterThan(scoresOf(text, { share: 0.5 })[0] ?? 0);
  });

  it('gives short units less', () => {
    expect(difference(`A disk lies here ${REST}. A disk lies here.`)).toBeCloseTo(0.2, 1);
  });

  it.each([
    ['how do I mount a disk?', 0.1],
    ['which command mounts a disk?', 0.1],
    ['the mounted disk', -0.15],
  ])('asked %j, gives a line of code %f more than a sentence', (question, more) => {
    const text = `The lines: mount the disk ${REST}.\n\n\`\`\`\nmount the disk ${REST}\n\`\`\``;
    expect(difference(text, question)).toBeCloseTo(-more, 1);
  });

  it.each([
    ['code, if the question asks for code', 'which setting', `The \`disk\` ${REST}.`, 0.12],
    ['code, not otherwise', 'what', `The \`disk\` ${REST}.`, 0],
    ['an instruction, if the question asks how', 'how', `Use this disk ${REST}.`, 0.2],
    ['an instruction, not otherwise', 'what', `Use this disk ${REST}.`, 0],
    ['a constraint', 'what', `The disk must lie here ${REST}.`, 0.09],
    ['the quantity that is asked for', 'how many disks', `There are 12 disks ${REST}.`, 0.35],
    ['a quantity that is not asked for', 'what disks', `There are 12 disks ${REST}.`, 0],
  ])('counts %s', (_, question, sentence, more) => {
    expect(difference(`${sentence} That disk lies here ${REST}.`, question)).toBeCloseTo(more, 1);
  });
});
