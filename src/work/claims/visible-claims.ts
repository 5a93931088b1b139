import { findHidden } from '../../core/ports/hidden-documents.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import { coversGroups, type Scope, scopeAllows, scopeCovers } from '../../core/scope.js';
import { pagePath } from '../../core/section-id.js';
import type { Claim } from './claim.js';

/** A claim, and the scope of the call that made it; null for claims of earlier versions. */
export interface FoundClaim extends Claim {
  readonly madeIn: Scope | null;
}

/**
 * True for the claims of a space that a scope shows: those whose evidence is all of documents in the scope, to callers
 * with the groups of the maker, because a statement may say anything that its maker could see. A claim without evidence
 * needs a scope that covers that of the maker.
 */
export function isVisible(scope: Scope, { evidence, madeIn }: FoundClaim): boolean {
  if (evidence.length > 0)
    return evidence.every((piece) => scopeAllows(scope, piece)) && (!madeIn || coversGroups(scope, madeIn));
  return scopeCovers(scope, madeIn ?? { ...scope, docTags: null, repositories: null });
}

/**
 * Those of some claims that a scope shows and whose evidence is not of a document that is hidden now.
 * @throws BackendUnavailableError
 */
export async function visibleClaims<C extends FoundClaim>(
  index: Pick<SectionIndex, 'sections'>,
  scope: Scope,
  claims: readonly C[],
): Promise<readonly C[]> {
  const stored = claims.filter((claim) => isVisible(scope, claim));
  const ids = stored.flatMap(({ evidence }) => evidence.map(({ sectionId }) => sectionId));
  const hidden = await findHidden(index, scope, ids);
  return stored.filter(({ evidence }) => !evidence.some(({ sectionId }) => hidden.has(pagePath(sectionId))));
}
