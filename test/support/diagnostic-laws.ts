import type { PlainRecord } from './diagnosed-server.js';

/**
 * The required fields of a record, with their kinds. Written by hand from the specification, independent of the schema
 * and the code, so that errors in either are found.
 */
export const RECORD_FIELDS: Readonly<Record<string, string>> = {
  schema_version: 'number',
  diagnostic_id: 'string',
  timestamp: 'string',
  transport: 'string',
  tool: 'string',
  session_id: 'string',
  correlation_id: 'string|null',
  'otel.trace_id': 'string|null',
  'otel.span_id': 'string|null',
  'scope.project_id': 'string',
  'scope.environment': 'string',
  'scope.doc_tag': 'string|null',
  'scope.snapshot_scope': 'string|null',
  'scope.embedding_version': 'string|null',
  'query.query_hash': 'string',
  'query.query_length': 'number',
  'query.raw': 'string|null',
  'query.normalized': 'string|null',
  'query.rewritten.applied': 'boolean',
  'query.rewritten.result': 'string|null',
  'query.rewritten.reason': 'string|null',
  'config.neo4j_disabled': 'boolean',
  'config.hybrid_enabled': 'boolean',
  'config.reranker.enabled': 'boolean',
  'config.reranker.provider': 'string|null',
  'config.reranker.model': 'string|null',
  'config.colbert.enabled': 'boolean',
  'config.colbert.scoring': 'string|null',
  'config.fusion.method': 'string',
  'config.fusion.params': 'object',
  'timing_ms.bm25': 'number',
  'timing_ms.vector_search': 'number',
  'timing_ms.fusion': 'number',
  'timing_ms.rerank': 'number',
  'timing_ms.graph_expansion': 'number',
  'timing_ms.context_assembly': 'number',
  'timing_ms.total': 'number',
  'counts.candidates_initial': 'number',
  'counts.candidates_post_filter': 'number',
  'counts.candidates_post_dedupe': 'number',
  'counts.returned': 'number',
  'counts.dropped.dedupe': 'number',
  'counts.dropped.veto': 'number',
  'counts.dropped.scope_mismatch': 'number',
  results: 'object',
  'budgets.response_bytes': 'number',
  'budgets.tokens_estimate': 'number',
  'budgets.partial': 'boolean',
  'budgets.limit_reason': 'string',
};

/** Fields of each entry in `results`. */
export const RESULT_FIELDS: Readonly<Record<string, string>> = {
  rank: 'number',
  chunk_id: 'string',
  doc_tag: 'string|null',
  token_count: 'number',
  source: 'string',
  'scores.bm25': 'number',
  'scores.vector': 'number|null',
  'scores.fused': 'number',
  'scores.rerank': 'number|null',
  'scores.graph': 'number',
  'explain.rrf_field_contributions': 'object',
  'explain.entity_boost_applied': 'boolean',
  'explain.entity_metadata': 'object',
  'explain.graph_distance': 'number',
  'explain.graph_path': 'object',
};

/** The required template of a page, line by line; braces contain a path in the record. */
const TEMPLATE_TOP = `# Retrieval Diagnostics — {diagnostic_id}

- timestamp: {timestamp}
- transport: {transport}
- tool: {tool}
- session_id: {session_id}
- trace: {otel.trace_id}/{otel.span_id}
- scope: project_id={scope.project_id} env={scope.environment} doc_tag={scope.doc_tag}

## Timings (ms)
- bm25: {timing_ms.bm25}
- vector_search: {timing_ms.vector_search}
- fusion: {timing_ms.fusion}
- rerank: {timing_ms.rerank}
- graph_expansion: {timing_ms.graph_expansion}
- total: {timing_ms.total}

## Counts
- candidates_initial: {counts.candidates_initial}
- candidates_post_filter: {counts.candidates_post_filter}
- candidates_post_dedupe: {counts.candidates_post_dedupe}
- returned: {counts.returned}
- dropped: dedupe={counts.dropped.dedupe} veto={counts.dropped.veto} scope_mismatch={counts.dropped.scope_mismatch}

## Top Results
| rank | chunk_id | doc_tag | source | fused | rerank | graph | token_count |
|---:|---|---|---|---:|---:|---:|---:|`.split('\n');

/** One line per result, at most ten; paths start at the result. */
const TEMPLATE_ROW =
  '| {rank} | {chunk_id} | {doc_tag} | {source} | {scores.fused} | {scores.rerank} | {scores.graph} | {token_count} |';

const TEMPLATE_END = `
## Budgets
- response_bytes: {budgets.response_bytes}
- tokens_estimate: {budgets.tokens_estimate}
- partial: {budgets.partial}
- limit_reason: {budgets.limit_reason}`.split('\n');

const MAX_ROWS = 10;
/** Tolerance of the rounded figures on the page. */
const ROUNDING = 0.0051;

type Plain = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null;

/** The value at a path; undefined if there is none. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((held, key) => (isPlain(held) ? held[key] : undefined), value);
}

export const numberAt = (value: unknown, path: string): number => Number(at(value, path));
export const listAt = (value: unknown, path: string): Plain[] =>
  (at(value, path) as Plain[] | undefined) ?? [];

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** Missing fields and fields of another kind, as `path: kind`. */
export function brokenFields(value: unknown, fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields)
    .filter(([path, kinds]) => !kinds.split('|').includes(kindOf(at(value, path))))
    .map(([path]) => `${path}: ${kindOf(at(value, path))}`);
}

/** True when a text on the page equals the value in the record, exactly or as a rounded figure. */
function says(shown: string, value: unknown): boolean {
  const plain = shown.replace(/\\(.)/g, '$1');
  if (value === null) return ['null', '–', ''].includes(plain);
  if (typeof value !== 'number') return plain === String(value);
  return Math.abs(Number(plain) - value) <= ROUNDING;
}

