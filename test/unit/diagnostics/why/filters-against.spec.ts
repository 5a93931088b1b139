import type { SectionFilter } from '../../../../src/core/ports/section-index.port';
import { filtersAgainst } from '../../../../src/diagnostics/why/why-missing.js';
import { aDocument, aSection, NO_FILTER } from '../../../support/builders';

const stored = {
  section: aSection(),
  document: aDocument({ docTag: 'guides', path: 'guides/a.md', metadata: { version: '2' } }),
};

describe('filtersAgainst', () => {
  it.each<[string, Partial<SectionFilter>]>([
    ['nothing', {}],
    ['its tag', { docTags: ['other', 'guides'] }],
    ['the start of its path', { pathPrefix: 'guides/' }],
    ['the time of its last change', { updatedAfter: '2025-12-01T00:00:00.000Z' }],
    ['its path', { paths: ['guides/a.md'] }],
    ['itself', { sectionIds: ['guide.md#use'] }],
    ['a value that it has', { metadata: { version: '2' } }],
  ])('accepts a section if the filter requires %s', (_, filter) => {
    expect(filtersAgainst({ ...NO_FILTER, ...filter }, stored)).toEqual([]);
  });

  it.each<[Partial<SectionFilter>, string]>([
    [{ docTags: ['api', 'faq'] }, 'its doc_tag is "guides"; the filter requires "api" or "faq"'],
    [{ pathPrefix: 'guide/' }, 'its path is "guides/a.md"; the filter requires the prefix "guide/"'],
    [
      { updatedAfter: '2026-01-01T00:00:00.000Z' },
      'it was updated at 2025-12-01T00:00:00.000Z; the filter requires 2026-01-01T00:00:00.000Z or later',
    ],
    [{ paths: ['b.md'] }, 'its path is "guides/a.md"; the filter requires "b.md"'],
    [{ sectionIds: [] }, 'it is not one of the requested sections'],
    [{ metadata: { version: '3' } }, 'its version is "2"; the filter requires "3"'],
    [{ metadata: { lang: 'de' } }, 'its lang is not set; the filter requires "de"'],
  ])('states the required and the actual value for %j', (filter, words) => {
    expect(filtersAgainst({ ...NO_FILTER, ...filter }, stored)).toEqual([words]);
  });

  it('names every filter that the section fails', () => {
    const filter = { ...NO_FILTER, docTags: ['api'], pathPrefix: 'x', metadata: { version: '3' } };
    expect(filtersAgainst(filter, stored)).toHaveLength(3);
  });
});
