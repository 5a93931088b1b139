import { decidingForm, notPermittedNote } from '../../../admin/forms/operator-forms.js';
import { card, factList } from '../../../admin/views/card.js';
import { type Html, html, type Part, seen, seenName, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { type PageColumn, table } from '../../../admin/views/table.js';
import type { PithError } from '../../../core/errors.js';
import { formatCount } from '../../../diagnostics/report/format.js';
import { showUnseen } from '../../../text/show-unseen.js';
import { type Approval, type DatedDecision, MAX_DECISION_REASON } from '../../approvals/approval.js';
import {
  argumentsJson,
  callSentence,
  channelText,
  documentsText,
  needText,
  STATE_WORDS,
} from '../../approvals/approval-words.js';
import { runAddress } from '../runs/runs.controller.js';
import { stateBox } from './approval-state.js';

export interface ApprovalView {
  readonly approval: Approval;
  /** Who is signed in. */
  readonly operator: string;
  /** False if the operator lacks the permission `approve`. */
  readonly mayDecide: boolean;
  /** True if the operator may open pages of runs. */
  readonly seesRuns: boolean;
  /** Why the operator can't approve this request; null if the operator can. */
  readonly objection: PithError | null;
  /** For the form; see `FormTokens`. */
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly frame: Frame;
}

function runOf({ runId = '' }: Approval, seesRuns: boolean): Part {
  const name = seenName(runId);
  return seesRuns ? html`<a href="${runAddress(runId)}">${name}</a>` : name;
}

function inWords({ approval, seesRuns }: ApprovalView): Html {
  const sentence = callSentence(approval).map(({ text, isName }) =>
    isName ? html`<strong>${seenName(text)}</strong>` : text,
  );
  const facts: readonly (readonly [string, Part])[] = [
    ['Tool', html`${seenName(approval.tool)}, version ${seenName(approval.version)}`],
    ['Documents', seen(documentsText(approval.scope))],
    ['Rule', html`${seenName(approval.rule)}${approval.reason !== null && html`: ${seen(approval.reason)}`}`],
    ['Needs', needText(approval)],
    ['Requested', timeAt(approval.requestedAt)],
    ['Expires', timeAt(approval.expiresAt)],
    ['Approval', seenName(approval.id)],
    ['Call', seenName(approval.callId)],
    ...(approval.runId === undefined ? [] : [['Run', runOf(approval, seesRuns)] as const]),
  ];
  return card(
    'call',
    'The call',
    html`<p class="said-call">${sentence}</p>
      ${factList(facts)}`,
  );
}

function argumentsCard(approval: Approval): Html {
  const { argumentsOmitted: omitted } = approval;
  const text = argumentsJson(approval);
  const hasCodes = showUnseen(text).some(({ isCode }) => isCode);
  return card(
    'arguments',
    'Arguments',
    html`${
        omitted > 0 &&
        html`<p class="cut">
          <strong>Not all arguments are shown.</strong> ${formatCount(omitted)} characters are missing at the
          end.
        </p>`
      }
      <pre class="whole" tabindex="0" aria-labelledby="arguments"><code>${seen(text)}</code></pre>
      ${hasCodes && html`<p class="note">Marked codes such as <mark>\\u200b</mark> stand for characters that can't be seen.</p>`}`,
  );
}

const DECISIONS: readonly PageColumn<DatedDecision>[] = [
  { name: 'Time', isHead: true, cell: ({ at }) => timeAt(at) },
  { name: 'Decision', cell: ({ verdict }) => verdict },
  { name: 'By', cell: ({ by }) => seenName(by) },
  { name: 'With', cell: (decision) => seen(channelText(decision)) },
  { name: 'Note', isWide: true, cell: ({ reason }) => (reason === null ? null : seen(reason)) },
];

function decisionsCard({ decisions }: Approval): Html | null {
  if (decisions.length === 0) return null;
  const rows = table({ caption: 'Oldest first', isCaptionHidden: true, rows: decisions, columns: DECISIONS });
  return card('decisions', 'Decisions', rows);
}

const REJECTS = ['arguments_not_shown'];

interface DecisionFields {
  readonly hint: Part;
  readonly buttons: Part;
}

function decisionForm({ approval, operator, token }: ApprovalView, { hint, buttons }: DecisionFields): Html {
  const fields = html`<div class="field">
      <label for="f-note">Note (optional, at most ${MAX_DECISION_REASON} characters)</label
      ><textarea
        id="f-note"
        name="note"
        rows="3"
        maxlength="${MAX_DECISION_REASON}"
        aria-describedby="note-hint"
      ></textarea>
      <p class="note" id="note-hint">
        ${hint} The decision is recorded under the name <strong>${seenName(operator)}</strong>.
      </p>
    </div>
    <p class="actions">${buttons}</p>`;
  return decidingForm(`/admin/approvals/${approval.id}`, token, fields);
}

const REJECT = html`<button name="decision" value="reject" class="reject">Reject</button>`;
const REVOKE = html`<button name="decision" value="revoke" class="reject">Revoke</button>`;

function decideForm(view: ApprovalView): Html {
  const { objection } = view;
  const refusal = objection && html`<p class="cut">${objection.message} ${objection.hint}</p>`;
  if (objection && !REJECTS.includes(objection.reason)) return html`${refusal}`;
  const approve = !objection && html`<button name="decision" value="approve">Approve</button>`;
  const hint = 'The caller of a rejected call sees the note.';
  return html`${refusal} ${decisionForm(view, { hint, buttons: html`${approve} ${REJECT}` })}`;
}

function revokeForm(view: ApprovalView): Html {
  const hint = 'The call was not made yet. After this, it is refused, and its caller sees the note.';
  return decisionForm(view, { hint, buttons: REVOKE });
}

function decideCard(view: ApprovalView): Html | null {
  const { state } = view.approval;
  if (state !== 'pending' && state !== 'approved') return null;
  const isGranted = state === 'approved';
  const form = isGranted ? revokeForm : decideForm;
  const content = view.mayDecide ? form(view) : html`<p>${notPermittedNote(seenName(view.operator))}</p>`;
  return card('decide', isGranted ? 'Revoke' : 'Decide', content);
}

/** One request: what would be done, in words and as arguments, and the form to decide it. */
export function approvalPage(view: ApprovalView): string {
  const { approval, now, frame } = view;
  return page({
    title: `${approval.tool}: ${STATE_WORDS[approval.state]}`,
    place: '/admin/approvals',
    frame,
    content: html`<p class="crumb"><a href="/admin/approvals">Approvals</a> / ${seenName(approval.id)}</p>
      <h1>${seenName(approval.tool)}</h1>
      ${stateBox(approval, now)} ${inWords(view)} ${argumentsCard(approval)} ${decideCard(view)}
      ${decisionsCard(approval)}`,
  });
}
