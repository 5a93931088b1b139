import { isNarrowed, type Scope, scopeCovers, type ScopeLimit } from '../../core/scope.js';
import { MAX_LINE_ITEMS } from './event-text.js';
import type { LedgerEvent, LedgerScope } from './ledger-event.js';

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isList = (value: unknown): value is readonly string[] | null =>
  value === null || (Array.isArray(value) && value.every(isText));

/** Absent for a caller without groups. */
const ofGroups = (groups: readonly string[] | null | undefined) => (groups === undefined ? {} : { groups });

/** Reads a recorded scope; null if the line was changed. Without zod, which would make the ledger's worker larger. */
function readScope(recorded: unknown): LedgerScope | null {
  const { project, environment, doc_tags, repositories, groups }: Readonly<Record<string, unknown>> =
    Object(recorded);
  const isPlace = isTextOrNull(project) && isTextOrNull(environment);
  return isPlace && isList(doc_tags) && isList(repositories) && (groups === undefined || isList(groups))
    ? { project, environment, doc_tags, repositories, ...ofGroups(groups) }
    : null;
}

/**
 * The scope of a call as its lines hold it.
 * @param limit  of the principal, for calls that ended before their scope was known
 */
export function lineScope(
  { projectId, environment, docTags, repositories, groups }: Scope,
  limit: ScopeLimit = {},
): { readonly scope?: LedgerScope } {
  if (projectId !== '' || environment !== '')
    return {
      scope: { project: projectId, environment, doc_tags: docTags, repositories, ...ofGroups(groups) },
    };
  if (!isNarrowed(limit)) return {};
  const { project_id: project = null, environment: limited = null, doc_tags = null } = limit;
  return {
    scope: {
      ...{ project, environment: limited, doc_tags, repositories: limit.repositories ?? null },
      ...ofGroups(limit.groups),
    },
  };
}

/** The whole list; null, which means everything, if it may have been cut. */
const wholeList = (list: readonly string[] | null): readonly string[] | null =>
  list !== null && list.length < MAX_LINE_ITEMS ? list : null;

/**
 * True if a recorded scope lies within a scope. Lines without a scope don't. A project that was not known is that of
 * the server.
 */
export function isRecordedWithin(scope: Scope, recorded: unknown): boolean {
  const data = readScope(recorded);
  if (!data) return false;
  const projectId = data.project ?? scope.projectId;
  const environment = data.environment ?? scope.environment;
  const [docTags, repositories] = [wholeList(data.doc_tags), wholeList(data.repositories)];
  const groups = data.groups === undefined ? undefined : wholeList(data.groups);
  return scopeCovers(scope, { projectId, environment, docTags, repositories, ...ofGroups(groups) });
}

/** True if the scope that a line records lies within a scope. */
export const isLineWithin = (scope: Scope, event: LedgerEvent): boolean =>
  'scope' in event && isRecordedWithin(scope, event.scope);
