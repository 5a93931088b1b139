import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { PithError } from '../../core/errors.js';
import { openLocalEngines, servedOwner } from '../../engines/open-engines.js';
import { openModels } from '../../engines/open-models.js';
import type { Principal } from '../../mcp/principals.js';
import { withKnownNames } from '../../text/nearest-name.js';
import type { OpenGovernance } from './open-governance.js';

/** Tags and repositories of an index that are compared; indexes rarely have more. */
const MAX_VALUES = 10_000;

/** Names of documents in a scope, with their place in a file. */
interface NamedValues {
  readonly where: string;
  readonly doc_tags?: readonly string[] | undefined;
  readonly repositories?: readonly string[] | undefined;
}

/** The values that the documents of the index have. */
interface IndexedValues {
  readonly doc_tags: readonly string[];
  readonly repositories: readonly string[];
}

/** @returns why they can't be read, if they can't */
async function indexedValues(config: OpenGovernance['config']): Promise<IndexedValues | string> {
  try {
    const owner = servedOwner(config);
    if (owner === null) return `there is no index at ${config.index.file} yet`;
    const { index } = openLocalEngines(config, openModels(config, null));
    try {
      const everything = { ...owner, docTags: null, repositories: null, groups: null };
      const facts = await index.facts(everything, MAX_VALUES);
      const values = (counts: typeof facts.docTags): string[] => counts.map(({ value }) => value).sort();
      return { doc_tags: values(facts.docTags), repositories: values(facts.repositories) };
    } finally {
      await index.close();
    }
  } catch (error) {
    if (error instanceof PithError) return error.message;
    if (error instanceof InvalidConfigurationError) return error.problems.join(' ');
    throw error;
  }
}

/** The scopes of rules and principals that name tags or repositories. */
function namedIn({ governance }: Pick<OpenGovernance, 'governance'>, principals: readonly Principal[]) {
  const { rules, templates } = governance.policy;
  const named: readonly NamedValues[] = [
    ...[...rules, ...Object.values(templates).flat()].map(({ name, scope }) => ({
      ...scope,
      where: `rule ${name}`,
    })),
    ...principals.map(({ name, scope }) => ({ ...scope, where: `principal ${name}` })),
  ];
  return named.filter(({ doc_tags, repositories }) => doc_tags !== undefined || repositories !== undefined);
}

/** Tags and repositories of rules and principals that no document of the index has. */
export async function aboutScopes(
  known: Pick<OpenGovernance, 'governance' | 'config'>,
  principals: readonly Principal[],
): Promise<string[]> {
  const named = namedIn(known, principals);
  if (named.length === 0) return [];
  const indexed = await indexedValues(known.config);
  if (typeof indexed === 'string')
    return [`note: doc_tags and repositories in scopes were not compared with the index: ${indexed}`];
  return named.flatMap(({ where, ...scope }) =>
    (['doc_tags', 'repositories'] as const).flatMap((field) =>
      (scope[field] ?? [])
        .filter((value) => !indexed[field].includes(value))
        .map((value) => {
          const statement = `warning: ${where}: no document of the index has "${value}" in ${field}`;
          return withKnownNames(statement, value, { whose: 'The index has', known: indexed[field] });
        }),
    ),
  );
}
