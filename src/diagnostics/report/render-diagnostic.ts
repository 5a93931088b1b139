import type { DiagnosticCandidate, DiagnosticHit, DiagnosticRecord } from '../record/diagnostic-record.js';
import { markdownTable, plainMarkdown } from './markdown-table.js';
import type { Column } from './markdown-table.js';

/** Rows of a table; the record holds them all. */
const TOP = 10;

const number = (name: string): Column => ({ name, isNumber: true });
const word = (name: string): Column => ({ name });

const ms = (value: number): string => value.toFixed(2);
const score = (value: number | null): string => value?.toFixed(4) ?? '–';
const cell = (value: string | null): string => (value === null ? '–' : plainMarkdown(value));
/** In lists what is not there reads as in the record. */
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

function topOf<T>(title: string, all: readonly T[], table: (top: readonly T[]) => string): string {
  if (all.length === 0) return '';
  const more = all.length > TOP ? `\n\n${all.length - TOP} more are in the record.` : '';
  return `## ${title}\n${table(all.slice(0, TOP))}${more}`;
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

function topResults({ results }: DiagnosticRecord): string {
  const columns = [number('rank'), ...['chunk_id', 'doc_tag', 'source'].map(word)];
  const figures = ['fused', 'rerank', 'graph', 'token_count'].map(number);
  const rows = results.slice(0, TOP).map(({ rank, chunk_id, doc_tag, source, scores, token_count }) => {
    const shown = [score(scores.fused), score(scores.rerank), score(scores.graph), String(token_count)];
    return [String(rank), cell(chunk_id), cell(doc_tag), cell(source), ...shown];
  });
  return `## Top Results\n${markdownTable([...columns, ...figures], rows)}`;
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

/** Why a section has the score it has. */
function reasonsOf({ rank, chunk_id, scores, explain }: DiagnosticCandidate): string[] {
  const path = explain.graph_path.length === 0 ? '–' : explain.graph_path.map(cell).join(' → ');
  const shares = pairs(explain.rrf_field_contributions, score);
  return [String(rank), cell(chunk_id), score(scores.bm25), score(scores.vector), shares || '–', path];
}

function scoring({ results }: DiagnosticRecord): string {
  const figures = [number('bm25'), number('vector'), word('contributions'), word('graph path')];
  return topOf('Scoring', results, (top) =>
    markdownTable([number('rank'), word('chunk_id'), ...figures], top.map(reasonsOf)),
  );
}

function fates(title: string, hits: readonly DiagnosticHit[]): string {
  const columns = [number('rank'), word('chunk_id'), word('doc_tag'), number('fused'), word('fate')];
  return topOf(title, hits, (top) =>
    markdownTable(
      [...columns, word('instead')],
      top.map(({ rank, chunk_id, doc_tag, scores, fate, instead }) => {
        return [String(rank), cell(chunk_id), cell(doc_tag), score(scores.fused), fate, cell(instead)];
      }),
    ),
  );
}

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
 * A record as a page for people: first the sections of the plan's template, line for line, then what it has no place
 * for. Times show two decimals, scores four; whatever a text holds, it shows as it reads.
 */
export function renderDiagnostic(record: DiagnosticRecord): string {
  const template = [header, timings, counts, topResults, budgets];
  const ours = [error, degraded, query, dropped, scoring];
  const rest = [
    fates('Left Out', record.left_out),
    fates('Before Dedupe', record.pre_dedupe ?? []),
    call(record),
    config(record),
  ];
  const sections = [...[...template, ...ours].map((render) => render(record)), ...rest];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
