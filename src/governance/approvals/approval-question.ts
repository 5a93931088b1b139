import type { Approval } from '../../core/ports/approval-store.port.js';
import type { UserQuestion } from '../../mcp/input-requests.js';
import { seenText } from '../../text/show-unseen.js';
import { callSentence } from './approval-words.js';

/** Hosts show questions in small windows. */
const MAX_ARGUMENTS = 1_000;

/** The question about a call for the user at the host of the caller. The texts of the agent come last, on one line. */
export function questionAbout(approval: Approval): UserQuestion {
  const { id, reason, argumentsText, argumentsOmitted } = approval;
  const shown = argumentsText.slice(0, MAX_ARGUMENTS);
  const omitted = argumentsText.length - shown.length + argumentsOmitted;
  const sentence = callSentence(approval)
    .map(({ text }) => text)
    .join('');
  const lines = [
    `${sentence} Allow this call once?`,
    ...(reason === null ? [] : [`Reason for asking: ${reason}`]),
    `Arguments: ${shown}${omitted > 0 ? ` … ${omitted} more characters are not shown` : ''}`,
  ];
  return { state: id, message: lines.map((line) => seenText(line.replaceAll('\n', ' '))).join('\n') };
}
