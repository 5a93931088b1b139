import { isWaiting } from '../../core/errors.js';
import type { DiagnosticCandidate, DiagnosticRecord, Fate } from '../record/diagnostic-record.js';

// Columns of the tables of diagnostics. Markdown, the terminal and the admin pages choose among them; each has its own
// formats of numbers, and its own cells where it shows more than the value.

/** The unit of a number; every renderer has a format for each. */
type Unit = 'rank' | 'count' | 'score' | 'ms';

export type NumberFormats = Readonly<Record<Unit, (value: number) => string>>;

export interface DiagnosticColumn<Row> {
  /** Name in Markdown and in the terminal. */
  readonly name: string;
  /** Name on admin pages, if it is a column there. */
  readonly heading?: string;
  /** Missing for texts. Numbers align right. */
  readonly unit?: Unit;
  /** Null if the value is missing. */
  readonly value: (row: Row) => string | number | null;
}

/** The value of a column as text; null if it is missing. */
export function valueText<Row>(
  column: DiagnosticColumn<Row>,
  row: Row,
  formats: NumberFormats,
): string | null {
  const { value, unit = 'rank' } = column;
  const found = value(row);
  return typeof found === 'number' ? formats[unit](found) : found;
}

type MatchedSection = Pick<DiagnosticCandidate, 'rank' | 'chunk_id' | 'doc_tag' | 'scores'>;

/** Columns of all sections. */
export const SECTION_COLUMNS = {
  rank: { name: 'rank', heading: 'Rank', unit: 'rank', value: ({ rank }) => rank },
  id: { name: 'chunk_id', heading: 'Section', value: ({ chunk_id }) => chunk_id },
  docTag: { name: 'doc_tag', value: ({ doc_tag }) => doc_tag },
  fused: { name: 'fused', heading: 'Score', unit: 'score', value: ({ scores }) => scores.fused },
  bm25: { name: 'bm25', heading: 'BM25', unit: 'score', value: ({ scores }) => scores.bm25 },
  vector: { name: 'vector', heading: 'Cosine', unit: 'score', value: ({ scores }) => scores.vector },
  rerank: { name: 'rerank', heading: 'Reranker', unit: 'score', value: ({ scores }) => scores.rerank },
  graph: { name: 'graph', heading: 'Graph', unit: 'score', value: ({ scores }) => scores.graph },
} as const satisfies Record<string, DiagnosticColumn<MatchedSection>>;

/** Columns of ranked sections only. */
export const CANDIDATE_COLUMNS = {
  source: { name: 'source', value: ({ source }) => source },
  tokens: { name: 'token_count', heading: 'Tokens', unit: 'count', value: ({ token_count }) => token_count },
} as const satisfies Record<string, DiagnosticColumn<DiagnosticCandidate>>;

interface Fated {
  readonly fate?: Fate;
  readonly instead?: string | null;
}

/** Columns of sections that may be left out. */
export const FATE_COLUMNS = {
  fate: { name: 'fate', heading: 'Outcome', value: ({ fate = null }) => fate },
  instead: { name: 'instead', value: ({ instead = null }) => instead },
} as const satisfies Record<string, DiagnosticColumn<Fated>>;

/** The outcome of a call: its error, else the stages that failed, else `partial`, else its verdict. */
function outcomeOf({ error, degraded, budgets, answerable }: DiagnosticRecord): string {
  if (error) return isWaiting(error) ? 'waiting' : error.reason;
  if (degraded.length > 0) return `without ${degraded.join(', ')}`;
  if (budgets.partial) return 'partial';
  return answerable?.verdict ?? 'ok';
}

/** Columns of lists of records. */
export const RECORD_COLUMNS = {
  time: { name: 'time (UTC)', heading: 'Time, UTC', value: ({ timestamp }) => timestamp },
  tool: { name: 'tool', heading: 'Tool', value: ({ tool }) => tool },
  total: { name: 'ms', heading: 'Total', unit: 'ms', value: ({ timing_ms }) => timing_ms.total },
  returned: { name: 'found', heading: 'Returned', unit: 'count', value: ({ counts }) => counts.returned },
  outcome: { name: 'outcome', heading: 'Outcome', value: outcomeOf },
  answer: { name: 'answer', heading: 'Answer', value: ({ answerable }) => answerable?.verdict ?? null },
  limit: {
    name: 'limit',
    heading: 'Limit',
    value: ({ budgets }) => (budgets.limit_reason === 'none' ? null : budgets.limit_reason),
  },
  degraded: { name: 'degraded', heading: 'Degraded', value: ({ degraded }) => degraded.join(', ') || null },
  question: { name: 'question', heading: 'Question', value: ({ query }) => query.raw },
  id: { name: 'id', heading: 'Id', value: ({ diagnostic_id }) => diagnostic_id },
} as const satisfies Record<string, DiagnosticColumn<DiagnosticRecord>>;
