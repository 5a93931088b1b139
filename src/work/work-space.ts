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

/** True for callers that see the documents of all groups. */
const seesAllGroups = ({ groups }: Scope): boolean => groups === undefined || groups === null;

/** True for callers that may see all documents, and so may know how many there are. */
export const seesAll = (scope: Scope): boolean =>
  scope.docTags === null && scope.repositories === null && seesAllGroups(scope);

/**
 * Refuses callers that may see only documents of some groups where groups can't tell which.
 * @throws ScopeViolationError `documents_limited`
 */
export function refuseGroups({ scope }: Pick<Call, 'scope'>, why: string): void {
  if (!seesAllGroups(scope)) throw documentsLimited(why);
}

/**
 * Refuses callers that may see only some documents where tags, repositories and groups can't tell which.
 * @throws ScopeViolationError `documents_limited`
 */
export function refuseLimited({ scope }: Pick<Call, 'scope'>, why: string): void {
  if (!seesAll(scope)) throw documentsLimited(why);
}

const documentsLimited = (why: string): ScopeViolationError =>
  new ScopeViolationError(`You may see only some of the documents, and ${why}.`, {
    reason: 'documents_limited',
    hint: 'Ask the operator for a key that may see all documents, or search with kb.search.',
  });

/**
 * The space of a call.
 * @throws InvalidArgumentError `project_unknown`; ScopeViolationError `documents_limited` for callers that may see only
 *   some documents, because artifacts have no tag, repository or groups
 */
export function spaceOf({ scope }: Pick<Call, 'scope'>): WorkSpace {
  refuseLimited({ scope }, 'artifacts have no doc_tag, repository or groups');
  return projectOf({ scope });
}
