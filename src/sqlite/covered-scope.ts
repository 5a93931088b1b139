import type { Scope } from '../core/scope.js';

const coversList = (json: string, list: string): string =>
  `(:${list} IS NULL OR (json_type(${json}, '$.scope.${list}') = 'array' AND NOT EXISTS (SELECT 1
    FROM json_each(${json}, '$.scope.${list}') WHERE value NOT IN (SELECT value FROM json_each(:${list})))))`;

/** A scope without groups has none, so every other one covers them; `null` is all groups, as for the lists above. */
const coversGroups = (json: string): string =>
  `(json_type(${json}, '$.scope.groups') IS NULL OR ${coversList(json, 'groups')})`;

/** SQL: true if a scope covers the tags, repositories and groups of the `scope` in a JSON text. */
const coversLists = (json: string): string =>
  `${coversList(json, 'docTags')} AND ${coversList(json, 'repositories')} AND ${coversGroups(json)}`;

/** SQL: true if a scope covers the `scope` in a JSON text, as `scopeCovers` decides it. @param json  a column */
export const coversScope = (json: string): string =>
  `(:projectId = '' OR ${json} ->> '$.scope.projectId' = :projectId)
  AND (:environment = '' OR ${json} ->> '$.scope.environment' = :environment) AND ${coversLists(json)}`;

/** The parameters of these conditions. */
export function coverParameters({ projectId, environment, docTags, repositories, groups = [] }: Scope) {
  return {
    projectId,
    environment,
    docTags: docTags && JSON.stringify(docTags),
    repositories: repositories && JSON.stringify(repositories),
    groups: groups && JSON.stringify(groups),
  };
}
