import type { DiagnosticsConfig } from '../../config/settings/diagnostics.config.js';
import { ERROR_CODES } from '../../core/errors.js';
import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticCounters } from '../../diagnostics/archive/diagnostic-writer.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { RECORD_COLUMNS } from '../../diagnostics/report/columns.js';
import { formatCount, formatDuration } from '../../diagnostics/report/format.js';
import { tellVerdict } from '../../diagnostics/report/tell-verdict.js';
import { ANSWERABLE } from '../../kb/evidence.schemas.js';
import { clipText } from '../../text/span.js';
import type { ListQuery } from '../admin-query.js';
import type { HistorySeries } from '../facts/call-history.js';
import type { Readiness } from '../facts/readiness.service.js';
import { filterForm, type InputField, inputField, type SelectChoice, selectField } from '../views/fields.js';
import { historyCharts } from '../views/history-charts.js';
import { type Html, html, timeAt } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { verdictMark } from '../views/state-mark.js';
import { filledColumns, listTable, type PageColumn, pageColumn, pager } from '../views/table.js';

interface ServerState {
  readonly readiness: Readiness;
  readonly uptimeMs: number;
  readonly counters: DiagnosticCounters;
  /** Null if no diagnostics are recorded. */
  readonly diagnostics: Pick<DiagnosticsConfig, 'sampleRate' | 'force' | 'retentionDays'> | null;
}

function kept(diagnostics: ServerState['diagnostics']): string {
  if (!diagnostics) return 'No diagnostics are recorded because MCP_NO_LOG is on.';
  const { force, sampleRate, retentionDays } = diagnostics;
  const share = `${Number((sampleRate * 100).toPrecision(3))}% of all retrievals, and every failed one,`;
  const days = retentionDays === 0 ? 'without expiry' : `for ${retentionDays} days`;
  return `${force || sampleRate === 1 ? 'All retrievals' : share} are kept ${days}.`;
}

/** The readiness of the server and its counters of diagnostics. */
function stateStrip({ readiness, uptimeMs, counters, diagnostics }: ServerState): Html {
  const { ready, reasons } = readiness;
  const obstacles = reasons.map(
    ({ reason, message, hint }) =>
      html`<li><strong>${reason}</strong> ${message} <span class="hint">${hint}</span></li>`,
  );
  const { written, queued, dropped, failed } = counters;
  return html`<section class="verdict ${ready ? 'good' : 'bad'} state" aria-labelledby="state">
    <h2 id="state">
      <span class="sign" aria-hidden="true">${ready ? '✓' : '×'}</span>${ready ? 'Ready' : 'Not ready'}
      <small>up ${formatDuration(uptimeMs)}</small>
    </h2>
    ${
      obstacles.length > 0 &&
      html`<ul class="why">
        ${obstacles}
      </ul>`
    }
    <p>
      ${kept(diagnostics)} Since start: ${formatCount(written)} written, ${formatCount(queued)} queued,
      ${formatCount(dropped)} dropped, ${formatCount(failed)} failed.
    </p>
  </section>`;
}

/** Maximum length of a query in the list (characters). */
const MAX_QUESTION = 160;

const { time, tool, outcome, answer, returned, total, limit, degraded, question, id } = RECORD_COLUMNS;

const COLUMNS: readonly PageColumn<DiagnosticRecord>[] = [
  pageColumn(time, {
    isHead: true,
    cell: ({ diagnostic_id, timestamp }) =>
      html`<a href="/admin/retrievals/${diagnostic_id}">${timeAt(timestamp)}</a>`,
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

function nothing(query: ListQuery): Html {
  const isFiltered = Object.keys(query).length > 0;
  return isFiltered
    ? html`No recorded retrieval matches these filters. <a href="/admin#retrievals">Show all</a>`
    : html`No retrieval has been recorded yet. Failed retrievals are always recorded, others at the rate in
        <code>RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE</code>. To record all, set
        <code>RETRIEVAL_DIAGNOSTICS_FORCE=1</code>.`;
}

/** Retrievals, newest first, with links to older ones. */
function retrievalTable({ records, next, isComplete }: DiagnosticPage, query: ListQuery): Html {
  const rows = listTable({
    caption: query.cursor === undefined ? 'Newest first' : 'Older retrievals, newest first',
    rows: records,
    columns: filledColumns(records, columnsFor(records)),
    empty: nothing(query),
  });
  return html`${rows}
  ${!isComplete && html`<p class="note">Only part of the files was searched; there may be more matches.</p>`}
  ${pager({ path: '/admin', query, by: 'cursor', next, place: '#retrievals' })}`;
}

const same = (words: readonly string[]): readonly SelectChoice[] =>
  words.map((word) => [word, word] as const);
const OUTCOMES: readonly SelectChoice[] = [
  ['ok', 'succeeded'],
  ['waiting', 'waiting for approval'],
  ['error', 'failed'],
];
const YES_NO: readonly SelectChoice[] = [
  ['true', 'yes'],
  ['false', 'no'],
];

const MORE: readonly (keyof ListQuery)[] = [
  'until',
  'error_code',
  'degraded',
  'partial',
  'session_id',
  'principal',
];

function filters(query: ListQuery, tools: readonly string[]): Html {
  const isMore = MORE.some((name) => query[name] !== undefined);
  const known = query.tool === undefined || tools.includes(query.tool) ? tools : [...tools, query.tool];
  const select = (name: keyof ListQuery, label: string, choices: readonly SelectChoice[]): Html =>
    selectField({ name, label, value: String(query[name] ?? ''), choices: [['', 'any'], ...choices] });
  const input = (name: keyof ListQuery, label: string, type: InputField['type']): Html =>
    inputField({ name, label, value: String(query[name] ?? ''), type });
  return filterForm({
    action: '/admin#retrievals',
    label: 'Filter retrievals',
    fields: html`${select('tool', 'Tool', same(known))} ${select('outcome', 'Outcome', OUTCOMES)}
    ${select('answerable', 'Answer', same(ANSWERABLE))} ${input('min_ms', 'At least (ms)', 'number')}
    ${input('since', 'Since (UTC)', 'datetime-local')}`,
    more: html`<details ${isMore && html`open`}>
      <summary>More filters</summary>
      <div class="fields">
        ${input('until', 'Until (UTC)', 'datetime-local')}
        ${select('error_code', 'Error code', same(ERROR_CODES))} ${select('degraded', 'Degraded', YES_NO)}
        ${select('partial', 'Partial', YES_NO)} ${input('session_id', 'Session', 'text')}
        ${input('principal', 'Principal', 'text')}
      </div>
    </details>`,
  });
}

export interface Overview {
  readonly state: ServerState;
  readonly history: HistorySeries;
  readonly list: DiagnosticPage;
  readonly query: ListQuery;
  readonly tools: readonly string[];
  readonly frame: Frame;
}

/** State and history of the server, and its recent retrievals. */
export function overviewPage({ state, history, list, query, tools, frame }: Overview): string {
  return page({
    title: 'Retrievals',
    place: '/admin',
    frame,
    lead: 'The state of the server, and its recent retrievals: calls that search the documents.',
    content: html`${stateStrip(state)} ${historyCharts(history)}
      <section aria-labelledby="retrievals">
        <h2 id="retrievals">Recent retrievals</h2>
        <div class="card">${filters(query, tools)}${retrievalTable(list, query)}</div>
      </section>`,
  });
}
