import type { Access } from '../../governance/access/access-file.js';
import { FilePrincipals } from '../../governance/access/file-principals.js';
import { readAccess } from '../../governance/access/read-access.js';
import { callerOf, type Principal } from '../../mcp/principals.js';
import { hasUnlisted, offeredTo } from './agent-lines.js';
import { unmatchedPatterns, warningsOf } from './governance-warnings.js';
import { aboutOAuth } from './oauth-warnings.js';
import type { OpenGovernance } from './open-governance.js';

/** Patterns of tools that match nothing, and a principal that may use tools but has none. */
function aboutPrincipal(principal: Principal, known: OpenGovernance): string[] {
  const where = `principal ${principal.name}`;
  const patterns = unmatchedPatterns(where, principal.tools ?? [], known);
  const caller = callerOf(principal, known.config.governance);
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
