import { randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { print } from '../../cli/print.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { Caller } from '../../core/call.js';
import { InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { limitScope, type Scope } from '../../core/scope.js';
import { tell } from '../../core/stderr.js';
import {
  type Holder,
  InvalidTokenError,
  IssuerUnavailableError,
  NoPrincipalError,
  type ProtectedResource,
} from '../../mcp/access-tokens.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { BUILT_IN, type Principal, type Principals } from '../../mcp/principals.js';
import { hashOfKey, isWholeKey, makeKey } from '../access/access-key.js';
import { configuredScope, principalNamed } from '../access/explained-caller.js';
import { FilePrincipals } from '../access/file-principals.js';
import { readAccess } from '../access/read-access.js';
import { NO_GOVERNANCE } from '../agents/governance-file.js';
import { matchesPattern } from '../policy/match-rule.js';
import { accessWarnings } from './access-warnings.js';
import { offeredTo } from './agent-lines.js';
import type { AccessFlags } from './flags.js';
import { type OpenGovernance, openGovernance } from './open-governance.js';
import { aboutScopes } from './scope-warnings.js';

const REASONS = [InvalidTokenError, NoPrincipalError, IssuerUnavailableError];

function refused(message: string, hints: readonly string[] = []): InvalidArgumentError {
  const hint = [...hints, 'docs/access.md says which tokens are accepted.'].join(' ');
  return new InvalidArgumentError(message, { reason: 'invalid_input', hint });
}

/** Messages of an error and of its causes. */
function causesOf(error: unknown): string[] {
  return error instanceof Error ? [`(${error.message})`, ...causesOf(error.cause)] : [];
}

/** Claims as text. JSON, because strangers write them. */
const claimsText = (claims: Readonly<Record<string, unknown>>): string =>
  Object.entries(claims)
    .map(([name, value]) => `${name} ${value === undefined ? 'missing' : JSON.stringify(value)}`)
    .join(', ');

/** Issuer, audience, expiry and algorithm of a JSON Web Token, not verified; [] for other tokens. */
function statedIn(token: string): string[] {
  try {
    const { iss, aud, exp = NaN } = decodeJwt(token);
    const { alg, typ } = decodeProtectedHeader(token);
    const expires = Number.isFinite(exp) ? new Date(exp * 1_000) : undefined;
    return [`The token says, not verified: ${claimsText({ iss, aud, exp: expires, alg, typ })}.`];
  } catch {
    return [];
  }
}

function hintsAbout(error: unknown, token: string, { issuers }: ProtectedResource): string[] {
  if (error instanceof NoPrincipalError)
    return [`Claims that the file asks for, as the token has them: ${claimsText(error.seen)}.`];
  if (!(error instanceof InvalidTokenError)) return [];
  const trusted = error.fault === 'unknown_issuer' ? [`The file trusts: ${issuers.join(', ')}.`] : [];
  return [...statedIn(token), ...trusted];
}

/**
 * Checks a token as a server does.
 * @param file  the access file, for messages @throws InvalidArgumentError with what is wrong with the token
 */
async function holderOf(token: string, file: string, principals: Principals): Promise<Holder> {
  const { protectedResource } = principals;
  if (!protectedResource) throw refused(`${file} accepts no access tokens: it has no part \`oauth\`.`);
  if (token === '') throw refused('There is no token on stdin.');
  try {
    return await principals.withToken(token, (ask) => ask());
  } catch (error) {
    if (!REASONS.some((reason) => error instanceof reason)) throw error;
    const { message, cause } = error as Error;
    throw refused(message, [...causesOf(cause), ...hintsAbout(error, token, protectedResource)]);
  }
}

/** Lines about the scopes of a token, and about tools that need others. @param offered  tools of its principal */
function scopeLines(
  { scopes }: Holder,
  resource: ProtectedResource | null,
  offered: readonly string[],
): string[] {
  const lacking = offered.flatMap((tool) => {
    const missing = (resource?.needed(tool) ?? []).filter((scope) => !scopes?.includes(scope));
    return missing.length === 0 ? [] : [`${tool} (${missing.join(' ')})`];
  });
  return [
    `scopes of the token: ${scopes?.join(' ') || 'none'}`,
    ...(lacking.length === 0 ? [] : [`tools that need further scopes: ${lacking.join(', ')}`]),
  ];
}

const MAX_STDIN_CHARS = 16_384;

/** `pith access key` */
export function printKey(isJson = false): void {
  const key = makeKey(randomBytes);
  const hash = hashOfKey(key);
  if (isJson) return print(JSON.stringify({ key, hash }));
  print(
    `key:  ${key}`,
    `hash: ${hash}`,
    '',
    'The key is shown only now. Its caller sends it as: Authorization: Bearer <key>',
    'Add the hash to `keys` of its principal in the access file.',
  );
}

/** Reads a key or a token from stdin, without the words of a header before it. @param what  names it in the prompt */
async function readStdin(what: string): Promise<string> {
  if (process.stdin.isTTY) tell(`Paste the ${what}, then press Enter and Ctrl+D.`);
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MAX_STDIN_CHARS) break;
  }
  return text.trim().replace(/^(?:Authorization: *)?Bearer +/i, '');
}

