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
import { funnelOf, type FunnelStep, wordsForLoss } from '../../diagnostics/report/lost-sections.js';
import { tellVerdict } from '../../diagnostics/report/tell-verdict.js';
import { axisLabels, bar, niceTicks } from '../views/bar.js';
import { candidates, hits, sectionLookup } from '../views/candidates.js';
import { card, factList, measure } from '../views/card.js';
import { type Html, html, type Part, timeAt } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { verdictBox } from '../views/state-mark.js';

/** A stage of a retrieval; times in milliseconds. */
interface Stage {
  readonly name: string;
  /** Start of the stage after the start of the call, assuming that stages do not overlap. */
  readonly from: number;
  readonly ms: number;
}

/** The stages in the order in which they ran. The last entry is the time outside all measured stages. */
export function stagesOf({ timing_ms: times }: Pick<DiagnosticRecord, 'timing_ms'>): readonly Stage[] {
  const stages = [
    ['Matching words', times.bm25],
    ['Comparing vectors', times.vector_search],
    ['Fusion', times.fusion],
    ['Reranking', times.rerank],
    ['Graph', times.graph_expansion],
    ['Assembling context', times.context_assembly],
  ] as const;
  const measured = stages.reduce((sum, [, ms]) => sum + ms, 0);
  const all = [...stages, ['Other (not measured)', Math.max(0, times.total - measured)] as const];
  return all.map(([name, ms], i) => ({
    name,
    ms,
    from: all.slice(0, i).reduce((sum, [, before]) => sum + before, 0),
  }));
}

function timeline(record: Pick<DiagnosticRecord, 'timing_ms'>): Html {
  const stages = stagesOf(record);
  const { total } = record.timing_ms;
  const end = Math.max(total, ...stages.map(({ from, ms }) => from + ms));
  const ticks = niceTicks(end);
  const width = ticks.at(-1) ?? 1;
  const fillOf = (at: number): string => (at < stages.length - 1 ? 'c2' : 'c5');
  const rows = stages.map(({ name, from, ms }, i) => {
    const figure = ms > 0 ? html`${formatMs(ms)} <small>${formatShare(ms, end)}</small>` : '–';
    const place = bar([{ length: ms, fill: fillOf(i) }], { from, of: width });
    return html`<li class="measure">${measure(name, place, figure)}</li>`;
  });
  const marks = ticks.map((tick) => ({ at: tick / width, text: tick.toLocaleString('en-US') }));
  return card(
    'timeline',
    'Time by stage',
    html`<p class="unit">
        Milliseconds since the start of the call; <strong>${formatMs(total)}</strong> in total
      </p>
      <ol class="timeline">
        ${rows}
      </ol>
      <div class="measure axis" aria-hidden="true">${measure('', axisLabels(marks), 'ms')}</div>`,
  );
}

function step({ name, count, losses }: FunnelStep, widest: number): Html {
  const lost = losses.map(
    ({ reason, count: gone }) =>
      html`<li><span class="minus">− ${formatCount(gone)}</span> ${wordsForLoss(reason)}</li>`,
  );
  return html`<li>
    ${
      lost.length > 0 &&
      html`<ul class="lost">
        ${lost}
      </ul>`
    }
    <div class="measure">
      ${measure(name, bar([{ length: count, fill: 'c1' }], { of: widest }), formatCount(count))}
    </div>
  </li>`;
}

/** The steps from matched to returned sections; the numbers add up. */
function funnel(record: Pick<DiagnosticRecord, 'counts'>): Html {
  const steps = funnelOf(record);
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  const content =
    record.counts.candidates_initial === 0
      ? html`<p class="unit">No section matched.</p>`
      : html`<p class="unit">Sections</p>
          <ol class="funnel">
            ${steps.map((one) => step(one, widest))}
          </ol>`;
  return card('funnel', 'Sections dropped', content);
}

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
      <p>${timeAt(timestamp)} · ${formatMs(times.total)} · ${transport}</p>
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
      ${candidates(record, frame.hasReader)} ${hits(record)}
      <div class="columns">
        ${record.error ? sizes(record) : budget(record)}${question(record)}${configuration(record)}${correlation(record)}
      </div>`,
  });
}
