import { nearestIds } from '../../../src/scope/nearest-ids';

const IDS = ['guides/install.md#_preamble', 'guides/install.md#steps', 'reference/api.md#errors', 'über.md'];

describe('nearestIds', () => {
  it.each([
    ['a typo in the path', 'guides/instal.md#steps', 'guides/install.md#steps'],
    ['another heading', 'guides/install.md#step', 'guides/install.md#steps'],
    ['a page that moved', 'manual/guides/install.md#steps', 'guides/install.md#steps'],
    ['another case', 'Reference/API.md#Errors', 'reference/api.md#errors'],
    ['a path that is percent-encoded', '%C3%BCber.md', 'über.md'],
  ])('lists the intended id first for %s', (_, id, meant) => {
    expect(nearestIds(id, IDS, 3)[0]).toBe(meant);
  });

  it('returns at most the given number, and only similar ids', () => {
    expect(nearestIds('guides/install.md', IDS, 1)).toHaveLength(1);
    expect(nearestIds('zzz', IDS, 5)).toEqual([]);
    expect(nearestIds('', IDS, 5)).toEqual([]);
    expect(nearestIds('guides', [], 5)).toEqual([]);
  });

  it('breaks ties by id', () => {
    expect(nearestIds('abcx', ['abcz', 'abcy'], 2)).toEqual(['abcy', 'abcz']);
  });

  it('accepts hostile ids', () => {
    expect(nearestIds('%'.repeat(100_000), ['%.md'], 5)).toEqual([]);
    expect(nearestIds('\ud83d\0', ['\ud83d\0'], 5)).toEqual(['\ud83d\0']);
  });
});
