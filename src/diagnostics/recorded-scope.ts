import { InvalidArgumentError, ScopeViolationError } from '../errors.js';
import { narrowScope } from '../scope/scope.js';
import type { Scope } from '../scope/scope.js';
import type { DiagnosticRecord } from './diagnostic-record.js';

/**
 * The scope of a recorded call, no wider than what is configured now.
 * @throws InvalidArgumentError where the record is of another project or environment; ScopeViolationError where nothing
 *   is in both
 */
export function recordedScope(configured: Scope, { scope }: DiagnosticRecord): Scope {
  const { project_id, environment, doc_tag, repositories } = scope;
  if (project_id !== configured.projectId || environment !== configured.environment) {
    const [theirs, ours] = [
      `${project_id} (${environment})`,
      `${configured.projectId} (${configured.environment})`,
    ];
    throw new InvalidArgumentError(`The diagnostic is of project ${theirs}, and the index is of ${ours}.`, {
      reason: 'project_mismatch',
      hint: 'Say the index of that project with --index.',
    });
  }
  const asked = {
    doc_tags: doc_tag === null ? undefined : doc_tag.split(','),
    repositories: repositories ?? undefined,
  };
  try {
    return narrowScope(configured, asked);
  } catch (cause) {
    if (!(cause instanceof ScopeViolationError)) throw cause;
    throw new ScopeViolationError('Nothing of what the call could see may be seen here.', {
      reason: cause.reason,
      hint: 'Unset PITH_DOC_TAGS and PITH_REPOSITORIES, or set them as they are for that server.',
      cause,
    });
  }
}
