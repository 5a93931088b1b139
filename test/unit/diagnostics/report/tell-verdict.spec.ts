import { tellVerdict } from '../../../../src/diagnostics/report/tell-verdict.js';
import { aDiagnosticRecord } from '../../../support/a-diagnostic.js';
import { STORIES } from '../../../support/retrieval-stories.js';

describe('tellVerdict', () => {
  it('starts with the failure; for a deadline, names the longest stage', () => {
    expect(tellVerdict(STORIES.timeout)).toEqual({
      tone: 'bad',
      headline: 'Failed: TIMEOUT deadline',
      why: [
        'The deadline passed after 10.0\u00a0s. The longest stage was vector search with 9,880\u00a0ms.',
        'Degraded: vector was unavailable.',
      ],
    });
  });

  it('repeats a stored message', () => {
    const error = { code: 'INVALID_ARGUMENT', reason: 'schema', message: 'query: too long' };
    expect(tellVerdict(aDiagnosticRecord({ error })).why).toEqual([
      'The request was invalid, so no search was run.',
      '“query: too long”',
    ]);
  });

  it('says that a call waits for an approval, and who decides', () => {
    const error = { code: 'SCOPE_VIOLATION', reason: 'approval_required', message: null };
    const { tone, headline, why } = tellVerdict(aDiagnosticRecord({ error }));
    expect([tone, headline]).toEqual(['warn', 'Waits for an approval']);
    expect(why[0]).toMatch(/was not executed.*Operators decide at \/admin\/approvals.*same call again\.$/);
  });

  it('does not blame the scope for what the policy denies', () => {
    const error = { code: 'SCOPE_VIOLATION', reason: 'permission_denied', message: null };
    expect(tellVerdict(aDiagnosticRecord({ error })).why[0]).toContain('policy');
  });

  it('names the scope in which nothing was found', () => {
    const { tone, headline, why } = tellVerdict(STORIES.nothing);
    expect({ tone, headline }).toEqual({ tone: 'bad', headline: 'Nothing found: 0 sections matched' });
    expect(why[0]).toContain('23 characters');
    expect(why[0]).toContain('project wekadocs-matrix, environment development, tags REGPACK-08');
  });

  it('explains how all matches were lost', () => {
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

  it('has the confidence of an unlikely answer, and the losses', () => {
    expect(tellVerdict(STORIES.unlikely)).toEqual({
      tone: 'bad',
      headline: 'Answer unlikely (confidence 0.12)',
      why: [
        '3 of 41 candidates returned; 22 dropped (same document), 4 dropped (near duplicates), 11 below the end of the list, 1 without a selected quote.',
      ],
    });
  });

  it('names the limit that truncated a response', () => {
    const { tone, why } = tellVerdict(STORIES.cut);
    expect(tone).toBe('warn');
    expect(why[1]).toBe('The response was truncated at its token limit (token_cap).');
  });

  it('explains nothing if the call went well', () => {
    expect(tellVerdict(STORIES.good)).toEqual({
      tone: 'good',
      headline: '1 of 1 candidate returned',
      why: [],
    });
  });
});
