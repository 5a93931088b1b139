import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import { entryName, type Principal } from '../../mcp/principals.js';

/** The principal with a name. @param principals  those that may be named @throws InvalidArgumentError */
export function principalNamed(name: string, principals: readonly Principal[]): Principal {
  const found = principals.find((principal) => principal.name === entryName(name));
  if (found) return { ...found, name };
  throw new InvalidArgumentError(`There is no principal ${name}.`, {
    reason: 'invalid_input',
    hint: `Principals: ${principals.map((principal) => principal.name).join(', ')}.`,
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
