import { type Html, html, type Part, timeAt } from '../../../admin/views/html.js';
import { said, SIGNS, type Tone } from '../../../admin/views/state-mark.js';
import { formatDuration } from '../../../diagnostics/report/format.js';
import type { Approval, ApprovalState } from '../../approvals/approval.js';
import { needText, STATE_WORDS } from '../../approvals/approval-words.js';

const TONES: Readonly<Record<ApprovalState, Tone>> = {
  pending: 'warn',
  approved: 'good',
  used: 'good',
  rejected: 'bad',
  expired: 'bad',
};

/** The state in a row of a table. */
export function stateMark({ state }: Approval): Html {
  return said(TONES[state], STATE_WORDS[state]);
}

function explained(approval: Approval, now: number): Part {
  const { state, expiresAt, usedAt, usedBy } = approval;
  const left = formatDuration(Math.max(0, expiresAt - now));
  switch (state) {
    case 'pending':
      return html`It needs ${needText(approval)}, and expires in ${left}, at ${timeAt(expiresAt)}.`;
    case 'approved':
      return html`The caller may make this call once within ${left}, until ${timeAt(expiresAt)}.`;
    case 'used':
      return html`The call was made ${usedAt !== null && html`at ${timeAt(usedAt)}`} with id
        <bdi class="id">${usedBy}</bdi>.`;
    case 'rejected':
      return 'The same call is refused until the request expires.';
    case 'expired':
      return 'The caller has to make the call again, which asks for a new approval.';
  }
}

function heading({ state }: Approval): string {
  if (state === 'pending') return 'This call waits for approval.';
  return state === 'expired' ? 'This request has expired.' : `This call is ${STATE_WORDS[state]}.`;
}

/** The state of a request, as the first thing on its page. Focus moves here after a decision. */
export function stateBox(approval: Approval, now: number): Html {
  const tone = TONES[approval.state];
  return html`<div class="verdict ${tone}" id="state" role="status" tabindex="-1">
    <h2><span class="sign" aria-hidden="true">${SIGNS[tone]}</span>${heading(approval)}</h2>
    <p>${explained(approval, now)}</p>
  </div>`;
}
