import { EvidenceConfig } from '../../config/settings/evidence.config.js';
import type { ExtractInput, RetrieveInput } from '../evidence.schemas.js';
import { limitsOf, type RankLimits } from '../search/limit-per-document.js';
import type { QuoteOptions } from './choose-by-overlap.js';
import type { EvidenceBudget } from './choose-evidence.js';

/** Sections to rank for a call that leaves out what was shown, so that others remain. */
export const WITH_SEEN: RankLimits = { sections: 40, perDocument: 40 };

/** The limits of the call; the budget if it sets none. Quotes by overlap always have limits. */
export function quoteOptions(
  { max_quotes, max_quote_tokens, include_context_tokens }: ExtractInput | RetrieveInput,
  { spanReranker, tokens }: EvidenceConfig,
): QuoteOptions | EvidenceBudget {
  const isFree = max_quotes === undefined && max_quote_tokens === undefined;
  if (isFree && spanReranker !== 'none') return { budgetTokens: tokens };
  return {
    maxQuotes: max_quotes ?? 6,
    maxQuoteTokens: max_quote_tokens ?? 80,
    contextTokens: include_context_tokens ?? 20,
  };
}

/** A budget chooses among more sections than it quotes. */
const BUDGET_POOL = { sections: 12, perDocument: 4 };
const LIMITED_POOL = { sections: 8, perDocument: 3 };

/** Limits of the candidate pool. A limit per document that the call or the operator sets is kept. */
export function poolLimits(
  { pool }: EvidenceConfig,
  quoting: QuoteOptions | EvidenceBudget,
  asked: number | null,
): RankLimits {
  const byDefault = 'budgetTokens' in quoting ? BUDGET_POOL : LIMITED_POOL;
  if (pool === '') return limitsOf(byDefault.sections, asked, byDefault.perDocument);
  const [sections = 0, perDocument = 0] = pool.split('x').map(Number);
  return limitsOf(sections, asked ?? perDocument, perDocument);
}
