import {
  allowsGroups,
  namedGroups,
  plainLists,
  readGroups,
  visibleKeys,
} from '../../../src/core/document-groups.js';

const HR = '[["hr"]]';

describe('allowsGroups', () => {
  it.each<[string, string[][] | undefined, string[] | null | undefined, boolean]>([
    ['everybody a document without lists', undefined, undefined, true],
    ['a member', [['hr', 'legal']], ['legal'], true],
    ['not a caller of another group', [['hr']], ['eng'], false],
    ['not a caller without groups', [['hr']], undefined, false],
    ['not a caller with a group of one list only', [['hr'], ['leads']], ['hr'], false],
    ['a caller with a group of each list', [['hr'], ['leads']], ['hr', 'leads'], true],
    ['nobody an empty list', [[]], ['hr'], false],
    ['a caller with all groups', [[], ['hr']], null, true],
    ['not a caller whose token names the star', [['hr']], ['*'], false],
  ])('lets %s see it', (_, lists, groups, expected) => {
    expect(allowsGroups(lists, groups)).toBe(expected);
  });
});

describe('readGroups', () => {
  it.each<[unknown, string[]]>([
    ['legal, hr', ['hr', 'legal']],
    [
      ['hr', 'hr', 7],
      ['7', 'hr'],
    ],
    ['*', ['*']],
  ])('reads %j', (written, list) => {
    expect(readGroups(written)).toEqual({ list, problem: null });
  });

  it.each([null, '', [], {}, true, ['hr', ''], ['hr', {}], ['a\u0000'], 'x'.repeat(129)])(
    'lets nobody see a document with %j',
    (written) => {
      expect(readGroups(written)).toMatchObject({ list: [], problem: expect.any(String) });
    },
  );
});

describe('plainLists', () => {
  it('leaves out lists for everybody and repeated lists, and sorts', () => {
    expect(plainLists([['b', 'a'], ['*', 'hr'], ['a', 'b'], []])).toEqual([['a', 'b'], []]);
  });
});

describe('visibleKeys', () => {
  it('is null if all documents are visible', () => {
    expect([visibleKeys([], undefined), visibleKeys([HR], ['hr']), visibleKeys([HR], null)]).toEqual([
      ...[null, null, null],
    ]);
  });

  it('has the documents for everybody, and those of the groups', () => {
    expect(visibleKeys([HR, '[["eng"]]'], ['eng'])).toEqual(['', '[["eng"]]']);
  });
});

describe('namedGroups', () => {
  it('keeps only groups that documents name', () => {
    expect(namedGroups([HR], ['hr', 'other'])).toEqual(['hr']);
    expect(namedGroups([HR], null)).toBeNull();
  });
});
