import { stagesOf } from '../../../../src/admin/pages/retrieval-page.js';
import { aDiagnosticRecord } from '../../../support/a-diagnostic.js';

const NONE = { bm25: 0, vector_search: 0, fusion: 0, rerank: 0, graph_expansion: 0, context_assembly: 0 };
const told = (timing: Record<string, number>) =>
  stagesOf(aDiagnosticRecord({ timing_ms: { ...NONE, ...timing } }))
    .filter(({ ms }) => ms > 0)
    .map(({ name, from, ms }) => [name, from, ms]);

describe('stagesOf', () => {
  it('lists the stages one after another, the unmeasured time last', () => {
    expect(told({ bm25: 4, vector_search: 2, context_assembly: 1, total: 10 })).toEqual([
      ['Matching words', 0, 4],
      ['Comparing vectors', 4, 2],
      ['Assembling context', 6, 1],
      ['Other (not measured)', 7, 3],
    ]);
  });

  it('has no unmeasured time if stages took longer than the call, as parallel stages can', () => {
    expect(told({ bm25: 4, vector_search: 4, total: 5 })).toEqual([
      ['Matching words', 0, 4],
      ['Comparing vectors', 4, 4],
    ]);
  });
});
