import { type DiagnosticRecord, isGraphUsed } from '../../diagnostics/record/diagnostic-record.js';
import {
  formatBytes,
  formatCount,
  formatMs,
  formatPlural,
  formatShare,
  formatTime,
  inAddress,
} from '../../diagnostics/report/format.js';
import { tellVerdict } from '../../diagnostics/report/tell-verdict.js';
import { bar } from '../views/bar.js';
import { candidates, hits } from '../views/candidates.js';
import { card, factList, measure } from '../views/card.js';
import { funnel } from '../views/funnel.js';
import { type Html, html, type Part } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { sectionLookup } from '../views/section-lookup.js';
import { verdictBox } from '../views/state-mark.js';
import { timeline } from '../views/timeline.js';

interface Use {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly format: (amount: number) => string;
}

function meter({ name, used, limit, format }: Use, isCut: boolean): Html {
  const fill = isCut ? 'c6' : 'c1';
  const length = Math.min(used, limit);
  const figure = html`${format(used)} of ${format(limit)} <small>${formatShare(used, limit)}</small>`;
  return html`<li>${measure(name, bar([{ length, fill }], { of: Math.max(limit, 1) }), figure)}</li>`;
}

/** Failures have no budget, only a size. */
function sizes({ budgets }: DiagnosticRecord): Html {
  const facts = [
    ['Size', formatBytes(budgets.response_bytes)],
    ['Estimated tokens', formatCount(budgets.tokens_estimate)],
  ] as const;
  return card('budget', 'Answer', factList(facts));
}

function budget({ budgets }: DiagnosticRecord): Html {
  const { tokens_estimate, max_tokens, response_bytes, max_bytes, limit_reason: reason } = budgets;
  const tokens = { name: 'Estimated tokens', used: tokens_estimate, limit: max_tokens, format: formatCount };
  const bytes = { name: 'Response', used: response_bytes, limit: max_bytes, format: formatBytes };
  return card(
    'budget',
    'Budget',
    html`<ul class="meters">
        ${meter(tokens, reason === 'token_cap')} ${meter(bytes, reason === 'byte_cap')}
      </ul>
      ${factList([
        ['Truncated', budgets.partial ? 'yes' : 'no'],
        ['Limit reason', html`<bdi>${reason}</bdi>`],
      ])}`,
  );
}

const code = (text: string | null): Part => (text === null ? '–' : html`<bdi class="id">${text}</bdi>`);
const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

function question({ query, request, scope }: DiagnosticRecord): Html {
  const { rewritten } = query;
  const texts: (readonly [string, Part])[] =
    query.raw === null
      ? [['Text', 'not stored']]
      : [
          ['Text', html`<q>${query.raw}</q>`],
          ['Interpreted as', html`<q>${query.normalized ?? ''}</q>`],
        ];
  const facts = factList([
    ...texts,
    ['Length', formatPlural(query.query_length, 'character')],
    ['SHA-256', code(query.query_hash)],
    [
      'Rewritten',
      rewritten.applied
        ? html`yes: ${rewritten.reason} ${rewritten.result !== null && html`<q>${rewritten.result}</q>`}`
        : 'no',
    ],
    ['Project', code(scope.project_id)],
    ['Environment', code(scope.environment)],
    ['Tags', scope.doc_tag === null ? 'all' : code(scope.doc_tag)],
    ['Repositories', scope.repositories === null ? 'all' : code(scope.repositories.join(', '))],
  ]);
  const sent =
    request !== null &&
    html`<details>
      <summary>Arguments</summary>
      <pre tabindex="0"><code>${JSON.stringify(request, null, 2)}</code></pre>
    </details>`;
  return card('query', 'Query', [facts, sent]);
}

function configuration({ config, generation, scope }: DiagnosticRecord): Html {
  const { reranker, colbert, fusion } = config;
  const params = Object.entries(fusion.params).map(([name, value]) => `${name} ${value}`);
  const facts = factList([
    ['Generation', code(generation)],
    ['Vectors', scope.embedding_version === null ? 'none' : code(scope.embedding_version)],
    ['Hybrid', onOff(config.hybrid_enabled)],
    ['Fusion', html`<bdi>${fusion.method}</bdi>${params.length > 0 && ` (${params.join(', ')})`}`],
    [
      'Reranker',
      reranker.enabled ? code([reranker.provider, reranker.model].filter(Boolean).join(' ')) : 'off',
    ],
    ['Graph', onOff(isGraphUsed(config))],
    ...(colbert.enabled ? [['ColBERT', colbert.scoring] as const] : []),
  ]);
  return card('config', 'Search configuration', facts);
}

const filtered = (name: string, value: string): Html =>
  html`<a href="/admin?${name}=${inAddress(value)}"><bdi class="id">${value}</bdi></a>`;

function correlation(record: DiagnosticRecord): Html {
  const facts = factList([
    ['Diagnostic', code(record.diagnostic_id)],
    ['Session', filtered('session_id', record.session_id)],
    ['Principal', filtered('principal', record.principal)],
    ['Correlation', code(record.correlation_id)],
    ['Trace', code(record.otel.trace_id)],
    ['Span', code(record.otel.span_id)],
  ]);
  return card('ids', 'Ids', facts);
}

function heading(record: DiagnosticRecord): Html {
  const { tool, timestamp, transport, timing_ms: times, diagnostic_id: id } = record;
  return html`<p class="crumb">
      <a href="/admin">Retrievals</a> /
      <a href="/admin?tool=${inAddress(tool)}"><bdi>${tool}</bdi></a>
    </p>
    <div class="heading">
      <h1><bdi>${tool}</bdi></h1>
      <p>
        <time datetime="${timestamp}">${formatTime(timestamp)}</time> · ${formatMs(times.total)} ·
        ${transport}
      </p>
      <p class="formats">
        <a href="/admin/diagnostics/${id}">JSON</a> <a href="/admin/diagnostics/${id}.md">Markdown</a>
      </p>
    </div>`;
}

/** One retrieval; the verdict comes first. */
export function retrievalPage(record: DiagnosticRecord, sectionId: string, frame: Frame): string {
  return page({
    title: `${record.tool} at ${formatTime(record.timestamp)}`,
    place: '/admin',
    frame,
    content: html`${heading(record)} ${verdictBox(tellVerdict(record))} ${sectionLookup(record, sectionId)}
      <div class="halves">${funnel(record)}${timeline(record)}</div>
      ${candidates(record)} ${hits(record)}
      <div class="columns">
        ${record.error ? sizes(record) : budget(record)}${question(record)}${configuration(record)}${correlation(record)}
      </div>`,
  });
}
