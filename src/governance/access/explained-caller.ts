import type { Config } from '../../config/config.js';
import type { Caller } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { GENERIC_PROFILE } from '../../core/host-profile.js';
import type { Scope } from '../../core/scope.js';
import type { Principal } from '../../mcp/principals.js';

/** The caller for a principal, for commands that explain its rights. @param agent  used if the principal names none */
export function callerFor(
  { name, permissions, tools, scope, ...principal }: Principal,
  agent: string,
): Caller {
  return {
    principal: name,
    sessionId: '',
    agent: principal.agent ?? agent,
    permissions,
    tools,
    scopeLimit: scope,
    host: GENERIC_PROFILE,
    isLocal: true,
    isOperator: permissions.includes('operator'),
  };
}

/** The principal with a name. @param principals  those that may be named @throws InvalidArgumentError */
export function principalNamed(name: string, principals: readonly Principal[]): Principal {
  const found = principals.find((principal) => principal.name === name);
  if (found) return found;
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