function follows(line: string, template: string, owner: unknown): boolean {
  const paths = [...template.matchAll(/\{([^}]+)\}/g)].map(([, path = '']) => path);
  const pattern = template
    .split(/\{[^}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.*?)');
  const shown = new RegExp(`^${pattern}$`).exec(line);
  return shown !== null && paths.every((path, i) => says(shown[i + 1] ?? '', at(owner, path)));
}

/** Lines of a page that don't follow the template, with the expected lines. */
export function brokenTemplate(page: string, record: PlainRecord): string[] {
  const rows = listAt(record, 'results').slice(0, MAX_ROWS);
  const expected = [
    ...TEMPLATE_TOP.map((template) => ({ template, owner: record as unknown })),
    ...rows.map((owner) => ({ template: TEMPLATE_ROW, owner: owner as unknown })),
    ...TEMPLATE_END.map((template) => ({ template, owner: record as unknown })),
  ];
  const lines = page.split('\n');
  return expected
    .map(({ template, owner }, i) => ({ template, owner, line: lines[i] ?? '' }))
    .filter(({ template, owner, line }) => !follows(line, template, owner))
    .map(({ template, line }) => `${JSON.stringify(line)}, not ${template}`);
}

const sum = (values: readonly unknown[]): number =>
  values.reduce<number>((all, value) => all + Number(value), 0);

/** Wrong sums of counts; docs/diagnostics.md defines the sums. */
export function brokenCounts(record: PlainRecord): string[] {
  const count = (path: string): number => numberAt(record, `counts.${path}`);
  const left = Object.values(at(record, 'counts.not_returned') as Plain);
  const deduped = Object.values(at(record, 'counts.dedupe') as Plain);
  const equal = [
    [
      'post_filter',
      count('candidates_initial') - count('dropped.scope_mismatch') - count('dropped.veto'),
      count('candidates_post_filter'),
    ],
    [
      'post_dedupe',
      count('candidates_post_filter') - count('dropped.dedupe'),
      count('candidates_post_dedupe'),
    ],
    ['returned', count('candidates_post_dedupe') - sum(left), count('returned')],
    ['results', listAt(record, 'results').length, count('returned')],
    ['dedupe', sum(deduped), count('dropped.dedupe')],
  ] as const;
  const negative = [...left, ...deduped].filter((value) => Number(value) < 0);
  return [
    ...equal
      .filter(([, one, other]) => one !== other)
      .map(([name, one, other]) => `${name}: ${one} ≠ ${other}`),
    ...(negative.length > 0 ? [`negative: ${negative.join()}`] : []),
  ];
}

const STAGES = ['bm25', 'vector_search', 'fusion', 'rerank', 'graph_expansion', 'context_assembly'];
/** Times are rounded to a thousandth. */
const MS_ROUNDING = 0.006;

/** Impossible times. */
export function brokenTimes(record: PlainRecord): string[] {
  const total = numberAt(record, 'timing_ms.total');
  const stages = STAGES.map((stage) => numberAt(record, `timing_ms.${stage}`));
  return [
    ...(total > 0 ? [] : [`total ${total}`]),
    ...(stages.every((ms) => ms >= 0) ? [] : [`stages ${stages.join()}`]),
    ...(sum(stages) <= total + MS_ROUNDING ? [] : [`${sum(stages)} of ${total}`]),
  ];
}

const SOURCES = ['reranked', 'rrf_fusion', 'graph_expanded', 'vector', 'bm25', 'hybrid'];
/** Shares are rounded to four decimal places. */
const SHARE_ROUNDING = 0.0003;

/** Contradictions in the score of a result. */
function brokenResult(result: Plain): string[] {
  const shares = Object.values(at(result, 'explain.rrf_field_contributions') as Plain);
  const path = at(result, 'explain.graph_path') as readonly string[];
  const distance = numberAt(result, 'explain.graph_distance');
  const isLifted = result['source'] === 'graph_expanded';
  const fused = numberAt(result, 'scores.fused');
  const claims: [string, boolean][] = [
    ['source', SOURCES.includes(String(result['source']))],
    ['shares make the score', Math.abs(sum(shares) - fused) <= SHARE_ROUNDING],
    ['reranked has a score of it', result['source'] !== 'reranked' || at(result, 'scores.rerank') !== null],
    ['vector has a score of it', result['source'] !== 'vector' || at(result, 'scores.vector') !== null],
    [
      'hybrid has both',
      result['source'] !== 'hybrid' ||
        (at(result, 'scores.vector') !== null && numberAt(result, 'scores.bm25') > 0),
    ],
    ['graph_expanded has a path', !isLifted || path.length >= 2],
    ['a path ends here', path.length === 0 || path.at(-1) === result['chunk_id']],
    ['a path is as long as its distance', distance === Math.max(0, path.length - 1)],
    ['tokens', numberAt(result, 'token_count') > 0],
  ];
  return claims.filter(([, holds]) => !holds).map(([name]) => `${String(result['chunk_id'])}: ${name}`);
}

/** Errors in the scores of the results and of the candidates that were left out. */
export function brokenScores(record: PlainRecord): string[] {
  return [...listAt(record, 'results'), ...listAt(record, 'left_out')].flatMap(brokenResult);
}

/** All errors of a record. */
export function brokenRecord(record: PlainRecord): string[] {
  return [
    ...brokenFields(record, RECORD_FIELDS),
    ...listAt(record, 'results').flatMap((result) => brokenFields(result, RESULT_FIELDS)),
    ...brokenCounts(record),
    ...brokenTimes(record),
    ...brokenScores(record),
  ].map((broken) => `${record.diagnostic_id}: ${broken}`);
}