function unknownKey(key: string): InvalidArgumentError {
  return new InvalidArgumentError('No principal has this key.', {
    reason: 'invalid_input',
    hint: isWholeKey(key)
      ? 'Add its hash to the access file, or make another key with: pith access key'
      : 'It is not a complete key: characters are missing or wrong. Copy all of it.',
  });
}

/** The tools and settings of the server. */
type Offers = Pick<OpenGovernance, 'surface' | 'config'>;

function scopeText({ scopeLimit }: Caller, { config }: Offers): string {
  try {
    return textOf(limitScope(configuredScope(config), scopeLimit));
  } catch (error) {
    if (!(error instanceof ScopeViolationError)) throw error;
    return `nothing: it lies outside PITH_PROJECT, PITH_ENVIRONMENT, PITH_DOC_TAGS or PITH_REPOSITORIES (${error.reason})`;
  }
}

function textOf({ projectId, environment, docTags, repositories, groups = [] }: Scope): string {
  const parts = [
    ...(projectId === '' ? [] : [`project ${projectId}`]),
    ...(environment === '' ? [] : [`environment ${environment}`]),
    ...(docTags ? [`doc_tags ${docTags.join(', ')}`] : []),
    ...(repositories ? [`repositories ${repositories.join(', ')}`] : []),
    ...(groups?.length === 0 ? [] : [`groups ${groups?.join(', ') ?? 'all'}`]),
  ];
  return parts.join('; ') || 'all documents of the server';
}

function limitsText({ allowance }: Caller, { config: { limits } }: Offers): string {
  const perMinute = allowance.callsPerMinute ?? limits.ratePerMinute;
  const atATime = allowance.concurrentCalls ?? limits.maxConcurrentCalls;
  return [
    perMinute === 0 ? 'any number of calls per minute' : `${perMinute} calls per minute`,
    `${atATime} at a time`,
    ...(allowance.bytesPerDay === undefined ? [] : [`${allowance.bytesPerDay} bytes per day`]),
  ].join(', ');
}

function explanation(principal: Principal, offers: Offers): string[] {
  const caller = makeCaller(principal, offers.config.governance);
  const offered = offeredTo(caller, offers);
  const withheld = [...offers.surface.tools.keys()].filter(
    (name) =>
      !offered.includes(name) &&
      offers.surface.tools.get(name)?.isListed &&
      principal.tools?.some((pattern) => matchesPattern(pattern, name)),
  );
  return [
    `principal: ${principal.name}`,
    `agent: ${caller.agent}`,
    `permissions: ${principal.permissions.join(', ')}`,
    `scope: ${scopeText(caller, offers)}`,
    `limits: ${limitsText(caller, offers)}`,
    `tools (${offered.length}): ${offered.join(', ') || 'none'}`,
    ...(withheld.length === 0
      ? []
      : [
          `not offered although \`tools\` names them: ${withheld.join(', ')}. ` +
            'The agent or the policy withholds them, or they return the same content as tools that are not named.',
        ]),
  ];
}

function summary(principal: Principal, offers: Offers): string {
  const caller = makeCaller(principal, offers.config.governance);
  const count = offeredTo(caller, offers).length;
  const facts = [
    `agent ${caller.agent}`,
    principal.permissions.join(' and '),
    `${count} ${count === 1 ? 'tool' : 'tools'}`,
  ];
  return `principal ${principal.name}: ${facts.join(', ')}, scope: ${scopeText(caller, offers)}`;
}

/** `pith access check` */
export async function checkAccess(
  given: string | undefined,
  flags: AccessFlags,
  tools: readonly AnyTool[],
): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const file = given ?? config.http.accessFile;
  if (file === '') {
    throw new InvalidConfigurationError([
      'There is no access file. Name one, or set PITH_ACCESS_FILE. docs/access.md has an example.',
    ]);
  }
  const offers = await openGovernance(config, tools);
  const setting = given === undefined ? 'PITH_ACCESS_FILE' : null;
  const access = readAccess(file, { ...offers, tools }, setting);
  const principals = new FilePrincipals(access, config.scope.groups);
  if (flags.keyStdin) {
    const key = await readStdin('key');
    const principal = principals.withKey(key);
    if (!principal) throw unknownKey(key);
    return print(...explanation(principal, offers));
  }
  if (flags.tokenStdin) {
    const holder = await holderOf(await readStdin('token'), file, principals);
    const offered = offeredTo(makeCaller(holder.principal, config.governance), offers);
    return print(
      ...explanation(holder.principal, offers),
      ...scopeLines(holder, principals.protectedResource, offered),
    );
  }
  if (flags.principal !== undefined)
    return print(...explanation(principalNamed(flags.principal, [...principals.all, ...BUILT_IN]), offers));
  print(
    `${file} is valid.`,
    ...principals.all.map((principal) => summary(principal, offers)),
    ...accessWarnings(access, offers),
    ...(await aboutScopes({ ...offers, governance: NO_GOVERNANCE }, principals.all)),
  );
}
