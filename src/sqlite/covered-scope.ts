import type { Scope } from '../core/scope.js';

const coversList = (json: string, list: string): string =>
  `(:${list} IS NULL OR (json_type(${json}, '$.scope.${list}') = 'array' AND NOT EXISTS (SELECT 1
    FROM json_each(${json}, '$.scope.${list}') WHERE value NOT IN (SELECT value FROM json_each(:${list})))))`;

/** SQL: true if a scope covers the tags and repositories of the `scope` in a JSON text. */
const coversLists = (json: string): string =>
  `${coversList(json, 'docTags')} AND ${coversList(json, 'repositories')}`;

/** SQL: true if a scope covers the `scope` in a JSON text, as `scopeCovers` decides it. @param json  a column */
export const coversScope = (json: string): string =>
  `(:projectId = '' OR ${json} ->> '$.scope.projectId' = :projectId)
  AND (:environment = '' OR ${json} ->> '$.scope.environment' = :environment) AND ${coversLists(json)}`;

/** The parameters of these conditions. */
export function coverParameters({ projectId, environment, docTags, repositories }: Scope) {
  return {
    projectId,
    environment,
    docTags: docTags && JSON.stringify(docTags),
    repositories: repositories && JSON.stringify(repositories),
  };
}
