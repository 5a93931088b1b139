import {
  byNewestVersion,
  isNewerVersion,
  isSurelyVersion,
  isVersionName,
  namesVersion,
} from '../../../src/text/version-name.js';

describe('isVersionName', () => {
  it.each([
    '2',
    '2.21',
    'v3',
    'version-7.5',
    'version_7.5',
    '4.0.x',
    '5.0-rc1',
    'v2.0.0-beta.2',
    'latest',
    'next',
    'draft',
    'latest-dev',
    '3.8-DRAFT',
    '3.8 (draft)',
    '5.0.0.M2',
    '5.3.1.Final',
    '1.0b2',
    '2.0.0-SNAPSHOT',
    '1.2.0-rc.1+build.5',
  ])('is true for %s', (name) => {
    expect(isVersionName(name)).toBe(true);
  });

  it.each(['docs', 'vault', 'v', 'api-2', '2024-01-31', '1.2.3.4.5', 'x2', ''])(
    'is false for "%s"',
    (name) => {
      expect(isVersionName(name)).toBe(false);
    },
  );
});

describe('isSurelyVersion', () => {
  it('is false for a number alone, which can be a chapter, and for names that folders of sources have', () => {
    expect(['3', '2024', 'main', 'latest', 'v3', '3.1'].filter(isSurelyVersion)).toEqual(['v3', '3.1']);
  });
});

describe('isNewerVersion', () => {
  it.each([
    ['2.22', '2.21'],
    ['2.10', '2.9'],
    ['v3', '2.9.9'],
    ['3', '3.0-rc1'],
    ['2.9', '3.0-rc1'],
    ['2.9', '3.0 (draft)'],
    ['5.3.Final', '6.0.0.M2'],
    ['3.0-rc2', '3.0-rc1'],
    ['3.0-rc1', '3.0-beta.4'],
    ['3.0b1', '3.0a3'],
    ['3.0-alpha', '3.0-SNAPSHOT'],
    ['3.1-alpha', '3.0-rc1'],
    ['latest', '9.9'],
    ['stable', 'latest'],
    ['1.0', 'next'],
    ['1.0', 'draft'],
    ['1.0', 'latest-dev'],
    ['2.0-rc1', 'main'],
  ])('puts %s above %s', (newer, older) => {
    expect(isNewerVersion({ name: newer }, { name: older })).toBe(true);
    expect(isNewerVersion({ name: older }, { name: newer })).toBe(false);
  });

  it('puts a release above a version that is said to be unreleased', () => {
    const [draft, release] = [{ name: '3.8', isUnreleased: true }, { name: '3.7' }];
    expect([isNewerVersion(release, draft), isNewerVersion(draft, release)]).toEqual([true, false]);
    expect(isNewerVersion(draft, { name: '3.6', isUnreleased: true })).toBe(true);
  });

  it('is false for equal versions, and for names that are not versions', () => {
    expect(isNewerVersion({ name: '3.0' }, { name: '3' })).toBe(false);
    expect(isNewerVersion({ name: '3.0' }, { name: 'guides' })).toBe(false);
    expect(isNewerVersion({ name: 'guides' }, { name: '3.0' })).toBe(false);
  });
});

describe('byNewestVersion', () => {
  it('has releases first, then what is not released, then other names', () => {
    const names = ['v9', '10.0', 'next', 'other', '3.0-rc1', 'latest', '3.0'];
    expect(names.sort(byNewestVersion)).toEqual(['latest', '10.0', 'v9', '3.0', '3.0-rc1', 'next', 'other']);
  });
});

describe('namesVersion', () => {
  it.each([
    ['How do I dock in 7.4?', '7.4'],
    ['How do I dock in v7.4', 'version-7.4'],
    ['is 17.4 or 7.4 the last one', 'v7.4'],
    ['the latest berth', 'latest'],
    ['How do I dock in the next version?', 'next'],
    ['How do I dock in `main`?', 'main'],
    ['docking on the main branch', 'main'],
  ])('is true for "%s" and %s', (text, name) => {
    expect(namesVersion(text, name)).toBe(true);
  });

  it.each([
    ['How do I dock in 7.4.1?', '7.4'],
    ['How do I dock in 17.4?', '7.4'],
    ['How do I dock?', '7.4'],
    ['How do I dock in 7.45?', '7.4'],
    ['fees for 11 people', '1'],
    ['port 8088', '8'],
    ['in 1.22', '2'],
    ['What is the next step?', 'next'],
    ['Where is the main menu?', 'main'],
    ['How do I save a draft?', 'draft'],
  ])('is false for "%s" and %s', (text, name) => {
    expect(namesVersion(text, name)).toBe(false);
  });
});
