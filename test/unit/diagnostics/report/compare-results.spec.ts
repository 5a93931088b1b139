import { compareResults, differenceLines } from '../../../../src/diagnostics/report/compare-results';
import { aDiagnosticCandidate, aDiagnosticRecord, aLeftOutCandidate } from '../../../support/a-diagnostic';

const found = (...ids: readonly string[]) =>
  ids.map((chunk_id, i) => aDiagnosticCandidate({ chunk_id, rank: i + 1 }));
const aRecord = (...ids: readonly string[]) => aDiagnosticRecord({ results: found(...ids) });

describe('compareResults', () => {
  it('treats equal outcomes as the same in any generation', () => {
    const now = { ...aRecord('a.md', 'b.md'), generation: 'generation-2' };
    const difference = compareResults(aRecord('a.md', 'b.md'), now);
    expect(difference).toMatchObject({
      is_same: true,
      generation: { then: 'generation-1', now: 'generation-2' },
      gained: [],
      lost: [],
      moved: [],
      rescored: [],
      counts: {},
      settings: {},
      answerable: null,
      error: null,
    });
  });

  it('names gained, lost and moved sections', () => {
    const difference = compareResults(aRecord('a.md', 'b.md', 'c.md'), aRecord('b.md', 'a.md', 'd.md'));
    expect(difference).toMatchObject({
      is_same: false,
      gained: [{ section_id: 'd.md', rank: 3, then: null }],
      lost: [{ section_id: 'c.md', rank: 3, now: null }],
      moved: [
        { section_id: 'b.md', then: 2, now: 1 },
        { section_id: 'a.md', then: 1, now: 2 },
      ],
    });
  });

  it('reports rank and fate of a section in the outcome that does not return it', () => {
    const left = (chunk_id: string) => [aLeftOutCandidate({ chunk_id, rank: 9, fate: 'no_quote' })];
    const then = { ...aRecord('a.md'), left_out: left('b.md') };
    const now = { ...aRecord('b.md'), left_out: left('a.md') };
    expect(compareResults(then, now)).toMatchObject({
      gained: [{ section_id: 'b.md', then: { rank: 9, fate: 'no_quote' } }],
      lost: [{ section_id: 'a.md', now: { rank: 9, fate: 'no_quote' } }],
    });
  });

  it('lists changed scores, counts and verdicts', () => {
    const then = aDiagnosticRecord({ answerable: { verdict: 'likely', confidence: 0.9 } });
    const now = aDiagnosticRecord({
      results: [aDiagnosticCandidate({ scores: { fused: 0.5 } })],
      counts: { returned: 1, candidates_initial: 4, dropped: { dedupe: 3, veto: 0, scope_mismatch: 0 } },
      answerable: { verdict: 'unsure', confidence: 0.4 },
    });
    expect(compareResults(then, now)).toMatchObject({
      is_same: false,
      rescored: [{ section_id: 'guide.md#use', then: 0.75, now: 0.5 }],
      counts: { candidates_initial: { then: 1, now: 4 }, 'dropped.dedupe': { then: 0, now: 3 } },
      answerable: { then: 'likely', now: 'unsure' },
    });
  });

  it('lists changed engine settings, except if one call failed', () => {
    const off = aDiagnosticRecord({ config: { neo4j_disabled: true } });
    expect(compareResults(aDiagnosticRecord(), off)).toMatchObject({
      is_same: true,
      settings: { graph: { then: 'on', now: 'off' } },
    });
    const failed = { ...off, error: { code: 'TIMEOUT', reason: 'deadline', message: null } };
    expect(compareResults(aDiagnosticRecord(), failed)).toMatchObject({
      is_same: false,
      settings: {},
      error: { then: null, now: 'TIMEOUT deadline' },
    });
  });
});

describe('differenceLines', () => {
  it('lists gained and lost sections first, then counts', () => {
    const then = { ...aRecord('a.md', 'b.md'), left_out: [aLeftOutCandidate({ chunk_id: 'c.md', rank: 3 })] };
    const lines = differenceLines(compareResults(then, aRecord('b.md', 'c.md')));
    expect(lines).toEqual([
      'Index: unchanged (generation-1)',
      'Gained (1):',
      '  c.md  now rank 2; before: rank 3, below the list',
      'Lost (1):',
      '  a.md  before: rank 1; now not in the list',
      'Rank changed (1):',
      '  b.md  2 → 1',
    ]);
  });

  it('says if nothing is different', () => {
    const same = differenceLines(compareResults(aRecord('a.md'), aRecord('a.md')));
    expect(same.at(-1)).toBe('The same sections, in the same order, with the same scores and counts.');
  });
});
