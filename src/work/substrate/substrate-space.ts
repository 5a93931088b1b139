import type { Call } from '../../core/call.js';
import { ScopeViolationError } from '../../core/errors.js';
import { projectOf } from '../project-of.js';
import type { WorkSpace } from '../work-space.js';

/**
 * Refuses callers that may see only some documents where tags and repositories can't tell which.
 * @throws ScopeViolationError `documents_limited`
 */
export function refuseLimited({ scope }: Pick<Call, 'scope'>, why: string): void {
  if (!scope.docTags && !scope.repositories) return;
  throw new ScopeViolationError(`You may see only some of the documents, and ${why}.`, {
    reason: 'documents_limited',
    hint: 'Ask the operator for a key without doc_tags and repositories, or search with kb.search.',
  });
}

/**
 * The space of a call.
 * @throws InvalidArgumentError `project_unknown`; ScopeViolationError `documents_limited` for callers that may see only
 *   some documents, because artifacts have neither tag nor repository
 */
export function spaceOf({ scope }: Pick<Call, 'scope'>): WorkSpace {
  refuseLimited({ scope }, 'artifacts have no doc_tag or repository');
  return projectOf({ scope });
}
