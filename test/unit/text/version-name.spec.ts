import {
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
    ['3.0-rc1', '2.9'],
    ['latest', '9.9'],
    ['1.0', 'next'],
  ])('puts %s above %s', (newer, older) => {
    expect(isNewerVersion(newer, older)).toBe(true);
    expect(isNewerVersion(older, newer)).toBe(false);
  });

  it('is false for equal versions, and for names that are not versions', () => {
    expect(isNewerVersion('3.0', '3')).toBe(false);
    expect(isNewerVersion('3.0', 'guides')).toBe(false);
    expect(isNewerVersion('guides', '3.0')).toBe(false);
  });
});

describe('namesVersion', () => {
  it.each([
    ['How do I dock in 7.4?', '7.4'],
    ['How do I dock in v7.4', 'version-7.4'],
    ['is 17.4 or 7.4 the last one', 'v7.4'],
    ['the latest berth', 'latest'],
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
  ])('is false for "%s" and %s', (text, name) => {
    expect(namesVersion(text, name)).toBe(false);
  });
});
