import { questionShape } from '../../../../src/kb/evidence/answer-cues.js';
import { COVERAGE_WEIGHTS, scoreUnits } from '../../../../src/kb/evidence/score-units.js';
import { readSection, UnitMemo, weighQuestion } from '../../../../src/kb/evidence/sections/read-section.js';
import { withStructure } from '../../../support/builders.js';

const scoresOf = (text: string): number[] => {
  const weights = weighQuestion(['mount', 'disk'], { mount: 3, disk: 5 }, 100);
  const section = readSection(
    withStructure({ id: 'a.md', text, headingPath: ['A'], share: 1 }),
    weights,
    new UnitMemo(),
  );
  return scoreUnits(section, questionShape('mount disk'), COVERAGE_WEIGHTS).map(({ score }) => score);
};

describe('scoreUnits', () => {
  it('scores a line of code like a sentence with the same words', () => {
    const [sentence, code] = scoresOf('Mount disk.\n\n```\nmount disk\n```\n');
    expect(code).toBeCloseTo(sentence ?? 0, 10);
  });

  it('scores a line with more words of the question higher', () => {
    const [one, both] = scoresOf('```\ndisk\nmount disk\n```\n');
    expect(both).toBeGreaterThan(one ?? 0);
  });
});
