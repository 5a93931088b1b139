import { randomBytes } from 'node:crypto';
import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { Caller } from '../../core/call.js';
import { InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { limitScope, type Scope } from '../../core/scope.js';
import { tell } from '../../core/stderr.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { BUILT_IN, type Principal } from '../../mcp/principals.js';
import { hashOfKey, isWholeKey, makeKey } from '../access/access-key.js';
import { configuredScope, principalNamed } from '../access/explained-caller.js';
import { FilePrincipals } from '../access/file-principals.js';
import { readAccess } from '../access/read-access.js';
import { NO_GOVERNANCE } from '../agents/governance-file.js';
import { matchesPattern } from '../policy/match-rule.js';
import { accessWarnings } from './access-warnings.js';
import { offeredTo } from './agent-lines.js';
import { holderOf, scopeLines } from './explained-token.js';
import type { AccessFlags } from './flags.js';
import { type OpenGovernance, openGovernance } from './open-governance.js';
import { aboutScopes } from './scope-warnings.js';

const MAX_STDIN_CHARS = 16_384;

const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** `pith access key` */
export function printKey(isJson = false): void {
  const key = makeKey(randomBytes);
  const hash = hashOfKey(key);
  if (isJson) return say([JSON.stringify({ key, hash })]);
  say([
    `key:  ${key}`,
    `hash: ${hash}`,
    '',
    'The key is shown only now. Its caller sends it as: Authorization: Bearer <key>',
    'Add the hash to `keys` of its principal in the access file.',
  ]);
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

function textOf({ projectId, environment, docTags, repositories }: Scope): string {
  const parts = [
    ...(projectId === '' ? [] : [`project ${projectId}`]),
    ...(environment === '' ? [] : [`environment ${environment}`]),
    ...(docTags ? [`doc_tags ${docTags.join(', ')}`] : []),
    ...(repositories ? [`repositories ${repositories.join(', ')}`] : []),
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
  const principals = new FilePrincipals(access);
  if (flags.keyStdin) {
    const key = await readStdin('key');
    const principal = principals.withKey(key);
    if (!principal) throw unknownKey(key);
    return say(explanation(principal, offers));
  }
  if (flags.tokenStdin) {
    const holder = await holderOf(await readStdin('token'), file, principals);
    const offered = offeredTo(makeCaller(holder.principal, config.governance), offers);
    return say([
      ...explanation(holder.principal, offers),
      ...scopeLines(holder, principals.protectedResource, offered),
    ]);
  }
  if (flags.principal !== undefined)
    return say(explanation(principalNamed(flags.principal, [...principals.all, ...BUILT_IN]), offers));
  say([
    `${file} is valid.`,
    ...principals.all.map((principal) => summary(principal, offers)),
    ...accessWarnings(access, offers),
    ...(await aboutScopes({ ...offers, governance: NO_GOVERNANCE }, principals.all)),
  ]);
}
