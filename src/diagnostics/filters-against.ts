import type { SectionFilter, StoredSection } from '../kb/section-index.port.js';

const oneOf = (values: readonly string[]): string =>
  values.map((value) => JSON.stringify(value)).join(' or ');

/**
 * The filters that a section does not pass, each in a few words: what it has and what was asked for.
 * @returns [] where it passes all of them
 */
export function filtersAgainst(filter: SectionFilter, { section, document }: StoredSection): string[] {
  const { docTags, pathPrefix, updatedAfter, paths, sectionIds, metadata = {} } = filter;
  const { docTag, path, updatedAt } = document;
  const keys = Object.entries(metadata).filter(([key, value]) => document.metadata[key] !== value);
  return [
    ...(docTags && !docTags.includes(docTag)
      ? [`doc_tag is ${JSON.stringify(docTag)}, asked for is ${oneOf(docTags)}`]
      : []),
    ...(pathPrefix && !path.startsWith(pathPrefix)
      ? [`path is ${JSON.stringify(path)}, asked for is what starts with ${JSON.stringify(pathPrefix)}`]
      : []),
    ...(updatedAfter && updatedAt < updatedAfter
      ? [`updated at ${updatedAt}, asked for is ${updatedAfter} or later`]
      : []),
    ...(paths && !paths.includes(path)
      ? [`path is ${JSON.stringify(path)}, asked for is ${oneOf(paths)}`]
      : []),
    ...(sectionIds && !sectionIds.includes(section.id) ? [`it is none of the sections asked for`] : []),
    ...keys.map(([key, value]) => {
      const own = document.metadata[key];
      return `${key} is ${own === undefined ? 'not set' : JSON.stringify(own)}, asked for is ${JSON.stringify(value)}`;
    }),
  ];
}
