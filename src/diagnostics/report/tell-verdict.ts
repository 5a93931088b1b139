import { isWaiting } from '../../core/errors.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import { formatCount, formatMs, formatPlural } from './format.js';
import { lossesOf, wordsForLoss } from './lost-sections.js';

/** The outcome of a retrieval in one line, and its causes. */
export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly headline: string;
  /** Most important first; [] if nothing needs an explanation. */
  readonly why: readonly string[];
}

const ERROR_WORDS: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: 'The request was invalid, so no search was run.',
  SCOPE_VIOLATION: 'The request is outside the scope of the caller.',
  BACKEND_UNAVAILABLE: 'The index or an engine is missing, incompatible or down.',
  BUDGET_EXCEEDED: 'No item fits into the response, or the caller exceeded its rate limit.',
  INTERNAL_ERROR: 'An unexpected error occurred. The server log has it under the id of this retrieval.',
};

/** Refusals that have another cause than the scope. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  permission_denied: 'The policy, the agent or the permissions of the caller do not allow the call.',
  approval_denied: 'The call needed an approval, and it was rejected or revoked.',
  approval_mismatch: 'The approval that the call named is for another call, has expired or was used.',
};

const WAITING_WORDS =
  'The call was not executed: it needs an approval. Operators decide at /admin/approvals or with `pith approvals`; the user at the host decides if the rule names the caller. Then the caller makes the same call again.';

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  token_cap: 'The response was truncated at its token limit',
  byte_cap: 'The response was truncated at its byte limit',
  page_size: 'Only one page of the list was returned',
};

function longestStage({ timing_ms: times }: DiagnosticRecord): string | null {
  const { total: _total, ...stages } = times;
  const [longest] = Object.entries(stages).sort(([, a], [, b]) => b - a);
  if (!longest || longest[1] === 0) return null;
  return `${longest[0].replaceAll('_', ' ')} with ${formatMs(longest[1])}`;
}

function tellTimeout(record: DiagnosticRecord): string {
  const longest = longestStage(record);
  const most = longest ? `The longest stage was ${longest}.` : 'No stage had finished.';
  return `The deadline passed after ${formatMs(record.timing_ms.total)}. ${most}`;
}

function tellError(record: DiagnosticRecord, error: NonNullable<DiagnosticRecord['error']>): Verdict {
  const waits = isWaiting(error);
  const words = REASON_WORDS[error.reason] ?? ERROR_WORDS[error.code];
  const meaning = waits ? WAITING_WORDS : error.code === 'TIMEOUT' ? tellTimeout(record) : words;
  const message = error.message === null ? null : `“${error.message}”`;
  return {
    tone: waits ? 'warn' : 'bad',
    headline: waits ? 'Waits for an approval' : `Failed: ${error.code} ${error.reason}`,
    why: [meaning, message, ...degradedIn(record)].filter((line) => line !== null && line !== undefined),
  };
}

const returnedIn = ({ counts }: DiagnosticRecord): string =>
  `${formatCount(counts.returned)} of ${formatPlural(counts.candidates_initial, 'candidate')} returned`;

const lostIn = (record: DiagnosticRecord): string =>
  lossesOf(record)
    .map(({ reason, count }) => `${formatCount(count)} ${wordsForLoss(reason)}`)
    .join(', ');

const degradedIn = ({ degraded }: DiagnosticRecord): string[] =>
  degraded.length > 0 ? [`Degraded: ${degraded.join(', ')} was unavailable.`] : [];

function cutIn({ budgets }: DiagnosticRecord): string[] {
  if (!budgets.partial && budgets.limit_reason === 'none') return [];
  return [`${LIMIT_WORDS[budgets.limit_reason] ?? 'The response was truncated'} (${budgets.limit_reason}).`];
}

function tellNothing(record: DiagnosticRecord): Verdict {
  const { scope, query } = record;
  const tags = scope.doc_tag === null ? '' : `, tags ${scope.doc_tag}`;
  const repositories = scope.repositories === null ? '' : `, repositories ${scope.repositories.join(', ')}`;
  const place = `project ${scope.project_id}, environment ${scope.environment}${tags}${repositories}`;
  const size = formatPlural(query.query_length, 'character');
  const found = `No section contains a word of the query (${size}) in ${place}, after the request’s filters.`;
  return { tone: 'bad', headline: 'Nothing found: 0 sections matched', why: [found, ...degradedIn(record)] };
}

function tellReturned(record: DiagnosticRecord): Verdict {
  const { answerable } = record;
  const lost = lostIn(record);
  const flaws = [...cutIn(record), ...degradedIn(record)];
  const sure = answerable && `Answer ${answerable.verdict} (confidence ${answerable.confidence.toFixed(2)})`;
  if (sure && answerable.verdict !== 'likely') {
    const why = [`${returnedIn(record)}${lost && '; '}${lost}.`, ...flaws];
    return { tone: answerable.verdict === 'unlikely' ? 'bad' : 'warn', headline: sure, why };
  }
  const why = [lost && `Not returned: ${lost}.`, ...flaws, sure ? `${sure}.` : ''].filter(Boolean);
  return { tone: flaws.length === 0 ? 'good' : 'warn', headline: returnedIn(record), why };
}

/** The most important fact comes first: a failure, no match, low confidence, truncation, or success. */
export function tellVerdict(record: DiagnosticRecord): Verdict {
  const { error, counts } = record;
  if (error) return tellError(record, error);
  if (counts.candidates_initial === 0) return tellNothing(record);
  if (counts.returned > 0) return tellReturned(record);
  return {
    tone: 'bad',
    headline: `None of ${formatPlural(counts.candidates_initial, 'matching section')} returned`,
    why: [`Lost: ${lostIn(record)}.`, ...cutIn(record), ...degradedIn(record)],
  };
}
