import type { SectionFilter, StoredSection } from '../../core/ports/section-index.port.js';

const oneOf = (values: readonly string[]): string =>
  values.map((value) => JSON.stringify(value)).join(' or ');

/** The filters that a section fails, each with the actual and the required value. */
export function filtersAgainst(filter: SectionFilter, { section, document }: StoredSection): string[] {
  const { docTags, pathPrefix, updatedAfter, paths, sectionIds, metadata = {} } = filter;
  const { docTag, path, updatedAt } = document;
  const failed: string[] = [];
  if (docTags && !docTags.includes(docTag))
    failed.push(`its doc_tag is ${JSON.stringify(docTag)}; the filter requires ${oneOf(docTags)}`);
  if (pathPrefix && !path.startsWith(pathPrefix))
    failed.push(
      `its path is ${JSON.stringify(path)}; the filter requires the prefix ${JSON.stringify(pathPrefix)}`,
    );
  if (updatedAfter && updatedAt < updatedAfter)
    failed.push(`it was updated at ${updatedAt}; the filter requires ${updatedAfter} or later`);
  if (paths && !paths.includes(path))
    failed.push(`its path is ${JSON.stringify(path)}; the filter requires ${oneOf(paths)}`);
  if (sectionIds && !sectionIds.includes(section.id)) failed.push('it is not one of the requested sections');
  for (const [key, value] of Object.entries(metadata)) {
    const own = document.metadata[key];
    if (own === value) continue;
    const shown = own === undefined ? 'not set' : JSON.stringify(own);
    failed.push(`its ${key} is ${shown}; the filter requires ${JSON.stringify(value)}`);
  }
  return failed;
}
