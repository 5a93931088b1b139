import type { Scope } from '../../../core/scope.js';

const covers = (list: string): string =>
  `(:${list} IS NULL OR (json_type(request, '$.scope.${list}') = 'array' AND NOT EXISTS (SELECT 1
    FROM json_each(request, '$.scope.${list}') WHERE value NOT IN (SELECT value FROM json_each(:${list})))))`;

/** SQL: true for requests that a scope covers, as `scopeCovers` decides it. */
export const IS_COVERED = `(:projectId = '' OR request ->> '$.scope.projectId' = :projectId)
  AND (:environment = '' OR request ->> '$.scope.environment' = :environment)
  AND ${covers('docTags')} AND ${covers('repositories')}`;

/** The parameters of `IS_COVERED`. */
export function coverParameters({ projectId, environment, docTags, repositories }: Scope) {
  return {
    projectId,
    environment,
    docTags: docTags && JSON.stringify(docTags),
    repositories: repositories && JSON.stringify(repositories),
  };
}
