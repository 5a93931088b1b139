import type { UserQuestion } from '../../mcp/input-requests.js';
import { seenText } from '../../text/show-unseen.js';
import type { Approval } from './approval-store.port.js';
import { callSentence } from './approval-words.js';

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
