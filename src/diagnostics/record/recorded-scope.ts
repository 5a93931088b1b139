import { InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { narrowScope, type Scope, scopeCovers } from '../../core/scope.js';
import type { DiagnosticRecord } from './diagnostic-record.js';

/** The doc tags of a recorded scope: null for every tag, [] for none. */
function recordedTags(docTag: string | null): string[] | null {
  if (docTag === null) return null;
  return docTag === '' ? [] : docTag.split(',');
}

/** The recorded scope within the current one. @throws InvalidArgumentError; ScopeViolationError without overlap */
export function recordedScope(configured: Scope, { scope }: DiagnosticRecord): Scope {
  const { project_id, environment, doc_tag, repositories } = scope;
  if (project_id !== configured.projectId || environment !== configured.environment) {
    const theirs = `${project_id} (${environment})`;
    const ours = `${configured.projectId} (${configured.environment})`;
    throw new InvalidArgumentError(`The diagnostic is for project ${theirs}, and the index is for ${ours}.`, {
      reason: 'project_mismatch',
      hint: 'Choose the index of that project with --index.',
    });
  }
  const asked = { doc_tags: recordedTags(doc_tag) ?? undefined, repositories: repositories ?? undefined };
  try {
    return narrowScope(configured, asked);
  } catch (cause) {
    if (!(cause instanceof ScopeViolationError)) throw cause;
    const message = 'The scope of the recorded call does not overlap the scope of this command.';
    const hint = 'Unset PITH_DOC_TAGS and PITH_REPOSITORIES, or set them to the values of that server.';
    throw new ScopeViolationError(message, { reason: cause.reason, hint, cause });
  }
}

/** False for a call that was refused before it had a scope. */
export const hasScope = ({ scope }: Pick<DiagnosticRecord, 'scope'>): boolean =>
  scope.project_id !== '' || scope.environment !== '';

/**
 * True if a record may be read within a scope: the recorded call saw nothing outside it. Calls that were refused
 * before they had a scope saw nothing.
 * @param scope  an empty project covers all projects: none is configured and there is no index
 */
export function isWithin(scope: Scope, record: Pick<DiagnosticRecord, 'scope'>): boolean {
  if (!hasScope(record)) return true;
  const { project_id: projectId, environment, doc_tag, repositories, groups = [] } = record.scope;
  return scopeCovers(scope, { projectId, environment, docTags: recordedTags(doc_tag), repositories, groups });
}
