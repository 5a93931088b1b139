import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import { BUILT_IN, type Principal } from '../../mcp/principals.js';

/** The principal with a name. @throws InvalidArgumentError */
export function principalNamed(name: string, named: readonly Principal[]): Principal {
  const found = [...BUILT_IN, ...named].find((principal) => principal.name === name);
  if (found) return found;
  throw new InvalidArgumentError(`There is no principal ${name}.`, {
    reason: 'invalid_input',
    hint: `Principals: ${[...named, ...BUILT_IN].map((principal) => principal.name).join(', ')}.`,
  });
}

const listOrAll = (values: readonly string[]): readonly string[] | null =>
  values.length > 0 ? values : null;

/** The scope of the settings; project and environment are empty if the index decides them. */
export function configuredScope({ scope }: Pick<Config, 'scope'>): Scope {
  return {
    projectId: scope.project,
    environment: scope.environment,
    docTags: listOrAll(scope.docTags),
    repositories: listOrAll(scope.repositories),
  };
}
