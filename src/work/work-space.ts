import type { Call } from '../core/call.js';
import { InvalidArgumentError, ScopeViolationError } from '../core/errors.js';
import type { Scope } from '../core/scope.js';

/** The project and environment that work of agents belongs to. Nothing outside of it exists for its callers. */
export type WorkSpace = Pick<Scope, 'projectId' | 'environment'>;

/**
 * The project and environment that the work of a call belongs to.
 * @throws InvalidArgumentError `project_unknown`, because what is stored without a project could not be found later
 */
export function projectOf({ scope }: Pick<Call, 'scope'>): WorkSpace {
  const { projectId, environment } = scope;
  if (projectId !== '' && environment !== '') return { projectId, environment };
  const missing = [
    ...(projectId === '' ? ['PITH_PROJECT'] : []),
    ...(environment === '' ? ['PITH_ENVIRONMENT'] : []),
  ].join(' and ');
  throw new InvalidArgumentError(`This server has no ${missing}, and no index that names it.`, {
    reason: 'project_unknown',
    hint: `The operator should set ${missing}, or index documents first.`,
  });
}

/**
 * Refuses callers that may see only some documents where tags, repositories and groups can't tell which.
 * @throws ScopeViolationError `documents_limited`
 */
export function refuseLimited({ scope }: Pick<Call, 'scope'>, why: string): void {
  if (!scope.docTags && !scope.repositories && !scope.groups) return;
  throw new ScopeViolationError(`You may see only some of the documents, and ${why}.`, {
    reason: 'documents_limited',
    hint: 'Ask the operator for a key that may see all documents, or search with kb.search.',
  });
}

/**
 * The space of a call.
 * @throws InvalidArgumentError `project_unknown`; ScopeViolationError `documents_limited` for callers that may see only
 *   some documents, because artifacts have no tag, repository or groups
 */
export function spaceOf({ scope }: Pick<Call, 'scope'>): WorkSpace {
  refuseLimited({ scope }, 'artifacts have no doc_tag, repository or groups');
  return projectOf({ scope });
}
