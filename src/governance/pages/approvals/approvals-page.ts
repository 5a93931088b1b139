import { type Html, html, seenName } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listAddress, type PageColumn, pager, table } from '../../../admin/views/table.js';
import type { Approval, ApprovalState } from '../../approvals/approval-store.port.js';
import { needText } from '../../approvals/approval-words.js';
import { stateMark, timeAt } from './approval-state.js';
import type { ApprovalRows } from './approvals.controller.js';

export interface ApprovalsView {
  readonly pending: ApprovalRows;
  /** False on further pages of the pending requests. */
  readonly isFirst: boolean;
  /** The newest requests that no longer wait. */
  readonly recent: readonly Approval[];
  readonly frame: Frame;
}

const PATH = '/admin/approvals';

const CALL: readonly PageColumn<Approval>[] = [
  {
    name: 'Requested',
    isHead: true,
    cell: ({ id, requestedAt }) => html`<a href="/admin/approvals/${id}">${timeAt(requestedAt)}</a>`,
  },
  { name: 'Tool', cell: ({ tool }) => seenName(tool) },
  { name: 'Kind', cell: ({ safety }) => safety },
  { name: 'Agent', cell: ({ agent }) => seenName(agent) },
  { name: 'Principal', cell: ({ principal }) => seenName(principal) },
  { name: 'Rule', cell: ({ rule }) => seenName(rule) },
];
const PENDING: readonly PageColumn<Approval>[] = [
  ...CALL,
  { name: 'Needs', cell: needText },
  { name: 'Expires', cell: ({ expiresAt }) => timeAt(expiresAt) },
];
const deciders = ({ decisions }: Approval): string | null =>
  decisions.length === 0 ? null : decisions.map(({ by }) => by).join(', ');
const RECENT: readonly PageColumn<Approval>[] = [
  ...CALL,
  { name: 'State', cell: stateMark },
  {
    name: 'Decided by',
    cell: (approval) => {
      const names = deciders(approval);
      return names === null ? null : seenName(names);
    },
  },
];

function pendingCard({ pending: { rows, next }, isFirst }: ApprovalsView): Html {
  const content =
    rows.length > 0
      ? table({ caption: isFirst ? 'Newest first' : 'Older requests, newest first', rows, columns: PENDING })
      : html`<p class="empty">No call waits for approval.</p>`;
  return html`<section class="card" aria-labelledby="pending">
    <h2 id="pending">Waiting for approval</h2>
    ${content}
    ${pager({
      of: 'the list',
      first: isFirst ? null : PATH,
      next: next === null ? null : listAddress(PATH, { after: next }),
    })}
  </section>`;
}

/** States of requests that no longer wait. */
export const PAST_STATES: readonly ApprovalState[] = ['approved', 'used', 'rejected', 'expired'];

/** The calls that wait for approval, and recent decisions. */
export function approvalsPage(view: ApprovalsView): string {
  const { recent, frame } = view;
  return page({
    title: 'Approvals',
    place: '/admin/approvals',
    frame,
    content: html`<h1>Approvals</h1>
      <p class="lead">
        Calls that wait until an operator approves them. Open a call to see its arguments and decide.
      </p>
      ${pendingCard(view)}
      <section class="card" aria-labelledby="recent">
        <h2 id="recent">Recently decided or expired</h2>
        ${
          recent.length > 0
            ? table({ caption: 'Newest first', rows: recent, columns: RECENT })
            : html`<p class="empty">No request was decided or has expired yet.</p>`
        }
      </section>`,
  });
}

/** The page of a server on which no rule requires approval. */
export function noApprovalsPage(frame: Frame): string {
  return page({
    title: 'Approvals',
    place: '/admin/approvals',
    frame,
    content: html`<h1>Approvals</h1>
      <p class="empty">
        No policy rule of this server requires approval (effects <code>approve</code> and
        <code>review</code>), so no call waits here. To require approval, add such a rule to the governance
        file. See <code>docs/approvals.md</code>.
      </p>`,
  });
}
