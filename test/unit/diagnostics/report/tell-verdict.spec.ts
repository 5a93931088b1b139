import { tellVerdict } from '../../../../src/diagnostics/report/tell-verdict.js';
import { aDiagnosticRecord } from '../../../support/a-diagnostic.js';
import { STORIES } from '../../../support/retrieval-stories.js';

describe('tellVerdict', () => {
  it('says of a failure first what failed, and where the time went where it was the deadline', () => {
    expect(tellVerdict(STORIES.timeout)).toEqual({
      tone: 'bad',
      headline: 'Failed: TIMEOUT deadline',
      why: [
        'The deadline passed after 10.0\u00a0s. The longest stage was vector search with 9,880\u00a0ms.',
        'Degraded: vector was unavailable.',
      ],
    });
  });

  it('repeats a message that was kept', () => {
    const error = { code: 'INVALID_ARGUMENT', reason: 'schema', message: 'query: too long' };
    expect(tellVerdict(aDiagnosticRecord({ error })).why).toEqual([
      'The request was invalid, so no search was run.',
      '“query: too long”',
    ]);
  });

  it('says where nothing was found', () => {
    const { tone, headline, why } = tellVerdict(STORIES.nothing);
    expect({ tone, headline }).toEqual({ tone: 'bad', headline: 'Nothing found: 0 sections matched' });
    expect(why[0]).toContain('23 characters');
    expect(why[0]).toContain('project wekadocs-matrix, environment development, tags REGPACK-08');
  });

  it('says that all that matched was lost, and how', () => {
    const record = aDiagnosticRecord({
      results: [],
      counts: {
        ...{ candidates_initial: 2, candidates_post_filter: 1, candidates_post_dedupe: 1, returned: 0 },
        dropped: { dedupe: 0, veto: 0, scope_mismatch: 1 },
        not_returned: { below_list: 0, other_page: 0, no_quote: 1, budget: 0 },
      },
    });
    expect(tellVerdict(record)).toEqual({
      tone: 'bad',
      headline: 'None of 2 matching sections returned',
      why: ['Lost: 1 outside the scope, 1 without a selected quote.'],
    });
  });

  it('says how unlikely an answer is, and what was lost', () => {
    expect(tellVerdict(STORIES.unlikely)).toEqual({
      tone: 'bad',
      headline: 'Answer unlikely (confidence 0.12)',
      why: [
        '3 of 41 candidates returned; 22 dropped (same document), 4 dropped (near duplicates), 11 below the end of the list, 1 without a selected quote.',
      ],
    });
  });

  it('says which ceiling cut a response', () => {
    const { tone, why } = tellVerdict(STORIES.cut);
    expect(tone).toBe('warn');
    expect(why[1]).toBe('The response was truncated at its token limit (token_cap).');
  });

  it('has no complaint about what went well', () => {
    expect(tellVerdict(STORIES.good)).toEqual({
      tone: 'good',
      headline: '1 of 1 candidate returned',
      why: [],
    });
  });
});
