import type { LedgerEvent, LedgerScope } from '../../core/ledger/ledger-event.js';
import { type Scope, scopeCovers } from '../../core/scope.js';
import { MAX_LINE_ITEMS } from './event-text.js';

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly string[] | null =>
  value === null || (Array.isArray(value) && value.every(isText));

/** Reads a recorded scope; null if the line was changed. Without zod, which would make the ledger's worker larger. */
function readScope(recorded: unknown): LedgerScope | null {
  const { project, environment, doc_tags, repositories }: Readonly<Record<string, unknown>> =
    Object(recorded);
  const isScope = isText(project) && isText(environment) && isList(doc_tags) && isList(repositories);
  return isScope ? { project, environment, doc_tags, repositories } : null;
}

/** The scope of a call as its lines hold it. A call that ended before its scope was known has none. */
export function lineScope({ projectId, environment, docTags, repositories }: Scope): {
  readonly scope?: LedgerScope;
} {
  if (projectId === '' && environment === '') return {};
  return { scope: { project: projectId, environment, doc_tags: docTags, repositories } };
}

/** The whole list; null, which means everything, if it may have been cut. */
const wholeList = (list: readonly string[] | null): readonly string[] | null =>
  list !== null && list.length < MAX_LINE_ITEMS ? list : null;

/** True if a recorded scope lies within a scope. Lines without a scope don't. */
export function isRecordedWithin(scope: Scope, recorded: unknown): boolean {
  const data = readScope(recorded);
  if (!data) return false;
  const { project: projectId, environment } = data;
  const [docTags, repositories] = [wholeList(data.doc_tags), wholeList(data.repositories)];
  return scopeCovers(scope, { projectId, environment, docTags, repositories });
}

/** True if the scope that a line records lies within a scope. */
export const isLineWithin = (scope: Scope, event: LedgerEvent): boolean =>
  'scope' in event && isRecordedWithin(scope, event.scope);
