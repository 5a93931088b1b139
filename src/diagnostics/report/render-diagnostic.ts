import type { DiagnosticCandidate, DiagnosticHit, DiagnosticRecord } from '../record/diagnostic-record.js';
import { markdownTable, plainMarkdown } from './markdown-table.js';
import { numbers, type ReportColumn, words } from './report-table.js';

/** Rows of a table; the record holds them all. */
const TOP = 10;

const ms = (value: number): string => value.toFixed(2);
const score = (value: number | null): string => value?.toFixed(4) ?? '–';
const cell = (value: string | null): string => (value === null ? '–' : plainMarkdown(value));
/** Lists show a missing value as the record does. */
const text = (value: string | null): string => (value === null ? 'null' : plainMarkdown(value));
const json = (value: unknown): string => plainMarkdown(JSON.stringify(value) ?? 'null');

/** `a=1 b=2` */
function pairs(values: Readonly<Record<string, number>>, format: (value: number) => string = String): string {
  return Object.entries(values)
    .map(([name, value]) => `${plainMarkdown(name)}=${format(value)}`)
    .join(' ');
}

function list(title: string, items: Readonly<Record<string, string>>): string {
  const lines = Object.entries(items).map(([name, value]) => `- ${name}: ${value}`);
  return [`## ${title}`, ...lines].join('\n');
}

/** The first rows of a table, and how many more there are. */
function topRows<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly ReportColumn<Row, string>[],
): string {
  if (rows.length === 0) return '';
  const more = rows.length > TOP ? `\n\n${rows.length - TOP} more are in the record.` : '';
  return `## ${title}\n${markdownTable(columns, rows.slice(0, TOP))}${more}`;
}

function header(record: DiagnosticRecord): string {
  const { otel, scope } = record;
  return [
    `# Retrieval Diagnostics — ${text(record.diagnostic_id)}`,
    '',
    `- timestamp: ${text(record.timestamp)}`,
    `- transport: ${record.transport}`,
    `- tool: ${text(record.tool)}`,
    `- session_id: ${text(record.session_id)}`,
    `- trace: ${text(otel.trace_id)}/${text(otel.span_id)}`,
    `- scope: project_id=${text(scope.project_id)} env=${text(scope.environment)} doc_tag=${text(scope.doc_tag)}`,
  ].join('\n');
}

const STAGES = ['bm25', 'vector_search', 'fusion', 'rerank', 'graph_expansion', 'total'] as const;

function timings({ timing_ms }: DiagnosticRecord): string {
  return list('Timings (ms)', Object.fromEntries(STAGES.map((stage) => [stage, ms(timing_ms[stage])])));
}

function counts({ counts }: DiagnosticRecord): string {
  const { dedupe, veto, scope_mismatch } = counts.dropped;
  return list('Counts', {
    candidates_initial: String(counts.candidates_initial),
    candidates_post_filter: String(counts.candidates_post_filter),
    candidates_post_dedupe: String(counts.candidates_post_dedupe),
    returned: String(counts.returned),
    dropped: pairs({ dedupe, veto, scope_mismatch }),
  });
}

const RESULT_COLUMNS: readonly ReportColumn<DiagnosticCandidate, string>[] = [
  numbers('rank', ({ rank }) => String(rank)),
  words('chunk_id', ({ chunk_id }) => cell(chunk_id)),
  words('doc_tag', ({ doc_tag }) => cell(doc_tag)),
  words('source', ({ source }) => cell(source)),
  numbers('fused', ({ scores }) => score(scores.fused)),
  numbers('rerank', ({ scores }) => score(scores.rerank)),
  numbers('graph', ({ scores }) => score(scores.graph)),
  numbers('token_count', ({ token_count }) => String(token_count)),
];

/** Part of the template: it is there even without results, and does not count the rows that it leaves out. */
function topResults({ results }: DiagnosticRecord): string {
  return `## Top Results\n${markdownTable(RESULT_COLUMNS, results.slice(0, TOP))}`;
}

function budgets({ budgets }: DiagnosticRecord): string {
  return list('Budgets', {
    response_bytes: String(budgets.response_bytes),
    tokens_estimate: String(budgets.tokens_estimate),
    partial: String(budgets.partial),
    limit_reason: text(budgets.limit_reason),
  });
}

