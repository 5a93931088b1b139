import { userInfo } from 'node:os';
import type { Servers } from '../../../cli/commands/serve.command.js';
import { settingsFrom } from '../../../cli/flags.js';
import { loadConfig } from '../../../cli/load-config.js';
import { print } from '../../../cli/print.js';
import { plural } from '../../../cli/reports/report-lines.js';
import type { Config } from '../../../config/config.js';
import { InvalidArgumentError, ScopeViolationError } from '../../../core/errors.js';
import { recordsWithin, scopeCovers } from '../../../core/scope.js';
import { tell } from '../../../core/stderr.js';
import type { Principal } from '../../../mcp/principals.js';
import { plainJson, plainLine } from '../../../text/plain-line.js';
import { seenText } from '../../../text/show-unseen.js';
import { configuredScope } from '../../access/explained-caller.js';
import { type Approval, type ApprovalQuery, MAX_LISTED_APPROVALS } from '../../approvals/approval.js';
import { ApprovalStore } from '../../approvals/approval-store.js';
import {
  argumentsJson,
  callSentence,
  channelText,
  documentsText,
  needText,
  STATE_WORDS,
} from '../../approvals/approval-words.js';
import { unknownApproval } from '../../approvals/decide-approval.js';
import { OperatorDecisions } from '../../approvals/operator-decisions.js';
import { openGovernanceDatabase } from '../../governance-store.js';
import type { ApprovalDecidedEvent } from '../../ledger/ledger-event.js';
import type { ApprovalFlags, ApprovalListFlags, DecideFlags } from '../flags.js';
import { recordEvent } from '../open-governance.js';

const isoOf = (ms: number): string => new Date(ms).toISOString();
/** One line, with codes for everything that can't be seen. */
const lineOf = (text: string): string => seenText(text).replaceAll('\n', '\\n');

/** The state, and for a review that waits how many have approved. */
function stateText({ state, effect, decisions }: Approval): string {
  if (state !== 'pending' || effect !== 'review') return STATE_WORDS[state];
  const given = decisions.filter(({ verdict }) => verdict === 'approved').length;
  return `${STATE_WORDS[state]}, ${given} of 2 approved`;
}

/** One request as one line. */
function approvalLine(approval: Approval): string {
  const { id, safety, tool, agent, principal, rule, expiresAt } = approval;
  const caller = `${agent} of ${principal}`;
  const parts = [id, stateText(approval), `${tool} (${safety})`, caller, `rule ${rule}`];
  return lineOf([...parts, `expires ${isoOf(expiresAt)}`].join(' · '));
}

function decisionLines({ decisions }: Approval): string[] {
  return decisions.map((decision) => {
    const { by, verdict, reason, at } = decision;
    const note = reason === null ? '' : `: ${reason}`;
    return lineOf(`  ${isoOf(at)} ${verdict} by ${by} (${channelText(decision)})${note}`);
  });
}

/** One request in full: the call in words, its arguments and what was decided. */
export function approvalLines(approval: Approval): string[] {
  const { id, state, rule, reason, scope, version, requestedAt, expiresAt, usedBy, argumentsOmitted } =
    approval;
  return [
    lineOf(
      callSentence(approval)
        .map(({ text }) => text)
        .join(''),
    ),
    '',
    `State:      ${STATE_WORDS[state]}`,
    `Needs:      ${needText(approval)}`,
    lineOf(`Rule:       ${rule}${reason === null ? '' : `: ${reason}`}`),
    lineOf(`Documents:  ${documentsText(scope)}`),
    lineOf(`Version:    ${version}`),
    `Requested:  ${isoOf(requestedAt)}`,
    `Expires:    ${isoOf(expiresAt)}`,
    lineOf(`Approval:   ${id}`),
    ...(usedBy === null ? [] : [lineOf(`Used by:    call ${usedBy}`)]),
    '',
    'Arguments:',
    ...seenText(argumentsJson(approval)).split('\n'),
    ...(argumentsOmitted > 0
      ? [`… ${plural(argumentsOmitted, 'more character')} of the arguments are not stored.`]
      : []),
    ...(approval.decisions.length > 0 ? ['', 'Decisions:', ...decisionLines(approval)] : []),
  ];
}

/** A request for programs. */
function approvalJson(approval: Approval) {
  const { id, state, tool, version, safety, rule, effect, approver, reason, principal, agent } = approval;
  const { scope, argumentsOmitted, requestedAt, expiresAt, decisions, usedBy, usedAt } = approval;
  const { projectId: project_id, environment, docTags: doc_tags, repositories } = scope;
  const args: unknown = argumentsOmitted > 0 ? null : JSON.parse(approval.argumentsText);
  return {
    ...{ id, state, tool, version, safety, rule, effect, approver, reason, principal, agent },
    call_id: approval.callId,
    scope: { project_id, environment, doc_tags, repositories },
    /** Null if they are not stored in full. */
    arguments: args,
    arguments_omitted: argumentsOmitted,
    requested_at: isoOf(requestedAt),
    expires_at: isoOf(expiresAt),
    decisions: decisions.map(({ by, via, osUser = null, verdict, reason: note, at }) => ({
      ...{ by, via, os_user: osUser, verdict, note },
      at: isoOf(at),
    })),
    used_by: usedBy,
    used_at: usedAt === null ? null : isoOf(usedAt),
  };
}

const MAX_NAME = 128;
const VERDICTS = { approve: 'approved', reject: 'rejected', revoke: 'revoked' } as const;
export type DecisionVerb = keyof typeof VERDICTS;

