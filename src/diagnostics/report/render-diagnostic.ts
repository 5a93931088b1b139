import { isWaiting } from '../../core/errors.js';
import type { DiagnosticCandidate, DiagnosticRecord } from '../record/diagnostic-record.js';
import {
  CANDIDATE_COLUMNS,
  type DiagnosticColumn,
  FATE_COLUMNS,
  type NumberFormats,
  SECTION_COLUMNS,
  valueText,
} from './columns.js';

/** Maximum number of rows of a table; the record has all of them. */
const TOP = 10;

const ms = (value: number): string => value.toFixed(2);
const score = (value: number): string => value.toFixed(4);
const FORMATS: NumberFormats = { rank: String, count: String, score, ms };

// Characters that can start markup inside a line. `_` does so only at the edge of a word.
const MARKUP = /[\\`*[<|&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
// Line ends would end a cell; direction marks would change how a text reads.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
// Most texts are ids and figures, which need no escaping.
const SUSPECT = /[^a-z0-9 ./#:%+=@,"_-]|(?<![a-z0-9])_|_(?![a-z0-9])/i;

/** Escapes a text for any place in a line of Markdown, including table cells. */
function plainMarkdown(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(UNSEEN, ' ').replace(MARKUP, '\\$&');
}

/** `a=1 b=2` */
function pairs(values: Readonly<Record<string, number>>, format: (value: number) => string = String): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${format(value)}`)
    .join(' ');
}

function fields<T extends object>(from: T, ...names: (keyof T & string)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(from[name])]));
}

/** Lines with a name and its value; a missing value is `null`, as in the record. */
function listLines(items: Readonly<Record<string, string>>): string[] {
  return Object.entries(items).map(([name, value]) => `- ${plainMarkdown(`${name}: ${value}`)}`);
}

function list(title: string, items: Readonly<Record<string, string>>): string {
  return [`## ${title}`, ...listLines(items)].join('\n');
}

