import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { ANY_GROUP, readListsKey } from '../../core/document-groups.js';
import { PithError } from '../../core/errors.js';
import { MAX_FACET_VALUES, sortedValues } from '../../core/ports/index-facts.js';
import { openLocalEngines, servedOwner } from '../../engines/open-engines.js';
import { openModels } from '../../engines/open-models.js';
import type { Principal } from '../../mcp/principals.js';
import { withKnownNames } from '../../text/nearest-name.js';
import type { OpenGovernance } from './open-governance.js';

/** Of the scopes of rules and of principals. */
const FIELDS = [
  ...(['project_id', 'project_ids', 'environment', 'environments'] as const),
  ...(['doc_tags', 'repositories', 'groups'] as const),
];

/** The values of a scope, by field. */
type Values = Partial<Record<(typeof FIELDS)[number], string | readonly string[] | null | undefined>>;

/** The values of all documents of the index. @returns the reason if it can't be read */
async function indexedValues(
  config: OpenGovernance['config'],
): Promise<Record<keyof Values, readonly string[]> | string> {
  try {
    const owner = servedOwner(config);
    if (owner === null) return `there is no index at ${config.index.file} yet`;
    const { index } = openLocalEngines(config, openModels(config, null));
    try {
      const everything = { ...owner, docTags: null, repositories: null, groups: null };
      const facts = await index.facts(everything, MAX_FACET_VALUES);
      return {
        ...{ project_id: [facts.projectId], project_ids: [facts.projectId] },
        ...{ environment: [facts.environment], environments: [facts.environment] },
        doc_tags: sortedValues(facts.docTags),
        repositories: sortedValues(facts.repositories),
        groups: [...new Set((facts.groups ?? []).flatMap((key) => readListsKey(key).flat()))].sort(),
      };
    } finally {
      await index.close();
    }
  } catch (error) {
    if (error instanceof PithError) return error.message;
    if (error instanceof InvalidConfigurationError) return error.problems.join(' ');
    throw error;
  }
}

/** The scopes of rules and principals, with their places in a file. */
function namedIn({ governance }: Pick<OpenGovernance, 'governance'>, principals: readonly Principal[]) {
  const { rules, templates } = governance.policy;
  const named: readonly { readonly where: string; readonly scope: Values }[] = [
    ...[...rules, ...Object.values(templates).flat()].map(({ name, scope = {} }) => ({
      scope,
      where: `rule ${name}`,
    })),
    ...principals.map(({ name, scope }) => ({ scope, where: `principal ${name}` })),
  ];
  return named.flatMap(({ where, scope }) =>
    FIELDS.flatMap((field) =>
      [scope[field] ?? []]
        .flat()
        .filter((value) => value !== '')
        .map((value) => ({ where, field, value })),
    ),
  );
}

/** Warnings about values in scopes of rules and principals that no document of the index has. */
export async function aboutScopes(
  known: Pick<OpenGovernance, 'governance' | 'config'>,
  principals: readonly Principal[],
): Promise<string[]> {
  const named = namedIn(known, principals);
  if (named.length === 0) return [];
  const indexed = await indexedValues(known.config);
  if (typeof indexed === 'string') return [`note: scopes were not compared with the index: ${indexed}`];
  return named
    .filter(({ field, value }) => !indexed[field].includes(value) && value !== ANY_GROUP)
    .map(({ where, field, value }) => {
      const statement = `warning: ${where}: no document of the index has "${value}" in ${field}`;
      return withKnownNames(statement, value, { whose: 'The index has', known: indexed[field] });
    });
}
