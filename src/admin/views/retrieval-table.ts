import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { formatCount, formatMs, formatTime } from '../../diagnostics/report/format.js';
import { tellVerdict } from '../../diagnostics/report/tell-verdict.js';
import { clipText } from '../../text/clip-text.js';
import type { ListQuery } from '../admin-query.js';
import { type Html, html } from './html.js';
import { type PageColumn, table } from './table.js';
import { verdictMark } from './verdict-box.js';

/** Maximum length of a query in the list (characters). */
const MAX_QUESTION = 160;

const COLUMNS: readonly PageColumn<DiagnosticRecord>[] = [
  {
    name: 'Time, UTC',
    isHead: true,
    cell: ({ diagnostic_id: id, timestamp }) =>
      html`<a href="/admin/retrievals/${id}"
        ><time datetime="${timestamp}">${formatTime(timestamp)}</time></a
      >`,
  },
  { name: 'Tool', cell: ({ tool }) => html`<bdi>${tool}</bdi>` },
  { name: 'Outcome', cell: (record) => verdictMark(tellVerdict(record)) },
  { name: 'Answer', cell: ({ answerable }) => answerable?.verdict ?? null },
  {
    name: 'Returned',
    isNumber: true,
    cell: ({ counts }) => `${formatCount(counts.returned)} / ${formatCount(counts.candidates_initial)}`,
  },
  { name: 'Total', isNumber: true, cell: ({ timing_ms: times }) => formatMs(times.total) },
  { name: 'Limit', cell: ({ budgets }) => (budgets.limit_reason === 'none' ? null : budgets.limit_reason) },
  { name: 'Degraded', cell: ({ degraded }) => (degraded.length === 0 ? null : degraded.join(', ')) },
  {
    name: 'Id',
    cell: ({ diagnostic_id: id }) => html`<code class="short" title="${id}">${id.slice(0, 8)}</code>`,
  },
];

/** Shown only if texts are stored; otherwise every cell would be empty. */
const QUESTION: PageColumn<DiagnosticRecord> = {
  name: 'Question',
  isWide: true,
  cell: ({ query }) => (query.raw === null ? null : html`<q>${clipText(query.raw, MAX_QUESTION)}</q>`),
};

function columnsFor(records: readonly DiagnosticRecord[]): readonly PageColumn<DiagnosticRecord>[] {
  const [time, tool, ...rest] = COLUMNS;
  const hasQuestions = records.some(({ query }) => query.raw !== null);
  return hasQuestions && time && tool ? [time, tool, QUESTION, ...rest] : COLUMNS;
}

function addressOf(query: ListQuery): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return `/admin?${params.toString()}#retrievals`;
}

function nothing(query: ListQuery): Html {
  const isFiltered = Object.keys(query).length > 0;
  return isFiltered
    ? html`<p class="empty">
        No recorded retrieval matches these filters. <a href="/admin#retrievals">Show all</a>
      </p>`
    : html`<p class="empty">
        No retrieval has been recorded yet. Failed retrievals are always recorded, others at the rate in
        <code>RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE</code>. To record all, set
        <code>RETRIEVAL_DIAGNOSTICS_FORCE=1</code>.
      </p>`;
}

/** Retrievals, newest first, with links to older ones. */
export function retrievalTable({ records, next, isComplete }: DiagnosticPage, query: ListQuery): Html {
  const rows = table({
    caption: query.cursor === undefined ? 'Newest first' : 'Older retrievals, newest first',
    rows: records,
    columns: columnsFor(records),
  });
  return html`${records.length > 0 ? rows : nothing(query)}
    ${!isComplete && html`<p class="note">Only part of the files was searched; there may be more matches.</p>`}
    <nav class="pager" aria-label="Pages of the list">
      ${query.cursor !== undefined && html`<a href="${addressOf({ ...query, cursor: undefined })}">← Newest</a>`}
      ${next !== null && html`<a rel="next" href="${addressOf({ ...query, cursor: next })}">Older →</a>`}
    </nav>`;
}
