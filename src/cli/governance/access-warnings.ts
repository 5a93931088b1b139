import type { Caller } from '../../core/call.js';
import type { Access } from '../../governance/access/access-file.js';
import { FilePrincipals } from '../../governance/access/file-principals.js';
import { readAccess } from '../../governance/access/read-access.js';
import { callerOf, type Principal } from '../../mcp/principals.js';
import { mayCall } from '../../mcp/surface/adapt-text.js';
import { unmatchedPatterns, warningsOf } from './governance-warnings.js';
import { aboutOAuth } from './oauth-warnings.js';
import type { OpenGovernance } from './open-governance.js';

/** The tools that a caller is offered and shown. */
export const offeredTo = (caller: Caller, { surface }: Pick<OpenGovernance, 'surface'>): string[] =>
  [...surface.tools.values()]
    .filter((tool) => tool.isListed && mayCall(tool, surface, caller))
    .map(({ definition }) => definition.name);

/** True if a provider has tools that are not known yet, because no server has connected to it. */
const hasUnlisted = ({ governance, pins }: OpenGovernance): boolean =>
  Object.keys(governance.providers).some((name) => !pins.some(({ provider }) => provider === name));

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