/** Opens the store for one command. */
async function withApprovals<T>(
  flags: ApprovalFlags,
  work: (store: ApprovalStore, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom({ ...flags, storeFile: flags.file }));
  const store = new ApprovalStore(openGovernanceDatabase(config, 'command'), Date.now);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** The number of requests that the list shows after one. */
async function countAfter(
  last: Approval,
  state: ApprovalQuery['state'],
  store: ApprovalStore,
): Promise<number> {
  const limit = MAX_LISTED_APPROVALS;
  let [count, after] = [0, last.id];
  for (;;) {
    const page = await store.list({ limit, after, ...(state && { state }) });
    count += page.length;
    const end = page.at(-1);
    if (!end || page.length < limit) return count;
    after = end.id;
  }
}

/** `pith approvals list` */
export function listApprovals({ state, limit, ...flags }: ApprovalListFlags): Promise<void> {
  return withApprovals(flags, async (store) => {
    const wanted = state === 'all' ? undefined : state;
    const found = await store.list({ limit, ...(wanted && { state: wanted }) });
    const none = state === 'pending' ? 'No call waits for approval.' : 'There are no such requests.';
    if (flags.json) print(plainJson(found.map(approvalJson)));
    else print(...(found.length === 0 ? [none] : found.map(approvalLine)));
    const last = found.at(-1);
    const more = last && found.length === limit ? await countAfter(last, wanted, store) : 0;
    // On stderr, so that it does not get into lists that programs read.
    if (more > 0) tell(`${more} more; --limit lists up to ${MAX_LISTED_APPROVALS}.`);
  });
}

/** `pith approvals show` */
export function showApproval(id: string, flags: ApprovalFlags): Promise<void> {
  return withApprovals(flags, async (store) => {
    const approval = await store.get(id);
    if (!approval) throw unknownApproval();
    print(...(flags.json ? [plainJson(approvalJson(approval))] : approvalLines(approval)));
  });
}

type DecisionFlags = DecideFlags & Pick<Servers, 'tools'>;

const mayApprove = ({ permissions }: Principal): boolean => permissions.includes('approve');

function notAnApprover(name: string, all: readonly Principal[]): InvalidArgumentError {
  const isKnown = all.some((each) => each.name === name);
  const deciders = all.filter(mayApprove).map((each) => each.name);
  const shown = plainLine(name);
  return new InvalidArgumentError(
    isKnown ? `${shown} does not have the permission approve.` : `There is no principal ${shown}.`,
    {
      reason: 'not_an_approver',
      hint:
        deciders.length > 0
          ? `Principals of PITH_ACCESS_FILE with this permission: ${deciders.join(', ')}.`
          : 'Grant a principal of PITH_ACCESS_FILE the permission approve, or leave out --as.',
    },
  );
}

/** @throws ScopeViolationError if the principal may not see all documents of the call */
function checkScope({ name, scope }: Principal, approval: Approval, config: Config): void {
  const readable = recordsWithin(scope, configuredScope(config));
  if (readable === null || scopeCovers(readable, approval.scope)) return;
  throw new ScopeViolationError(
    `The documents of this call are not within the scope of ${plainLine(name)}.`,
    {
      reason: 'outside_scope',
      hint: `Decide under a name whose scope covers them. They are printed by: pith approvals show ${approval.id}`,
    },
  );
}

/** The principal of the access file under whose name a decision is made. @throws InvalidArgumentError `not_an_approver` */
async function principalOf(name: string, { tools }: DecisionFlags, config: Config): Promise<Principal> {
  const { openAccess } = await import('../../access/open-access.js');
  const { all } = (await openAccess(config, await tools())).principals;
  const found = all.find((each) => each.name === name && mayApprove(each));
  if (!found) throw notAnApprover(name, all);
  return found;
}

/** Warns if one user of the operating system gave both approvals of a review. */
function sameUserLines({ decisions }: Approval): string[] {
  const users = decisions.flatMap(({ verdict, osUser }) =>
    verdict === 'approved' && osUser !== undefined ? [osUser] : [],
  );
  const [first] = users;
  if (first === undefined || users.length < 2 || users.some((user) => user !== first)) return [];
  return [
    `Warning: the user ${plainLine(first)} of this system ran both approvals. A review is meant for two people.`,
  ];
}

function outcomeLines(approval: Approval): string[] {
  const { state, expiresAt, principal, tool } = approval;
  const until = new Date(expiresAt).toISOString();
  const call = plainLine(`${tool} for ${principal}`);
  if (state === 'approved')
    return [
      `Approved: ${call}. The caller may make this call once, until ${until}.`,
      ...sameUserLines(approval),
    ];
  if (state === 'pending')
    return [`Your approval is recorded: ${call}. A second operator has to approve it as well.`];
  const isRevoked = approval.decisions.at(-1)?.verdict === 'revoked';
  return [`${isRevoked ? 'Revoked' : 'Rejected'}: ${call}.`];
}

/** `pith approvals approve`, `reject` and `revoke` */
export function decideByCommand(id: string, verb: DecisionVerb, flags: DecisionFlags): Promise<void> {
  return withApprovals(flags, async (store, config) => {
    const record = (event: ApprovalDecidedEvent): Promise<void> => recordEvent(config, event);
    const decisions = new OperatorDecisions({ store, record, now: Date.now });
    const osUser = plainLine(userInfo().username).slice(0, MAX_NAME);
    const principal = flags.as === undefined ? null : await principalOf(flags.as, flags, config);
    const asked = await store.get(id);
    if (principal && asked) checkScope(principal, asked, config);
    const approval = await decisions.decide(id, {
      by: principal?.name ?? osUser,
      via: 'command',
      osUser,
      verdict: VERDICTS[verb],
      note: flags.note ?? '',
    });
    print(...(flags.json ? [plainJson(approvalJson(approval))] : outcomeLines(approval)));
  });
}
