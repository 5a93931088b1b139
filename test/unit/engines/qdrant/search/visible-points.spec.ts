import { listsName } from '../../../../../src/core/document-groups.js';
import { NO_FILTER } from '../../../../../src/core/ports/section-index.port.js';
import {
  MAX_VALUES,
  splitPrefix,
  underPrefix,
  visibleConditions,
} from '../../../../../src/engines/qdrant/search/visible-points.js';
import { EVERYTHING } from '../../../../support/indexed-documents.js';

const EVERYWHERE = { ...EVERYTHING, seenLists: null };
const NOTHING = { has_id: [] };

describe('visibleConditions', () => {
  it('are empty if everything is visible', () => {
    expect(visibleConditions(EVERYWHERE, NO_FILTER)).toEqual([]);
  });

  it('are separate for scope and filter, so that neither widens the other', () => {
    const conditions = visibleConditions(
      { ...EVERYWHERE, docTags: ['a'] },
      { ...NO_FILTER, docTags: ['a', 'b'] },
    );
    expect(conditions).toEqual([
      { key: 'doc_tag', match: { any: ['a'] } },
      { key: 'doc_tag', match: { any: ['a', 'b'] } },
    ]);
  });

  it('leave out documents of other groups', () => {
    expect(visibleConditions({ ...EVERYWHERE, seenLists: ['', '[["hr"]]'] })).toEqual([
      { should: [{ key: 'allow', match: { any: ['', listsName('[["hr"]]')] } }] },
    ]);
  });

  it.each([
    ['an empty scope', { ...EVERYWHERE, docTags: [] }, NO_FILTER],
    ['no sections', EVERYWHERE, { ...NO_FILTER, sectionIds: [] }],
    ['half a character', { ...EVERYWHERE, repositories: ['\ud83d'] }, NO_FILTER],
  ])('match nothing for %s', (_, scope, filter) => {
    expect(visibleConditions(scope, filter)).toEqual([NOTHING]);
  });
});

describe('splitPrefix', () => {
  it.each([
    ['guide/', 'guide/', ''],
    ['guide/a', 'guide/', 'a'],
    ['gui', '', 'gui'],
  ])('takes %s apart', (prefix, folder, rest) => {
    expect(splitPrefix(prefix)).toEqual({ folder, rest });
  });
});

describe('underPrefix', () => {
  it('matches whole folders, and documents next to them', () => {
    const paths = ['guide/a.md', 'guide/deep/b.md', 'guides.md', 'other.md'];
    expect(underPrefix('gui', paths)).toEqual({
      should: [
        { key: 'folders', match: { any: ['guide/'] } },
        { key: 'path', match: { any: ['guides.md'] } },
      ],
    });
  });

  it('matches any number of documents, in conditions of limited length', () => {
    const paths = Array.from({ length: MAX_VALUES + 1 }, (_, i) => `page-${i}.md`);
    const { should } = underPrefix('page', paths) as { should: { match: { any: string[] } }[] };
    const named = should.slice(1).map(({ match }) => match.any);
    expect(named.map(({ length }) => length)).toEqual([MAX_VALUES, 1]);
    expect(named.flat()).toEqual(paths);
  });

  it('matches nothing if no path has this prefix', () => {
    expect(underPrefix('x', ['a.md'])).toEqual({ should: [NOTHING, NOTHING] });
  });
});
