import {
  type FoundSection,
  massOf,
  readSection,
  UnitMemo,
  weighQuestion,
} from '../../../../../src/kb/evidence/sections/read-section.js';
import { inverseFrequency } from '../../../../../src/kb/search/bm25.js';
import { withStructure } from '../../../../support/builders.js';

// Of ten sections one holds `disk` and three hold `full`: ln(1 + 9.5 / 1.5) and ln(1 + 7.5 / 3.5).
const DISK = 1.992430164690206;
const FULL = 1.1451323043030026;
const WEIGHTS = weighQuestion(['disk', 'full'], { disk: 1, full: 3 }, 10);

const read = (text: string, overrides: Partial<FoundSection> = {}) =>
  readSection(
    withStructure({ id: 'a.md', text, headingPath: ['Guide'], share: 1, ...overrides }),
    WEIGHTS,
    new UnitMemo(),
  );
const unitOf = (text: string) => read(text).units[0];

describe('inverseFrequency', () => {
  it.each([
    ['a rare term', 1, 10, DISK],
    ['a common term', 3, 10, FULL],
    // ln(1 + .5 / 10.5)
    ['a term of every section above 0', 10, 10, 0.04652001563489282],
    // ln(1 + 10.5 / .5)
    ['a term of no section highest', 0, 10, 3.091042453358316],
  ])('weighs %s', (_, found, sectionCount, weight) => {
    expect(inverseFrequency(found, sectionCount)).toBeCloseTo(weight, 12);
  });
});

describe('weighQuestion', () => {
  it('weighs the terms that are in the index, and sums the weights', () => {
    const { weightOf, total } = weighQuestion(['disk', 'gone', 'full'], { disk: 1, gone: 0, full: 3 }, 10);
    expect([...weightOf.keys()]).toEqual(['disk', 'full']);
    expect(weightOf.get('disk')).toBeCloseTo(DISK, 12);
    expect(total).toBeCloseTo(DISK + FULL, 12);
  });

  it('counts a repeated term once, also in the sum', () => {
    expect(weighQuestion(['disk', 'disk'], { disk: 1 }, 10).total).toBeCloseTo(DISK, 12);
  });

  it('weighs nothing for a question without terms', () => {
    expect(weighQuestion([], {}, 10)).toEqual({ weightOf: new Map(), total: 0 });
  });
});

describe('massOf', () => {
  it.each<[string[], number]>([
    [['disk', 'full'], 1],
    // 1.99243 / 3.13756
    [['disk'], 0.635025],
    [['full', 'ship'], 0.364975],
    [['ship'], 0],
    [[], 0],
  ])('weighs %j as a share of the question', (terms, mass) => {
    expect(massOf(terms, WEIGHTS)).toBeCloseTo(mass, 6);
  });

  it('is 0 for a question without terms', () => {
    expect(massOf(['disk'], weighQuestion([], {}, 10))).toBe(0);
  });
});

describe('readSection', () => {
  it.each([
    // 1.2 (.25 + .75 · 4/14) = .557143; both terms once: 1 / (1 + .557143).
    ['The disk is full.', 1, 0.642202],
    // 1.2 (.25 + .75 · 5/14) = .621429; 2 / (2 + .621429) of .635025.
    ['A disk and a disk.', 0.635025, 0.484488],
    // 1.2 (.25 + .75 · 1/14) = .364286; 1 / (1 + .364286) of .364975.
    ['Full.', 0.364975, 0.267521],
    // 1.2 (.25 + .75 · 14/14) = 1.2; 1 / 2.2 of .635025.
    ['One two three four five six seven eight nine ten eleven twelve thirteen disks', 0.635025, 0.288648],
    ['A ship.', 0, 0],
  ])('computes for %j coverage %s and strength %s', (text, coverage, strength) => {
    const unit = unitOf(text);
    expect(unit?.coverage).toBeCloseTo(coverage, 5);
    expect(unit?.strength).toBeCloseTo(strength, 5);
  });

  it('counts the occurrences of the terms of the question, in any form', () => {
    expect(unitOf('Disks and a disk on a ship, full.')?.counts).toEqual(
      new Map([
        ['disk', 2],
        ['full', 1],
      ]),
    );
  });

  it('reads every unit, with its kind and position', () => {
    expect(read('A disk:\n```\nls disk\n```\n| Full |\n|---|\n| no |').units).toMatchObject([
      { kind: 'sentence', start: 0, end: 7, isHeader: false },
      { kind: 'code', start: 12, end: 19, isHeader: false },
      { kind: 'row', start: 24, end: 32, isHeader: true },
      { kind: 'row', start: 39, end: 45, isHeader: false },
    ]);
  });

  it('finds the terms of the headings above', () => {
    const section = read('Use it.', { headingPath: ['Disks', 'When disks are new'] });
    expect(section.headingTerms).toEqual(new Set(['disk']));
  });

  it('computes the coverage of each unit together with the headings above', () => {
    const { units } = read('Use it. It is full. A disk.', { headingPath: ['Disks'] });
    expect(units.map(({ coverageWithHeadings }) => coverageWithHeadings)).toEqual([
      expect.closeTo(0.635025, 5),
      expect.closeTo(1, 5),
      expect.closeTo(0.635025, 5),
    ]);
  });

  it.each<[string[], boolean]>([
    [['Guide'], false],
    [['Guide', 'Disks'], true],
    [[], false],
  ])('decides for the headings %j whether one is below the title: %s', (headingPath, isBelowTitle) => {
    expect(read('Use it.', { headingPath }).isBelowTitle).toBe(isBelowTitle);
  });

  it('keeps the properties of the found section', () => {
    expect(read('Use it.', { id: 'b.md', share: 0.5 })).toMatchObject({
      id: 'b.md',
      text: 'Use it.',
      share: 0.5,
    });
  });

  it('computes 0 for a question without terms', () => {
    const nothing = weighQuestion([], {}, 10);
    const { units } = readSection(
      withStructure({ id: 'a', text: 'A disk.', headingPath: [], share: 1 }),
      nothing,
      new UnitMemo(),
    );
    expect(units).toMatchObject([{ coverage: 0, strength: 0, counts: new Map() }]);
  });
});
