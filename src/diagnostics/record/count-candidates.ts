import type { Call, RetrievalTrace } from '../../core/call.js';
import { scopeAllows } from '../../core/scope.js';
import type { DiagnosticRecord } from './diagnostic-record.js';

type Counts = DiagnosticRecord['counts'];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Counts the outcomes of all matches. The parts of a question are searched separately: a section that several parts
 * find counts as found twice, and once in the later counts.
 * @param ranked  ids of the ranked list, each once
 */
export function countCandidates(
  { scope }: Call,
  { answers, listed, shown, answerable }: RetrievalTrace,
  ranked: readonly string[],
): Counts {
  const initial = sum(answers.map(({ matched }) => matched));
  const found = answers.flatMap(({ candidates }) => candidates);
  const visible = found
    .filter(({ document }) => scopeAllows(scope, document))
    .map(({ section }) => section.id);
  const scopeMismatch = found.length - visible.length;
  const dedupe = {
    same_document: sum(answers.map(({ dropped }) => dropped.sameDocument)),
    near_duplicate: sum(answers.map(({ dropped }) => dropped.nearDuplicate)),
    found_twice: visible.length - new Set(visible).size,
  };
  const dropped = sum(Object.values(dedupe));
  const left = initial - scopeMismatch - dropped;
  const inReply = ranked.filter((id) => listed.includes(id)).length;
  const returned = ranked.filter((id) => shown.includes(id)).length;
  const notInReply = ranked.length - inReply;
  return {
    candidates_initial: initial,
    candidates_post_filter: initial - scopeMismatch,
    candidates_post_dedupe: left,
    returned,
    dropped: { dedupe: dropped, veto: 0, scope_mismatch: scopeMismatch },
    dedupe,
    not_returned: {
      below_list: left - ranked.length,
      other_page: answerable ? 0 : notInReply,
      no_quote: answerable ? notInReply : 0,
      budget: inReply - returned,
    },
  };
}
