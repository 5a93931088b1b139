import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { Access } from '../../governance/access/access-file.js';
import { checkSecrets } from '../../governance/access/open-access.js';
import { allowedNames } from '../../mcp/http/http-security.js';
import { unmatchedPatterns } from './governance-warnings.js';
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
export function aboutOAuth(access: Access, known: OpenGovernance): string[] {
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
