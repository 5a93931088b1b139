import { bar } from '../../../admin/views/bar.js';
import { type Html, html, type Part, seenName, timeAt } from '../../../admin/views/html.js';
import type { PageColumn } from '../../../admin/views/table.js';
import { APPROVAL_REQUIRED } from '../../../core/errors.js';
import type { Ref } from '../../../core/reply.js';
import { formatBytes, formatCount, formatMs } from '../../../diagnostics/report/format.js';
import type { RunEvent } from '../../ledger/ledger-event.js';
import type { RunApproval, RunCall, RunEntry, RunMark } from './read-runs.js';

/** Start and end of an entry, in milliseconds since the epoch. */
function spanOf(entry: RunEntry): { readonly from: number; readonly to: number } {
  if (entry.kind !== 'call') return { from: Date.parse(entry.at), to: Date.parse(entry.at) };
  const { startedAt, ended } = entry;
  const to = Date.parse(ended?.at ?? startedAt ?? '');
  return { from: startedAt === null ? to : Date.parse(startedAt), to };
}

function refText({ type, id }: Ref): Html {
  const name = html`<bdi class="id">${id}</bdi>`;
  const shown =
    type === 'diagnostic' ? html`<a href="/admin/retrievals/${encodeURIComponent(id)}">${name}</a>` : name;
  return html`<li>${type} ${shown}</li>`;
}

function refsOf({ ended }: RunCall): Part {
  const { refs = [], refs_omitted: omitted = 0 } = ended?.event ?? {};
  if (refs.length === 0) return null;
  return html`<details>
    <summary>${formatCount(refs.length + omitted)}</summary>
    <ul>
      ${refs.map(refText)}
    </ul>
  </details>`;
}

function argumentsOf({ argumentsText }: RunCall): Part {
  if (argumentsText === null) return null;
  return html`<details>
    <summary>Show</summary>
    <code class="id"><bdi>${argumentsText}</bdi></code>
  </details>`;
}

function outcomeOf({ ended }: RunCall): Part {
  if (!ended) return html`<em>no end recorded</em>`;
  const { outcome, error_code: code, reason, calls_omitted: more } = ended.event;
  const why = [code, reason].filter((each) => typeof each === 'string').join(', ');
  if (outcome === 'waiting' || reason === APPROVAL_REQUIRED) return 'waiting for approval';
  const words = why === '' ? outcome.replace('_', ' ') : `${outcome.replace('_', ' ')} (${why})`;
  return more === undefined ? words : `${words}, and ${formatCount(more)} more`;
}

function decisionText({ event }: RunApproval): Part {
  if (event.type === 'approval.requested') return 'approval requested';
  if (event.type === 'approval.used') return 'approval used';
  const { verdict, decided_by: by, via, os_user, state } = event;
  const ranBy = os_user !== undefined && os_user !== by && html`, run by ${seenName(os_user)}`;
  const still = state === 'pending' && '; needs another approval';
  return html`${verdict} by ${seenName(by)} (${via}${ranBy})${still}`;
}

function markText(event: RunEvent): string {
  if (event.type === 'run.checkpoint') return `checkpoint ${event.checkpoint_version} stored`;
  if (event.type !== 'run.step') return `run ${event.type.slice('run.'.length)}`;
  const { step, step_event, success } = event;
  const verdict = success === undefined ? '' : success ? ', succeeded' : ', failed';
  return `step ${step}: ${step_event}${verdict}`;
}

function markOf({ event }: RunMark): Part {
  const { data } = event;
  const words = html`<bdi>${markText(event)}</bdi>`;
  if (data === undefined) return words;
  return html`${words}
    <details>
      <summary>Data</summary>
      <code class="id"><bdi>${data}</bdi></code>
    </details>`;
}

function wordsOf(entry: RunEntry): Part {
  if (entry.kind === 'call') return outcomeOf(entry);
  return entry.kind === 'mark' ? markOf(entry) : decisionText(entry);
}

