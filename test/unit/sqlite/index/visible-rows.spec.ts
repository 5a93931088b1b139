import { visibleRows } from '../../../../src/sqlite/index/find-rows.js';
import { aScope, NO_FILTER } from '../../../support/builders.js';

const seen = (parts: Parameters<typeof aScope>[0] = {}) => ({ ...aScope(parts), seenLists: null });

describe('visibleRows', () => {
  it('has no conditions if everything is visible', () => {
    expect(visibleRows(seen(), NO_FILTER)).toEqual({ conditions: [], values: [] });
  });

  it('combines the conditions of the scope and of the filter', () => {
    const visible = visibleRows(seen({ docTags: ['a'] }), { ...NO_FILTER, docTags: ['b', 'c'] });
    expect(visible).toEqual({
      conditions: ['d.doc_tag IN (?)', 'd.doc_tag IN (?, ?)'],
      values: ['a', 'b', 'c'],
    });
  });

  it('lets only rows through with one of the lists of groups that are seen', () => {
    expect(visibleRows({ ...seen(), seenLists: ['', '[["hr"]]'] })).toEqual({
      conditions: ['d.allow IN (SELECT value FROM json_each(?))'],
      values: [String.raw`["","[[\"hr\"]]"]`],
    });
  });

  it('lets no row through for an empty scope', () => {
    expect(visibleRows(seen({ docTags: [] }), NO_FILTER)).toEqual({
      conditions: ['d.doc_tag IN ()'],
      values: [],
    });
  });

  it.each<[string, (string | number)[]]>([
    ['a/', ['a/', 'a0']],
    ['a%_', ['a%_', 'a%`']],
    ['漢', ['漢', '漣']],
    ['\ud7ff', ['\ud7ff', '\ue000']],
    ['a\u{10ffff}', ['a\u{10ffff}', 'b']],
    ['\u{10ffff}', ['\u{10ffff}']],
  ])('bounds paths that begin with %j', (pathPrefix, values) => {
    expect(visibleRows(seen(), { ...NO_FILTER, pathPrefix })).toMatchObject({ values });
  });

  it('keeps values of the caller out of the statement', () => {
    const scope = seen({ docTags: ["' OR 1 --"], repositories: ["' OR 1 --"] });
    const filter = { docTags: ["' OR 1 --"], pathPrefix: "' OR 1 --", updatedAfter: "' OR 1 --" };
    expect(visibleRows(scope, filter).conditions.join()).not.toContain('OR 1');
  });
});
