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
import { funnel } from '../views/funnel.js';
import { type Html, html, type Part } from '../views/html.js';
import { page } from '../views/layout.js';
import { sectionLookup } from '../views/section-lookup.js';
import { factList } from '../views/table.js';
import { timeline } from '../views/timeline.js';
import { verdictBox } from '../views/verdict-box.js';

interface Use {
  readonly isCut: boolean;
  readonly name: string;
  readonly used: number;
  readonly ceiling: number;
  readonly format: (amount: number) => string;
}

function meter({ isCut, name, used, ceiling, format }: Use): Html {
  const fill = isCut ? 'c6' : 'c1';
  return html`<li>
    <span class="name">${name}</span
    >${bar([{ length: Math.min(used, ceiling), fill }], { of: Math.max(ceiling, 1) })}<span class="figure"
      >${format(used)} of ${format(ceiling)} <small>${formatShare(used, ceiling)}</small></span
    >
  </li>`;
}

/** Failures have no budget, only a size. */
function sizes({ budgets }: DiagnosticRecord): Html {
  return html`<section class="card" aria-labelledby="budget">
    <h2 id="budget">Answer</h2>
    ${factList([
      ['Size', formatBytes(budgets.response_bytes)],
      ['Estimated tokens', formatCount(budgets.tokens_estimate)],
    ])}
  </section>`;
}

function budget({ budgets }: DiagnosticRecord): Html {
  return html`<section class="card" aria-labelledby="budget">
    <h2 id="budget">Budget</h2>
    <ul class="meters">
      ${meter({
        isCut: budgets.limit_reason === 'token_cap',
        name: 'Estimated tokens',
        used: budgets.tokens_estimate,
        ceiling: budgets.max_tokens,
        format: formatCount,
      })}
      ${meter({
        isCut: budgets.limit_reason === 'byte_cap',
        name: 'Response',
        used: budgets.response_bytes,
        ceiling: budgets.max_bytes,
        format: formatBytes,
      })}
    </ul>
    ${factList([
      ['Truncated', budgets.partial ? 'yes' : 'no'],
      ['Limit reason', html`<bdi>${budgets.limit_reason}</bdi>`],
    ])}
  </section>`;
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
  return html`<section class="card" aria-labelledby="query">
    <h2 id="query">Query</h2>
    ${factList([
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
    ])}
    ${
      request !== null &&
      html`<details>
        <summary>Arguments</summary>
        <pre tabindex="0"><code>${JSON.stringify(request, null, 2)}</code></pre>
      </details>`
    }
  </section>`;
}

function configuration({ config, generation, scope }: DiagnosticRecord): Html {
  const { reranker, colbert, fusion } = config;
  const params = Object.entries(fusion.params).map(([name, value]) => `${name} ${value}`);
  return html`<section class="card" aria-labelledby="config">
    <h2 id="config">Search configuration</h2>
    ${factList([
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
    ])}
  </section>`;
}

const filtered = (name: string, value: string): Html =>
  html`<a href="/admin?${name}=${inAddress(value)}"><bdi class="id">${value}</bdi></a>`;

function correlation(record: DiagnosticRecord): Html {
  return html`<section class="card" aria-labelledby="ids">
    <h2 id="ids">Ids</h2>
    ${factList([
      ['Diagnostic', code(record.diagnostic_id)],
      ['Session', filtered('session_id', record.session_id)],
      ['Principal', filtered('principal', record.principal)],
      ['Correlation', code(record.correlation_id)],
      ['Trace', code(record.otel.trace_id)],
      ['Span', code(record.otel.span_id)],
    ])}
  </section>`;
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
export function retrievalPage(record: DiagnosticRecord, sectionId: string, version: string): string {
  return page({
    title: `${record.tool} at ${formatTime(record.timestamp)}`,
    place: '/admin',
    version,
    content: html`${heading(record)} ${verdictBox(tellVerdict(record))} ${sectionLookup(record, sectionId)}
      <div class="halves">${funnel(record)}${timeline(record)}</div>
      ${candidates(record)} ${hits(record)}
      <div class="columns">
        ${record.error ? sizes(record) : budget(record)}${question(record)}${configuration(record)}${correlation(record)}
      </div>`,
  });
}
