import { InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { narrowScope, type Scope } from '../../core/scope.js';
import type { DiagnosticRecord } from './diagnostic-record.js';

/** The doc tags of a recorded scope: null for every tag, [] for none. */
export function recordedTags(docTag: string | null): string[] | null {
  if (docTag === null) return null;
  return docTag === '' ? [] : docTag.split(',');
}

/**
 * The scope of a recorded call, restricted to the scope configured now.
 * @throws InvalidArgumentError if the record is of another project or environment; ScopeViolationError if the scopes
 *   do not overlap
 */
export function recordedScope(configured: Scope, { scope }: DiagnosticRecord): Scope {
  const { project_id, environment, doc_tag, repositories } = scope;
  if (project_id !== configured.projectId || environment !== configured.environment) {
    const [theirs, ours] = [
      `${project_id} (${environment})`,
      `${configured.projectId} (${configured.environment})`,
    ];
    throw new InvalidArgumentError(`The diagnostic is for project ${theirs}, and the index is for ${ours}.`, {
      reason: 'project_mismatch',
      hint: 'Choose the index of that project with --index.',
    });
  }
  const asked = {
    doc_tags: recordedTags(doc_tag) ?? undefined,
    repositories: repositories ?? undefined,
  };
  try {
    return narrowScope(configured, asked);
  } catch (cause) {
    if (!(cause instanceof ScopeViolationError)) throw cause;
    throw new ScopeViolationError(
      'The scope of the recorded call does not overlap the scope of this command.',
      {
        reason: cause.reason,
        hint: 'Unset PITH_DOC_TAGS and PITH_REPOSITORIES, or set them to the values of that server.',
        cause,
      },
    );
  }
}
