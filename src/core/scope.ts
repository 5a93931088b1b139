import { allowsGroups, type GroupLists, visibleKeys } from './document-groups.js';
import { ScopeViolationError } from './errors.js';

/** The documents that one call may see. `null` means every tag, repository or group of the project. */
export interface Scope {
  readonly projectId: string;
  readonly environment: string;
  readonly docTags: readonly string[] | null;
  readonly repositories: readonly string[] | null;
  /** The groups of the caller, sorted. Requests can't change them. Absent: none; documents with groups are then invisible. */
  readonly groups?: readonly string[] | null;
}

/** Everything that any server may see. A tool that is allowed here is allowed in every other scope. */
export const WIDEST_SCOPE: Scope = { projectId: '', environment: '', docTags: null, repositories: null };

/** The `scope` object of a request. Fields can only narrow the scope. An empty list matches nothing. */
export interface ScopeRequest {
  readonly project_id?: string | undefined;
  readonly environment?: string | undefined;
  readonly doc_tags?: readonly string[] | undefined;
  readonly repositories?: readonly string[] | undefined;
}

/** The largest scope of a caller. */
export interface ScopeLimit extends ScopeRequest {
  /** Its groups; null for all. Absent if no caller of the server has groups; it has none then. */
  readonly groups?: readonly string[] | null | undefined;
}

const HINT = 'Omit `scope` to search everything you may access. Call scope.describe to list it.';

function narrowList(
  configured: readonly string[] | null,
  requested: readonly string[] | undefined,
  field: string,
): readonly string[] | null {
  if (!requested) return configured;
  const unique = [...new Set(requested)].sort();
  if (configured === null) return unique;
  const both = unique.filter((value) => configured.includes(value));
  if (both.length > 0 || unique.length === 0) return both;
  throw new ScopeViolationError(`${field} is outside the scope of this caller.`, {
    reason: `${field}_mismatch`,
    hint: HINT,
  });
}

/**
 * Narrows the configured scope to that of a request.
 * @throws ScopeViolationError for another project or environment, and for tags or repositories that are all outside
 */
export function narrowScope(configured: Scope, requested: ScopeRequest | undefined): Scope {
  if (!requested) return configured;
  if (requested.project_id !== undefined && requested.project_id !== configured.projectId) {
    throw new ScopeViolationError('project_id is not the project of this server.', {
      reason: 'project_mismatch',
      hint: HINT,
    });
  }
  if (requested.environment !== undefined && requested.environment !== configured.environment) {
    throw new ScopeViolationError('environment is not the environment of this server.', {
      reason: 'environment_mismatch',
      hint: HINT,
    });
  }
  return {
    ...configured,
    docTags: narrowList(configured.docTags, requested.doc_tags, 'doc_tags'),
    repositories: narrowList(configured.repositories, requested.repositories, 'repositories'),
  };
}

/** True if a principal with this limit may see less than the server. */
export const isNarrowed = (limit: ScopeLimit): boolean =>
  Object.values(limit).some((value) => value !== undefined && value !== null);

/** True if a caller with this limit may see only documents with some tags or of some repositories. */
export const limitsDocuments = ({ doc_tags, repositories }: ScopeRequest): boolean =>
  doc_tags !== undefined || repositories !== undefined;

/** True if the size of an index would tell a caller with this limit of documents that it may not see. */
export const hidesSize = (limit: ScopeLimit): boolean =>
  limitsDocuments(limit) || (limit.groups !== undefined && limit.groups !== null);

/**
 * Narrows the configured scope to the largest one that a caller may have. If the project is not known yet, that of the
 * limit is used.
 * @throws ScopeViolationError if the caller may see nothing of this server
 */
export function limitScope(configured: Scope, { groups, ...limit }: ScopeLimit): Scope {
  const { groups: _, ...everybody } = configured;
  const known = {
    ...everybody,
    ...(groups === undefined ? {} : { groups }),
    projectId: configured.projectId || (limit.project_id ?? ''),
    environment: configured.environment || (limit.environment ?? ''),
  };
  try {
    return narrowScope(known, limit);
  } catch (cause) {
    if (!(cause instanceof ScopeViolationError)) throw cause;
    throw new ScopeViolationError('This caller may see nothing of this server.', {
      reason: cause.reason,
      hint: 'The operator can change the scope of the principal in the access file.',
      cause,
    });
  }
}

/**
 * The scope of the records of others that an operator may read; null for all of them. Every reader of records uses it: tools,
 * the admin console and commands.
 * @param limit  of the operator's principal
 * @throws ScopeViolationError if the operator may see nothing of this server
 */
export const recordsWithin = (limit: ScopeLimit, server: Scope): Scope | null =>
  isNarrowed(limit) ? limitScope(server, limit) : null;

/** True if a list covers another one; null covers everything. */
const covers = (own: readonly string[] | null, theirs: readonly string[] | null): boolean =>
  own === null || (theirs !== null && theirs.every((value) => own.includes(value)));

/**
 * True if everything that may be seen in `inner` may also be seen in `scope`.
 * @param scope  an empty project or environment covers all of them: none is configured and there is no index
 */
export function scopeCovers(scope: Scope, inner: Scope): boolean {
  if (scope.projectId !== '' && scope.projectId !== inner.projectId) return false;
  if (scope.environment !== '' && scope.environment !== inner.environment) return false;
  return (
    covers(scope.docTags, inner.docTags) &&
    covers(scope.repositories, inner.repositories) &&
    coversGroups(scope, inner)
  );
}

/** A scope in one index. */
export interface SeenScope extends Scope {
  /** The lists of groups (`listsKey`) whose documents are visible; null if all are. */
  readonly seenLists: readonly string[] | null;
}

/** @param lists  those that documents of the index have; absent if everybody may see all of them */
export const seenScope = (scope: Scope, lists: readonly string[] | undefined): SeenScope => ({
  ...scope,
  seenLists: lists ? visibleKeys(lists, scope.groups) : null,
});

const callerGroups = ({ groups = [] }: Scope): readonly string[] | null => groups;

/** True if a caller with the groups of `scope` has all those of `inner`. */
export const coversGroups = (scope: Scope, inner: Scope): boolean =>
  covers(callerGroups(scope), callerGroups(inner));

/** The properties of a document that decide if it is in a scope. */
export interface ScopedRow {
  readonly docTag: string;
  readonly repository: string;
  /** Absent if everybody sees it. */
  readonly allow?: GroupLists | undefined;
}

/** True when the scope includes the tag and the repository of a row, and has its groups. */
export function scopeAllows(scope: Scope, row: ScopedRow): boolean {
  if (row.allow && !allowsGroups(row.allow, scope.groups)) return false;
  if (scope.docTags && !scope.docTags.includes(row.docTag)) return false;
  return !scope.repositories || scope.repositories.includes(row.repository);
}
