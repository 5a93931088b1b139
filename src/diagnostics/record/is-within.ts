import type { Scope } from '../../core/scope.js';
import type { DiagnosticRecord } from './diagnostic-record.js';
import { recordedTags } from './recorded-scope.js';

/** True if a list covers everything that the recorded call could see; null covers everything. */
function isCovered(own: readonly string[] | null, theirs: readonly string[] | null): boolean {
  return own === null || (theirs !== null && theirs.every((value) => own.includes(value)));
}

/**
 * True if a record may be read within a scope: the recorded call saw nothing outside it. Calls that were refused
 * before they had a scope saw nothing.
 * @param scope  an empty project covers all projects: none is configured and there is no index
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