function error({ error }: DiagnosticRecord): string {
  if (!error) return '';
  return list('Error', {
    code: text(error.code),
    reason: text(error.reason),
    message: text(error.message),
  });
}

function degraded({ degraded }: DiagnosticRecord): string {
  return degraded.length === 0 ? '' : ['## Degraded', ...degraded.map((leg) => `- ${text(leg)}`)].join('\n');
}

function query({ query, request }: DiagnosticRecord): string {
  const { applied, result, reason } = query.rewritten;
  const asked = Object.entries(request ?? {}).map(([name, value]) => `- ${text(name)}: ${json(value)}`);
  const lines = list('Query', {
    query_hash: text(query.query_hash),
    query_length: String(query.query_length),
    raw: text(query.raw),
    normalized: text(query.normalized),
    rewritten: `applied=${applied} result=${text(result)} reason=${text(reason)}`,
  });
  return asked.length === 0 ? lines : [lines, '', '## Arguments', ...asked].join('\n');
}

function dropped({ counts }: DiagnosticRecord): string {
  return list('Dropped', { dedupe: pairs(counts.dedupe), not_returned: pairs(counts.not_returned) });
}

const SCORING_COLUMNS: readonly ReportColumn<DiagnosticCandidate, string>[] = [
  numbers('rank', ({ rank }) => String(rank)),
  words('chunk_id', ({ chunk_id }) => cell(chunk_id)),
  numbers('bm25', ({ scores }) => score(scores.bm25)),
  numbers('vector', ({ scores }) => score(scores.vector)),
  words('contributions', ({ explain }) => pairs(explain.rrf_field_contributions, score) || '–'),
  words('graph path', ({ explain }) => explain.graph_path.map(cell).join(' → ') || '–'),
];

const FATE_COLUMNS: readonly ReportColumn<DiagnosticHit, string>[] = [
  numbers('rank', ({ rank }) => String(rank)),
  words('chunk_id', ({ chunk_id }) => cell(chunk_id)),
  words('doc_tag', ({ doc_tag }) => cell(doc_tag)),
  numbers('fused', ({ scores }) => score(scores.fused)),
  words('fate', ({ fate }) => fate),
  words('instead', ({ instead }) => cell(instead)),
];

function call(record: DiagnosticRecord): string {
  const { scope, budgets, answerable } = record;
  return list('Call', {
    principal: text(record.principal),
    correlation_id: text(record.correlation_id),
    generation: text(record.generation),
    repositories: json(scope.repositories),
    snapshot_scope: text(scope.snapshot_scope),
    embedding_version: text(scope.embedding_version),
    answerable: answerable
      ? `${text(answerable.verdict)} confidence=${score(answerable.confidence)}`
      : 'null',
    context_assembly: `${ms(record.timing_ms.context_assembly)} ms`,
    ceilings: pairs({ max_bytes: budgets.max_bytes, max_tokens: budgets.max_tokens }),
  });
}

function config({ config }: DiagnosticRecord): string {
  const { reranker, colbert, fusion } = config;
  const model = `provider=${text(reranker.provider)} model=${text(reranker.model)}`;
  return list('Configuration', {
    ...(config.mode === undefined ? {} : { mode: config.mode }),
    neo4j_disabled: String(config.neo4j_disabled),
    hybrid_enabled: String(config.hybrid_enabled),
    reranker: `enabled=${reranker.enabled} ${model}`,
    colbert: `enabled=${colbert.enabled} scoring=${text(colbert.scoring)}`,
    fusion: [`method=${text(fusion.method)}`, pairs(fusion.params)].filter(Boolean).join(' '),
  });
}

/**
 * Renders a record as Markdown: first the sections of the plan's template, line for line, then our own.
 * Times have two decimals, scores four; texts are escaped.
 */
export function renderDiagnostic(record: DiagnosticRecord): string {
  const sections = [
    ...[header, timings, counts, topResults, budgets].map((render) => render(record)),
    ...[error, degraded, query, dropped].map((render) => render(record)),
    topRows('Scoring', record.results, SCORING_COLUMNS),
    topRows('Left Out', record.left_out, FATE_COLUMNS),
    topRows('Before Dedupe', record.pre_dedupe ?? [], FATE_COLUMNS),
    call(record),
    config(record),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
