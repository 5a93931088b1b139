import type { Call } from '../../core/call.js';
import { InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import type { SubstrateSpace } from '../../core/ports/artifact-store.port.js';

/**
 * The space of a call.
 * @throws InvalidArgumentError `project_unknown`, because what is stored without a project could not be found later;
 *   ScopeViolationError `documents_limited` for callers that may see only some documents, because artifacts have neither
 *   tag nor repository
 */
export function spaceOf({ scope }: Pick<Call, 'scope'>): SubstrateSpace {
  const { projectId, environment, docTags, repositories } = scope;
  if (docTags || repositories) {
    throw new ScopeViolationError(
      'You may see only some of the documents, and artifacts have no doc_tag or repository.',
      {
        reason: 'documents_limited',
        hint: 'Ask the operator for a key without doc_tags and repositories, or search with kb.search.',
      },
    );
  }
  if (projectId !== '' && environment !== '') return { projectId, environment };
  throw new InvalidArgumentError('This server does not know its project yet.', {
    reason: 'project_unknown',
    hint: 'The operator should set PITH_PROJECT and PITH_ENVIRONMENT, or index documents first.',
  });
}
