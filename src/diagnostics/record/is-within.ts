import type { Scope } from '../../core/scope.js';
import type { DiagnosticRecord } from './diagnostic-record.js';
import { recordedTags } from './recorded-scope.js';

/** Whether what a record's call could see is all within a list; null is everything. */
function isCovered(own: readonly string[] | null, theirs: readonly string[] | null): boolean {
  return own === null || (theirs !== null && theirs.every((value) => own.includes(value)));
}

/**
 * Whether somebody with a scope may read a record: the call saw nothing beyond it. Calls that were refused before they
 * had a scope saw nothing.
 * @param scope  without a project where none is configured and no index tells it: then all projects count
 */
export function isWithin(scope: Scope, { scope: theirs }: Pick<DiagnosticRecord, 'scope'>): boolean {
  if (theirs.project_id === '' && theirs.environment === '') return true;
  const isOurs = theirs.project_id === scope.projectId && theirs.environment === scope.environment;
  if (scope.projectId !== '' && !isOurs) return false;
  return (
    isCovered(scope.docTags, recordedTags(theirs.doc_tag)) &&
    isCovered(scope.repositories, theirs.repositories)
  );
}