function markdownTable<Row>(columns: readonly DiagnosticColumn<Row>[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${columns.map(({ unit }) => (unit ? '---:' : '---')).join('|')}|`;
  const cellOf = (column: DiagnosticColumn<Row>, row: Row): string =>
    plainMarkdown(valueText(column, row, FORMATS) ?? '–');
  const lines = rows.slice(0, TOP).map((row) => line(columns.map((column) => cellOf(column, row))));
  return [line(columns.map(({ name }) => name)), rule, ...lines].join('\n');
}

function topRows<Row>(
  title: string,
  columns: readonly DiagnosticColumn<Row>[],
  rows: readonly Row[] = [],
): string {
  if (rows.length === 0) return '';
  const more = rows.length > TOP ? `\n\n${rows.length - TOP} more are in the record.` : '';
  return `## ${title}\n${markdownTable(columns, rows)}${more}`;
}

function header(record: DiagnosticRecord): string {
  const { diagnostic_id, otel, scope } = record;
  const lines = listLines({
    ...fields(record, 'timestamp', 'transport', 'tool', 'session_id'),
    trace: `${otel.trace_id}/${otel.span_id}`,
    scope: `project_id=${scope.project_id} env=${scope.environment} doc_tag=${scope.doc_tag}`,
  });
  return [`# Retrieval Diagnostics — ${plainMarkdown(diagnostic_id)}`, '', ...lines].join('\n');
}

const STAGES = ['bm25', 'vector_search', 'fusion', 'rerank', 'graph_expansion', 'total'] as const;

function timings({ timing_ms }: DiagnosticRecord): string {
  return list('Timings (ms)', Object.fromEntries(STAGES.map((stage) => [stage, ms(timing_ms[stage])])));
}

function counts({ counts }: DiagnosticRecord): string {
  const { dedupe, veto, scope_mismatch } = counts.dropped;
  return list('Counts', {
    ...fields(counts, 'candidates_initial', 'candidates_post_filter', 'candidates_post_dedupe', 'returned'),
    dropped: pairs({ dedupe, veto, scope_mismatch }),
  });
}

const { rank, id, docTag, fused, bm25, vector, rerank, graph } = SECTION_COLUMNS;
const { source, tokens } = CANDIDATE_COLUMNS;
const RESULTS = [rank, id, docTag, source, fused, rerank, graph, tokens];
const FATES = [rank, id, docTag, fused, FATE_COLUMNS.fate, FATE_COLUMNS.instead];

const SCORING: readonly DiagnosticColumn<DiagnosticCandidate>[] = [
  ...[rank, id, bm25, vector],
  {
    name: 'contributions',
    value: ({ explain }) => pairs(explain.rrf_field_contributions, score) || null,
  },
  { name: 'graph path', value: ({ explain }) => explain.graph_path.join(' → ') || null },
];

/** The template requires this table even if there are no results, and allows no count of further rows. */
function topResults({ results }: DiagnosticRecord): string {
  return `## Top Results\n${markdownTable<DiagnosticCandidate>(RESULTS, results)}`;
}

function budgets({ budgets }: DiagnosticRecord): string {
  return list('Budgets', fields(budgets, 'response_bytes', 'tokens_estimate', 'partial', 'limit_reason'));
}

function error({ error }: DiagnosticRecord): string {
  return error
    ? list(isWaiting(error) ? 'Waiting' : 'Error', fields(error, 'code', 'reason', 'message'))
    : '';
}

function degraded({ degraded }: DiagnosticRecord): string {
  if (degraded.length === 0) return '';
  return ['## Degraded', ...degraded.map((leg) => `- ${plainMarkdown(leg)}`)].join('\n');
}

function query({ query, request }: DiagnosticRecord): string {
  const { applied, result, reason } = query.rewritten;
  const lines = list('Query', {
    ...fields(query, 'query_hash', 'query_length', 'raw', 'normalized'),
    rewritten: `applied=${applied} result=${result} reason=${reason}`,
  });
  const asked = Object.entries(request ?? {}).map(([name, value]) => [name, JSON.stringify(value) ?? 'null']);
  return asked.length === 0 ? lines : `${lines}\n\n${list('Arguments', Object.fromEntries(asked))}`;
}

function dropped({ counts }: DiagnosticRecord): string {
  return list('Dropped', { dedupe: pairs(counts.dedupe), not_returned: pairs(counts.not_returned) });
}

function call(record: DiagnosticRecord): string {
  const { scope, budgets, answerable, timing_ms } = record;
  return list('Call', {
    ...fields(record, 'principal', 'correlation_id', 'generation'),
    repositories: JSON.stringify(scope.repositories),
    ...fields(scope, 'snapshot_scope', 'embedding_version'),
    answerable: answerable ? `${answerable.verdict} confidence=${score(answerable.confidence)}` : 'null',
    context_assembly: `${ms(timing_ms.context_assembly)} ms`,
    ceilings: pairs({ max_bytes: budgets.max_bytes, max_tokens: budgets.max_tokens }),
  });
}

function config({ config }: DiagnosticRecord): string {
  const { mode, reranker, colbert, fusion } = config;
  const { enabled, provider, model } = reranker;
  return list('Configuration', {
    ...(mode === undefined ? {} : { mode }),
    ...fields(config, 'neo4j_disabled', 'hybrid_enabled'),
    reranker: `enabled=${enabled} provider=${provider} model=${model}`,
    colbert: `enabled=${colbert.enabled} scoring=${colbert.scoring}`,
    fusion: [`method=${fusion.method}`, pairs(fusion.params)].filter(Boolean).join(' '),
  });
}

/** A record as Markdown: the plan's template, then our own sections. Times have two decimals, scores four. */
export function renderDiagnostic(record: DiagnosticRecord): string {
  const sections = [
    ...[header, timings, counts, topResults, budgets].map((render) => render(record)),
    ...[error, degraded, query, dropped].map((render) => render(record)),
    topRows('Scoring', SCORING, record.results),
    topRows('Left Out', FATES, record.left_out),
    topRows('Before Dedupe', FATES, record.pre_dedupe),
    call(record),
    config(record),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
