import type { Scope } from '../../core/scope.js';
import type { UserQuestion } from '../../mcp/input-requests.js';
import { seenText } from '../../text/show-unseen.js';
import type { Approval, ApprovalDecision, ApprovalState, DecisionChannel } from './approval.js';
import { approvalsNeeded } from './decide-approval.js';

/** Hosts show questions in small windows (characters). */
const MAX_SHOWN_CHARS = 1_000;

/** True if the question can show all arguments of a call. Nobody can allow what is not shown. */
export function isShownToUser({ argumentsText, argumentsOmitted }: Approval): boolean {
  return argumentsOmitted === 0 && argumentsText.length <= MAX_SHOWN_CHARS;
}

/** The question about a call for the user at the host of the caller, if `isShownToUser`. The texts of the agent come last, on one line. */
export function questionAbout(approval: Approval): UserQuestion {
  const { id, reason, argumentsText } = approval;
  const sentence = callSentence(approval)
    .map(({ text }) => text)
    .join('');
  const lines = [
    `${sentence} Allow this call once?`,
    ...(reason === null ? [] : [`Reason for asking: ${reason}`]),
    `Arguments: ${argumentsText}`,
  ];
  return { state: id, message: lines.map((line) => seenText(line.replaceAll('\n', ' '))).join('\n') };
}

/** The states as people read them. */
export const STATE_WORDS: Readonly<Record<ApprovalState, string>> = {
  pending: 'pending',
  approved: 'approved, not used yet',
  used: 'approved and used',
  rejected: 'rejected',
  expired: 'expired',
};

/** How a decision was made. */
const CHANNEL_WORDS: Readonly<Record<DecisionChannel, string>> = {
  admin: 'admin console',
  command: 'command line',
  webhook: 'webhook',
  host: "the caller's host",
};

/** How a decision was made, and for a command under another name by whom. */
export function channelText({ via, by, osUser = by }: ApprovalDecision): string {
  return osUser === by ? CHANNEL_WORDS[via] : `${CHANNEL_WORDS[via]}, run by ${osUser}`;
}

const ACTIONS: Readonly<Record<string, string>> = {
  read: 'which only reads',
  write: 'which changes data of this server',
  external: 'which acts outside this server',
};

/** A stretch of a sentence; names come from callers and files. */
export interface WordsPart {
  readonly text: string;
  readonly isName: boolean;
}

const words = (text: string): WordsPart => ({ text, isName: false });
const name = (text: string): WordsPart => ({ text, isName: true });

/** One sentence: who wants to call which tool, and the kind of action. */
export function callSentence({ agent, principal, tool, safety }: Approval): readonly WordsPart[] {
  const action = ACTIONS[safety] ?? 'which is of an unknown kind';
  return [
    ...[words('Agent '), name(agent), words(' of principal '), name(principal)],
    ...[words(' wants to call '), name(tool), words(`, ${action}.`)],
  ];
}

const listed = (values: readonly string[] | null, all: string): string => {
  if (values === null) return all;
  return values.length === 0 ? 'none' : values.join(', ');
};

/** The documents that the call may see. */
export function documentsText({ projectId, environment, docTags, repositories }: Scope): string {
  const where = `project ${projectId}, environment ${environment}`;
  return `${where}; tags: ${listed(docTags, 'all')}; repositories: ${listed(repositories, 'all')}`;
}

/** Who has to approve. */
export function needText(approval: Approval): string {
  if (approvalsNeeded(approval) === 1)
    return approval.approver === 'caller' ? 'the caller or one operator' : 'one operator';
  const given = approval.decisions.filter(({ verdict }) => verdict === 'approved').length;
  return `two different operators; ${given} of 2 approved`;
}

/** The arguments as indented JSON. Arguments that are not stored in full are not JSON; they are returned as stored. */
export function argumentsJson({ argumentsText, argumentsOmitted }: Approval): string {
  if (argumentsOmitted > 0) return argumentsText;
  const parsed: unknown = JSON.parse(argumentsText);
  return JSON.stringify(parsed, null, 2);
}
