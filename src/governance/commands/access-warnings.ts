import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { allowedNames } from '../../mcp/http/http-security.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { type Principal } from '../../mcp/principals.js';
import type { Access } from '../access/access-file.js';
import { FilePrincipals } from '../access/file-principals.js';
import { checkSecrets } from '../access/open-access.js';
import { readAccess } from '../access/read-access.js';
import { hasUnlisted, offeredTo } from './agent-lines.js';
import { unmatchedPatterns, warningsOf } from './governance-warnings.js';
import type { OpenGovernance } from './open-governance.js';

function missingSecrets(access: Access): readonly string[] {
  try {
    checkSecrets(access);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    return error.problems.map((problem) => `warning: ${problem} Servers do not start without it.`);
  }
}

/** Parts of `oauth` without which a server does not start or refuses its clients, and scopes that protect nothing. */
function aboutOAuth(access: Access, known: OpenGovernance): string[] {
  const { oauth } = access;
  if (!oauth) return [];
  const { hostname } = new URL(oauth.resource);
  const isAllowed = allowedNames(known.config.http).hosts.includes(hostname);
  return [
    ...missingSecrets(access),
    ...(isAllowed
      ? []
      : [
          `warning: oauth.resource: ${hostname} is not in PITH_HTTP_ALLOWED_HOSTS, so requests to it get 403. ` +
            'Add it, unless a proxy replaces the Host header',
        ]),
    ...Object.entries(oauth.scopes).flatMap(([scope, patterns]) =>
      unmatchedPatterns(`oauth.scopes.${scope}`, patterns, known),
    ),
  ];
}

/** Patterns of tools that match nothing, and a principal that may use tools but has none. */
function aboutPrincipal(principal: Principal, known: OpenGovernance): string[] {
  const where = `principal ${principal.name}`;
  const patterns = unmatchedPatterns(where, principal.tools ?? [], known);
  const caller = makeCaller(principal, known.config.governance);
  const mayHaveTools = offeredTo(caller, known).length > 0 || hasUnlisted(known);
  if (!principal.permissions.includes('read') || mayHaveTools) return patterns;
  return [...patterns, `warning: ${where}: no tools are offered to it`];
}

/** Parts of a valid access file that have no effect or can't work here. Scopes of principals are compared elsewhere. */
export function accessWarnings(access: Access, known: OpenGovernance): string[] {
  return [
    ...new FilePrincipals(access).all.flatMap((principal) => aboutPrincipal(principal, known)),
    ...aboutOAuth(access, known),
  ];
}

/** Warnings about the files of governance of a server. @param accessFile  '' if the server has none @throws InvalidConfigurationError */
export async function fileWarnings(known: OpenGovernance, accessFile: string): Promise<string[]> {
  if (accessFile === '') return warningsOf(known, []);
  const access = readAccess(accessFile, known);
  return [...(await warningsOf(known, new FilePrincipals(access).all)), ...accessWarnings(access, known)];
}
