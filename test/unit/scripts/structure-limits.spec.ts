import { complaint, type Measure, reportLines } from '../../../scripts/structure-limits.mjs';

const FILES: Measure<readonly string[]> = {
  name: 'small files',
  limit: 2,
  goal: 0,
  of: (paths) => paths,
  remedy: 'Fold them.',
};

describe('complaint', () => {
  it('is null up to the limit', () => {
    expect(complaint(FILES, ['a.ts', 'b.ts'])).toBeNull();
  });

  it('gives the number, the limit and what to do', () => {
    expect(complaint(FILES, ['a.ts', 'b.ts', 'c.ts'])).toBe(
      'small files: 3, limit 2. Fold them. The script that prints the measure lists them with --list "small files".',
    );
  });
});

describe('reportLines', () => {
  const LINES: Measure<readonly string[]> = { ...FILES, name: 'lines', goal: null, of: () => 7 };

  it('gives each number with its limit and goal', () => {
    expect(reportLines([FILES, LINES], ['a.ts'], [])).toEqual([
      'small files: 1 (limit 2, goal 0)',
      'lines: 7 (limit 2)',
    ]);
  });

  it('lists what a measure counts if its name contains the word', () => {
    expect(reportLines([FILES, LINES], ['a.ts'], ['--list', 'small'])).toContain('  a.ts');
    expect(reportLines([FILES], ['a.ts'], ['--list', 'large'])).toEqual(['small files: 1 (limit 2, goal 0)']);
  });
});
