import { isBadges } from '../../../../src/ingest/reading/is-badge.js';

describe('isBadges', () => {
  it.each([
    '![npm](https://img.shields.io/npm/v/x.svg)',
    '[![CI](https://github.com/a/b/actions/workflows/ci.yml/badge.svg?branch=main)](https://github.com/a/b/actions)',
    '[![npm](https://badge.fury.io/js/x.svg "npm")](https://npmjs.com/x)\n[![cov](https://codecov.io/gh/a/b/graph/badge.svg)](https://codecov.io)',
  ])('is true for %s', (markdown) => {
    expect(isBadges(markdown)).toBe(true);
  });

  it.each([
    '',
    'text',
    '![map](images/map.png)',
    '[a](https://img.shields.io)',
    'Version ![npm](https://img.shields.io/npm/v/x.svg) is out.',
  ])('is false for "%s"', (markdown) => {
    expect(isBadges(markdown)).toBe(false);
  });
});
