import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { RECORD_COLUMNS } from '../../diagnostics/report/columns.js';
import { formatCount, formatTime } from '../../diagnostics/report/format.js';
import { tellVerdict } from '../../diagnostics/report/tell-verdict.js';
import { clipText } from '../../text/span.js';
import type { ListQuery } from '../admin-query.js';
import { type Html, html } from './html.js';
import { verdictMark } from './state-mark.js';
import { filledColumns, listAddress, type PageColumn, pageColumn, pager, table } from './table.js';

/** Maximum length of a query in the list (characters). */
const MAX_QUESTION = 160;

const { time, tool, outcome, answer, returned, total, limit, degraded, question, id } = RECORD_COLUMNS;

const COLUMNS: readonly PageColumn<DiagnosticRecord>[] = [
  pageColumn(time, {
    isHead: true,
    cell: ({ diagnostic_id, timestamp }) =>
      html`<a href="/admin/retrievals/${diagnostic_id}"
        ><time datetime="${timestamp}">${formatTime(timestamp)}</time></a
      >`,
  }),
  pageColumn(tool, { cell: (record) => html`<bdi>${record.tool}</bdi>` }),
  pageColumn(outcome, { cell: (record) => verdictMark(tellVerdict(record)) }),
  pageColumn(answer),
  pageColumn(returned, {
    cell: ({ counts }) => `${formatCount(counts.returned)} / ${formatCount(counts.candidates_initial)}`,
  }),
  pageColumn(total),
  pageColumn(limit),
  pageColumn(degraded),
  pageColumn(id, {
    cell: ({ diagnostic_id }) =>
      html`<code class="short" title="${diagnostic_id}">${diagnostic_id.slice(0, 8)}</code>`,
  }),
];

/** Shown only if texts are stored; otherwise every cell would be empty. */
const QUESTION: PageColumn<DiagnosticRecord> = pageColumn(question, {
  isWide: true,
  cell: ({ query }) => (query.raw === null ? null : html`<q>${clipText(query.raw, MAX_QUESTION)}</q>`),
});

function columnsFor(records: readonly DiagnosticRecord[]): readonly PageColumn<DiagnosticRecord>[] {
  const [first, second, ...rest] = COLUMNS;
  const hasQuestions = records.some(({ query }) => query.raw !== null);
  return hasQuestions && first && second ? [first, second, QUESTION, ...rest] : COLUMNS;
}

const addressOf = (query: ListQuery): string => `${listAddress('/admin', query)}#retrievals`;

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
    columns: filledColumns(records, columnsFor(records)),
  });
  return html`${records.length > 0 ? rows : nothing(query)}
  ${!isComplete && html`<p class="note">Only part of the files was searched; there may be more matches.</p>`}
  ${pager({
    of: 'the list',
    first: query.cursor === undefined ? null : addressOf({ ...query, cursor: undefined }),
    next: next === null ? null : addressOf({ ...query, cursor: next }),
  })}`;
}
