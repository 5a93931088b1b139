import { EvidenceConfig } from '../../../../src/config/settings/evidence.config.js';
import { poolLimits } from '../../../../src/kb/evidence/choose-evidence.js';

const BUDGET = { budgetTokens: 650 };
const LIMITS = { maxQuotes: 6, maxQuoteTokens: 80, contextTokens: 20 };

function withPool(pool: string): EvidenceConfig {
  return Object.assign(new EvidenceConfig(), { pool });
}

describe('poolLimits', () => {
  it('reads more sections for a budget than for limited quotes', () => {
    expect(poolLimits(withPool(''), BUDGET, null)).toEqual({ sections: 12, perDocument: 4, fillTo: 12 });
    expect(poolLimits(withPool(''), LIMITS, null)).toEqual({ sections: 8, perDocument: 3, fillTo: 8 });
  });

  it.each([BUDGET, LIMITS])('keeps the limits of the operator for %j', (quoting) => {
    expect(poolLimits(withPool('20x2'), quoting, null)).toEqual({ sections: 20, perDocument: 2 });
  });

  it('keeps the limit per document of the call', () => {
    expect(poolLimits(withPool(''), BUDGET, 1)).toEqual({ sections: 12, perDocument: 1 });
    expect(poolLimits(withPool('20x2'), BUDGET, 1)).toEqual({ sections: 20, perDocument: 1 });
  });
});
