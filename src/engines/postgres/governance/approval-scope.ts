import type { Scope } from '../../../core/scope.js';

/** A text, as JSON. Quotes in texts are escaped, so names are found as names only. */
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;

const textIs = (name: string, value: string): string =>
  `(${value} = '""' OR substring(request from '"${name}":(${TEXT})') = ${value})`;

/** `NULL` for a list that is null, and then not covered. */
const listOf = (name: string): string =>
  String.raw`substring(request from '"${name}":(\[(?:[^"\]]|${TEXT})*\])')`;

const covers = (name: string, value: string): string =>
  `(${value}::text[] IS NULL OR (${listOf(name)} IS NOT NULL AND NOT EXISTS (SELECT
    FROM regexp_matches(${listOf(name)}, '(${TEXT})', 'g') AS item (text) WHERE item.text[1] <> ALL (${value}::text[]))))`;

/**
 * SQL: true for requests that a scope covers, as `scopeCovers` decides it. PostgreSQL's JSON functions refuse some
 * escapes that arguments may have, so texts are compared as they are stored.
 * @param first  the number of the first of four parameters
 */
export const isCovered = (first: number): string =>
  [
    textIs('projectId', `$${first}::text`),
    textIs('environment', `$${first + 1}::text`),
    covers('docTags', `$${first + 2}`),
    covers('repositories', `$${first + 3}`),
  ].join(' AND ');

const asJson = (list: readonly string[] | null): string[] | null =>
  list && list.map((text) => JSON.stringify(text));

/** The parameters of `isCovered`. */
export function coverValues({ projectId, environment, docTags, repositories }: Scope) {
  return [
    JSON.stringify(projectId),
    JSON.stringify(environment),
    asJson(docTags),
    asJson(repositories),
  ] as const;
}
