import { card } from '../../../admin/views/card.js';
import { type Html, html, seenName, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listTable, type PageColumn } from '../../../admin/views/table.js';
import type { Approval, ApprovalState } from '../../approvals/approval-store.port.js';
import { needText } from '../../approvals/approval-words.js';
import { stateMark } from './approval-state.js';
import type { ApprovalRows } from './approvals.controller.js';

export interface ApprovalsView {
  readonly pending: ApprovalRows;
  /** The request before this page of those that wait; undefined on the first page. */
  readonly after: string | undefined;
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
const RECENT: readonly PageColumn<Approval>[] = [
  ...CALL,
  { name: 'State', cell: stateMark },
  {
    name: 'Decided by',
    cell: ({ decisions }) =>
      decisions.length === 0 ? null : seenName(decisions.map(({ by }) => by).join(', ')),
  },
];

function pendingCard({ pending: { rows, next }, after }: ApprovalsView): Html {
  const list = listTable({
    caption: after === undefined ? 'Newest first' : 'Older requests, newest first',
    rows,
    columns: PENDING,
    empty: 'No call waits for approval.',
    pages: { path: PATH, query: { after }, by: 'after', next },
  });
  return card('pending', 'Waiting for approval', list);
}

/** States of requests that no longer wait. */
export const PAST_STATES: readonly ApprovalState[] = ['approved', 'used', 'rejected', 'expired'];

/** The calls that wait for approval, and recent decisions. */
export function approvalsPage(view: ApprovalsView): string {
  const { recent, frame } = view;
  const empty = 'No request was decided or has expired yet.';
  const past = listTable({ caption: 'Newest first', rows: recent, columns: RECENT, empty });
  return page({
    title: 'Approvals',
    place: '/admin/approvals',
    frame,
    lead: 'Calls that wait until an operator approves them. Open a call to see its arguments and decide.',
    content: html`${pendingCard(view)} ${card('recent', 'Recently decided or expired', past)}`,
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
