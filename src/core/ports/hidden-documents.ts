import { type Scope, scopeAllows } from '../scope.js';
import { encodePath, pagePath } from '../section-id.js';
import type { SectionIndex } from './section-index.port.js';

/**
 * The documents among those of some sections that are outside a scope now: what is stored about them was visible before they
 * got groups, or another tag or repository.
 * @param ids  of sections
 * @returns paths, as ids of sections have them; without documents that do not exist any more
 * @throws BackendUnavailableError
 */
export async function findHidden(
  index: Pick<SectionIndex, 'sections'>,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { docTags, repositories, groups = null } = scope;
  const pages = [...new Set(ids.map(pagePath))];
  if (pages.length === 0 || (docTags === null && repositories === null && groups === null)) return new Set();
  const all = { ...scope, docTags: null, repositories: null, groups: null };
  const { sections } = await index.sections(all, pages);
  const hidden = sections.filter(({ document }) => !scopeAllows(scope, document));
  return new Set(hidden.map(({ document }) => encodePath(document.path)));
}
