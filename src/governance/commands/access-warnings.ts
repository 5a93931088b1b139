import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { isOfDomain } from '../../mcp/define-tool.js';
import { allowedNames } from '../../mcp/http/http-security.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { BUILT_IN, type Principal } from '../../mcp/principals.js';
import { withKnownNames } from '../../text/nearest-name.js';
import type { Access } from '../access/access-file.js';
import { FilePrincipals } from '../access/file-principals.js';
import { checkSecrets } from '../access/open-access.js';
import { readAccess } from '../access/read-access.js';
import { providersOf } from '../agents/check-patterns.js';
import { NO_GOVERNANCE } from '../agents/governance-file.js';
import { canMatchPrincipal, matchesPattern } from '../policy/match-rule.js';
import { shadowedRules } from '../policy/shadowed-rules.js';
import { providerConfigs } from '../providers/provider-file.js';
import { fullNameOf } from '../providers/review-tools.js';
import { aboutAgents, hasUnlisted, offeredTo } from './agent-lines.js';
import type { OpenGovernance } from './open-governance.js';
import { aboutProvider } from './provider-warnings.js';
import { aboutScopes } from './scope-warnings.js';

/** Further tools are counted. */
const MAX_NAMED = 4;

/** Tools of MCP_DOMAINS that write are denied until a rule allows them, and agents don't see what is denied. */
function aboutDomains({
  surface,
  service,
  governance,
}: Pick<OpenGovernance, 'surface' | 'service' | 'governance'>): string[] {
  const missing = [...surface.tools.values()]
    .filter(({ isOn, definition }) => isOn && isOfDomain(definition.feature) && definition.safety === 'write')
    .map(({ definition }) => definition.name)
    .filter((name) => service.agentsOffered(name).length === 0);
  if (missing.length === 0) return [];
  const more = missing.length - MAX_NAMED;
  const names = missing.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const place =
    governance === NO_GOVERNANCE ? 'a governance file (PITH_GOVERNANCE_FILE)' : 'the governance file';
  return [
    `warning: MCP_DOMAINS names tools that write, but no rule allows them: ${names}. ` +
      `No agent is offered them. Add a rule to ${place}; docs/domains.md has examples.`,
  ];
}

type Known = Pick<OpenGovernance, 'governance' | 'surface' | 'pins'>;

/**
 * Says which patterns of tools match nothing until a provider lists further tools. Patterns that can match nothing are
 * errors.
 * @param where  the place of the patterns in the file
 */
function unmatchedPatterns(
  where: string,
  patterns: readonly string[],
  { governance, surface, pins }: Known,
): string[] {
  const listed = pins.map(({ provider, tool }) => fullNameOf(provider, tool));
  const known = [...surface.tools.keys(), ...listed];
  return patterns.flatMap((pattern) => {
    if (known.some((name) => matchesPattern(pattern, name))) return [];
    const later = providersOf(pattern, governance);
    const ofProviders = listed.filter((name) => later.some((each) => name.startsWith(fullNameOf(each, ''))));
    const statement = `${where}: no tool matches ${pattern} yet; it applies to later tools of ${later.join(', ')}`;
    if (ofProviders.length === 0) return [`note: ${statement}`];
    return [`warning: ${withKnownNames(statement, pattern, { whose: 'Known tools', known: ofProviders })}`];
  });
}

function aboutRules(known: Known, principals: readonly Principal[]): string[] {
  const { capabilities, policy } = known.governance;
  const names = [...BUILT_IN, ...principals].map(({ name }) => name);
  const rules = [...policy.rules, ...Object.values(policy.templates).flat()];
  return [
    ...Object.entries(capabilities).flatMap(([name, patterns]) =>
      unmatchedPatterns(`capability ${name}`, patterns, known),
    ),
    ...rules.flatMap(({ name, tools = [], principals: patterns = [] }) => [
      ...unmatchedPatterns(`rule ${name}`, tools, known),
      ...patterns
        .filter((pattern) => !names.some((principal) => canMatchPrincipal(pattern, principal)))
        .map((pattern) => `warning: rule ${name}: ${unknownPrincipal(pattern, names)}`),
    ]),
  ];
}

/** The access file is read again while servers run, so the name may be that of a later principal. */
const unknownPrincipal = (pattern: string, known: readonly string[]): string =>
  withKnownNames(`no principal matches ${pattern}`, pattern, { whose: 'Known principals', known });

/** Rules that an earlier rule leaves nothing to decide. The rules of a template come after those of the file. */
function aboutOrder({ governance: { policy } }: Known): string[] {
  return [[], ...Object.values(policy.templates)].flatMap((template) =>
    shadowedRules([...policy.rules, ...template])
      .filter(({ rule }) => template.length === 0 || template.includes(rule))
      .map(({ rule, by }) => {
        const isAcross = template.includes(rule) && policy.rules.includes(by);
        const advice = isAcross
          ? `Rules of templates come last: narrow ${by.name}, or remove ${rule.name}.`
          : `Move ${rule.name} up.`;
        return `warning: rule ${rule.name} never applies: the rule ${by.name} above it decides all its calls. ${advice}`;
      }),
  );
}

/** Parts of a valid governance file, and of principals, that have no effect or can't work here; tools that nobody may call. */
export async function warningsOf(
  known: Known & Pick<OpenGovernance, 'config' | 'registry' | 'service'>,
  principals: readonly Principal[],
): Promise<string[]> {
  return [
    ...aboutRules(known, principals),
    ...aboutOrder(known),
    ...aboutAgents(known),
    ...aboutDomains(known),
    ...(await aboutScopes(known, principals)),
    ...providerConfigs(known.governance.providers).flatMap((provider) => aboutProvider(provider, known.pins)),
  ];
}

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

/** Browsers have no access tokens. */
function aboutPages({ haveKeys }: FilePrincipals, { config: { http, admin } }: OpenGovernance): string[] {
  if (http.searchPage !== 'on' || haveKeys || http.token !== '' || admin.token !== '') return [];
  return [
    'note: nobody has a key with which a browser opens the search page, so citations have no addresses in it. ' +
      'Make keys with pith access key, or set PITH_SEARCH_PAGE=off',
  ];
}

/** Parts of a valid access file that have no effect or can't work here. Scopes of principals are compared elsewhere. */
export function accessWarnings(access: Access, known: OpenGovernance): string[] {
  const principals = new FilePrincipals(access, known.config.scope.groups);
  return [
    ...principals.all.flatMap((principal) => aboutPrincipal(principal, known)),
    ...aboutOAuth(access, known),
    ...aboutPages(principals, known),
  ];
}

/** Warnings about the files of governance of a server. @param accessFile  '' if the server has none @throws InvalidConfigurationError */
export async function fileWarnings(known: OpenGovernance, accessFile: string): Promise<string[]> {
  if (accessFile === '') return warningsOf(known, []);
  const access = readAccess(accessFile, known);
  const { all } = new FilePrincipals(access, known.config.scope.groups);
  return [...(await warningsOf(known, all)), ...accessWarnings(access, known)];
}
