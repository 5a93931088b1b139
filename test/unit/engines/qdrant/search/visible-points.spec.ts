import { NO_FILTER } from '../../../../../src/core/ports/section-index.port.js';
import {
  MAX_VALUES,
  splitPrefix,
  underPrefix,
  visibleConditions,
} from '../../../../../src/engines/qdrant/search/visible-points.js';
import { EVERYTHING } from '../../../../support/indexed-documents.js';

const NOTHING = { has_id: [] };

describe('visibleConditions', () => {
  it('are none for everything', () => {
    expect(visibleConditions(EVERYTHING, NO_FILTER)).toEqual([]);
  });

  it('keep scope and filter apart, so that one never widens the other', () => {
    const conditions = visibleConditions(
      { ...EVERYTHING, docTags: ['a'] },
      { ...NO_FILTER, docTags: ['a', 'b'] },
    );
    expect(conditions).toEqual([
      { key: 'doc_tag', match: { any: ['a'] } },
      { key: 'doc_tag', match: { any: ['a', 'b'] } },
    ]);
  });

  it.each([
    ['an empty scope', { ...EVERYTHING, docTags: [] }, NO_FILTER],
    ['no sections', EVERYTHING, { ...NO_FILTER, sectionIds: [] }],
    ['half a character', { ...EVERYTHING, repositories: ['\ud83d'] }, NO_FILTER],
  ])('let nothing through for %s', (_, scope, filter) => {
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
  it('names folders whole, and documents that lie beside them', () => {
    const paths = ['guide/a.md', 'guide/deep/b.md', 'guides.md', 'other.md'];
    expect(underPrefix('gui', paths)).toEqual({
      should: [
        { key: 'folders', match: { any: ['guide/'] } },
        { key: 'path', match: { any: ['guides.md'] } },
      ],
    });
  });

  it('names any number of documents, in conditions that are not too long', () => {
    const paths = Array.from({ length: MAX_VALUES + 1 }, (_, i) => `page-${i}.md`);
    const { should } = underPrefix('page', paths) as { should: { match: { any: string[] } }[] };
    const named = should.slice(1).map(({ match }) => match.any);
    expect(named.map(({ length }) => length)).toEqual([MAX_VALUES, 1]);
    expect(named.flat()).toEqual(paths);
  });

  it('is nothing where no path starts so', () => {
    expect(underPrefix('x', ['a.md'])).toEqual({ should: [NOTHING, NOTHING] });
  });
});
