import { ScopeViolationError } from './errors.js';

/** What one call may see. `null` means every tag or repository of the project. */
export interface Scope {
  readonly projectId: string;
  readonly environment: string;
  readonly docTags: readonly string[] | null;
  readonly repositories: readonly string[] | null;
}

/** The `scope` object of a request; every field narrows, none widens. An empty list matches nothing. */
export interface ScopeRequest {
  readonly project_id?: string | undefined;
  readonly environment?: string | undefined;
  readonly doc_tags?: readonly string[] | undefined;
  readonly repositories?: readonly string[] | undefined;
}

const HINT = 'Omit `scope` to search everything you may access. Call scope.describe to list it.';

function narrowList(
  own: readonly string[] | null,
  asked: readonly string[] | undefined,
  field: string,
): readonly string[] | null {
  if (!asked) return own;
  const unique = [...new Set(asked)].sort();
  if (own === null) return unique;
  const both = unique.filter((value) => own.includes(value));
  if (both.length > 0 || unique.length === 0) return both;
  throw new ScopeViolationError(`${field} is outside the scope of this caller.`, {
    reason: `${field}_mismatch`,
    hint: HINT,
  });
}

/**
 * Narrows the configured scope by a request.
 * @throws ScopeViolationError for another project or environment, or tags or repositories wholly outside
 */
export function narrowScope(own: Scope, asked: ScopeRequest | undefined): Scope {
  if (!asked) return own;
  if (asked.project_id !== undefined && asked.project_id !== own.projectId) {
    throw new ScopeViolationError('project_id is not the project of this server.', {
      reason: 'project_mismatch',
      hint: HINT,
    });
  }
  if (asked.environment !== undefined && asked.environment !== own.environment) {
    throw new ScopeViolationError('environment is not the environment of this server.', {
      reason: 'environment_mismatch',
      hint: HINT,
    });
  }
  return {
    ...own,
    docTags: narrowList(own.docTags, asked.doc_tags, 'doc_tags'),
    repositories: narrowList(own.repositories, asked.repositories, 'repositories'),
  };
}

/** Whether a row with this tag and repository lies inside the scope. */
export function scopeAllows(
  scope: Scope,
  row: { readonly docTag: string; readonly repository: string },
): boolean {
  if (scope.docTags && !scope.docTags.includes(row.docTag)) return false;
  return !scope.repositories || scope.repositories.includes(row.repository);
}
