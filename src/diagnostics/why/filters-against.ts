import type { SectionFilter, StoredSection } from '../../core/ports/section-index.port.js';

const oneOf = (values: readonly string[]): string =>
  values.map((value) => JSON.stringify(value)).join(' or ');

/**
 * The filters that a section fails, each with the actual and the required value.
 * @returns [] if it passes all of them
 */
export function filtersAgainst(filter: SectionFilter, { section, document }: StoredSection): string[] {
  const { docTags, pathPrefix, updatedAfter, paths, sectionIds, metadata = {} } = filter;
  const { docTag, path, updatedAt } = document;
  const keys = Object.entries(metadata).filter(([key, value]) => document.metadata[key] !== value);
  return [
    ...(docTags && !docTags.includes(docTag)
      ? [`its doc_tag is ${JSON.stringify(docTag)}; the filter requires ${oneOf(docTags)}`]
      : []),
    ...(pathPrefix && !path.startsWith(pathPrefix)
      ? [`its path is ${JSON.stringify(path)}; the filter requires the prefix ${JSON.stringify(pathPrefix)}`]
      : []),
    ...(updatedAfter && updatedAt < updatedAfter
      ? [`it was updated at ${updatedAt}; the filter requires ${updatedAfter} or later`]
      : []),
    ...(paths && !paths.includes(path)
      ? [`its path is ${JSON.stringify(path)}; the filter requires ${oneOf(paths)}`]
      : []),
    ...(sectionIds && !sectionIds.includes(section.id) ? [`it is not one of the requested sections`] : []),
    ...keys.map(([key, value]) => {
      const own = document.metadata[key];
      return `its ${key} is ${own === undefined ? 'not set' : JSON.stringify(own)}; the filter requires ${JSON.stringify(value)}`;
    }),
  ];
}
