import { userInfo } from 'node:os';
import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { ApprovalDecidedEvent } from '../../core/ledger/ledger-event.js';
import type { Approval, ApprovalStore } from '../../core/ports/approval-store.port.js';
import { openApprovals } from '../../engines/open-approvals.js';
import { unknownApproval } from '../../governance/approvals/decide-approval.js';
import { OperatorDecisions } from '../../governance/approvals/operator-decisions.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import type { Servers } from '../commands/serve.command.js';
import { type ApprovalFlags, type ApprovalListFlags, type DecideFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { approvalJson, approvalLine, approvalLines } from '../reports/approval-report.js';
import { recordEvent } from '../running/record-event.js';

const MAX_NAME = 128;
const VERDICTS = { approve: 'approved', reject: 'rejected', revoke: 'revoked' } as const;
export type DecisionVerb = keyof typeof VERDICTS;

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Opens the store for one command. */
async function withApprovals<T>(
  flags: ApprovalFlags,
  work: (store: ApprovalStore, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom({ ...flags, storeFile: flags.file }));
  const store = openApprovals(config, 'command');
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

/** `pith approvals list` */
export function listApprovals({ state, limit, ...flags }: ApprovalListFlags): Promise<void> {
  return withApprovals(flags, async (store) => {
    const found = await store.list({ limit, ...(state !== 'all' && { state }) });
    if (flags.json) return print([plainJson(found.map(approvalJson))]);
    const none = state === 'pending' ? 'No call waits for approval.' : 'There are no such requests.';
    print(found.length === 0 ? [none] : found.map(approvalLine));
  });
}

/** `pith approvals show` */
export function showApproval(id: string, flags: ApprovalFlags): Promise<void> {
  return withApprovals(flags, async (store) => {
    const approval = await store.get(id);
    if (!approval) throw unknownApproval();
    print(flags.json ? [plainJson(approvalJson(approval))] : approvalLines(approval));
  });
}

function notAnApprover(name: string): InvalidArgumentError {
  return new InvalidArgumentError(`${plainLine(name)} is not a principal with the permission approve.`, {
    reason: 'not_an_approver',
    hint: 'Grant the permission in the file of PITH_ACCESS_FILE, or leave out --as.',
  });
}

type DecisionFlags = DecideFlags & Pick<Servers, 'tools'>;

/** The name under which a decision is recorded: that of the user, or one of the access file that may decide. */
async function deciderOf({ as: name, tools }: DecisionFlags, config: Config): Promise<string> {
  if (name === undefined) return plainLine(userInfo().username).slice(0, MAX_NAME);
  const { openPrincipals } = await import('../../governance/access/open-principals.js');
  const { all } = await openPrincipals(config, await tools());
  if (all.some((each) => each.name === name && each.permissions.includes('approve'))) return name;
  throw notAnApprover(name);
}

function outcomeLines(approval: Approval): string[] {
  const { state, expiresAt, principal, tool } = approval;
  const until = new Date(expiresAt).toISOString();
  const call = plainLine(`${tool} for ${principal}`);
  if (state === 'approved') return [`Approved: ${call}. The caller may make this call once, until ${until}.`];
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
    const approval = await decisions.decide(id, {
      by: await deciderOf(flags, config),
      via: 'command',
      verdict: VERDICTS[verb],
      note: flags.note ?? '',
    });
    print(flags.json ? [plainJson(approvalJson(approval))] : outcomeLines(approval));
  });
}