function durationOf(entry: RunEntry): Part {
  if (entry.kind === 'call') return entry.ended && formatMs(entry.ended.event.duration_ms);
  const isStep = entry.kind === 'mark' && entry.event.type === 'run.step';
  return isStep && entry.event.duration_ms !== undefined ? formatMs(entry.event.duration_ms) : null;
}

/** The approval of an entry, with a link to its page. */
function approvalOf(entry: RunEntry): Part {
  if (entry.kind === 'mark') return null;
  const id = entry.kind === 'approval' ? entry.event.approval_id : entry.ended?.event.approval_id;
  if (id === undefined) return null;
  return html`<a href="/admin/approvals/${encodeURIComponent(id)}">${seenName(id)}</a>`;
}

const factsOf = (entry: RunEntry) => (entry.kind === 'call' ? entry : entry.event);

function decidedBy(entry: RunEntry): Part {
  const { rule, effect } = factsOf(entry);
  return rule === null ? null : html`${effect} <bdi class="id">${rule}</bdi>`;
}

const ofCall =
  (cell: (call: RunCall) => Part) =>
  (entry: RunEntry): Part =>
    entry.kind === 'call' ? cell(entry) : null;

const isCallWith =
  (test: (call: RunCall) => boolean) =>
  (entry: RunEntry): boolean =>
    entry.kind === 'call' && test(entry);

/** The place of an entry among all that are shown. */
function placeAmong(entries: readonly RunEntry[]): (entry: RunEntry) => Html {
  const spans = entries.map(spanOf);
  const start = Math.min(...spans.map(({ from }) => from));
  const width = Math.max(...spans.map(({ to }) => to)) - start;
  const isSuccess = isCallWith(({ ended }) => ended?.event.outcome === 'success');
  const isOfWaiting = isCallWith(({ ended }) => ended?.event.reason === APPROVAL_REQUIRED);
  return (entry) => {
    const { from, to } = spanOf(entry);
    const fill = entry.kind !== 'call' || isOfWaiting(entry) ? 'c5' : isSuccess(entry) ? 'c2' : 'c6';
    // An entry that takes no time is also visible.
    const length = Math.max(to - from, width / 200, 1);
    return bar([{ length, fill }], { from: Math.min(from - start, width), of: Math.max(width, 1) });
  };
}

/** The columns of a timeline. Those that would be empty are left out. */
export function columnsFor(entries: readonly RunEntry[]): readonly PageColumn<RunEntry>[] {
  const hasArguments = entries.some(isCallWith(({ argumentsText }) => argumentsText !== null));
  const hasApprovals = entries.some((entry) => approvalOf(entry) !== null);
  return [
    { name: 'Tool', isHead: true, cell: (entry) => html`<bdi>${factsOf(entry).tool}</bdi>` },
    {
      name: 'Start',
      cell: (entry) => timeAt(entry.kind !== 'call' ? entry.at : (entry.startedAt ?? entry.ended?.at ?? '')),
    },
    { name: 'Timeline', cell: placeAmong(entries) },
    {
      name: 'Duration',
      isNumber: true,
      cell: durationOf,
    },
    {
      name: 'Outcome',
      cell: wordsOf,
    },
    { name: 'Rule', cell: decidedBy },
    ...(hasApprovals ? [{ name: 'Approval', cell: approvalOf }] : []),
    { name: 'Agent', cell: (entry) => html`<bdi>${factsOf(entry).agent}</bdi>` },
    { name: 'Size', isNumber: true, cell: ofCall(({ ended }) => ended && formatBytes(ended.event.bytes)) },
    { name: 'Tokens', isNumber: true, cell: ofCall(({ ended }) => ended && formatCount(ended.event.tokens)) },
    { name: 'Refs', cell: ofCall(refsOf) },
    ...(hasArguments ? [{ name: 'Arguments', cell: ofCall(argumentsOf) }] : []),
  ];
}
