import { plural } from '../../../cli/reports/report-lines.js';
import { seenText } from '../../../text/show-unseen.js';
import type { Approval } from '../../approvals/approval-store.port.js';
import {
  argumentsJson,
  callSentence,
  channelText,
  documentsText,
  needText,
  STATE_WORDS,
} from '../../approvals/approval-words.js';

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
export function approvalLine(approval: Approval): string {
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
export function approvalJson(approval: Approval) {
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
