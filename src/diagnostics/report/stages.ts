import type { DiagnosticRecord } from '../record/diagnostic-record.js';

/** A stage of a retrieval; times in milliseconds. */
interface Stage {
  readonly name: string;
  /** Start of the stage after the start of the call, assuming that stages do not overlap. */
  readonly from: number;
  readonly ms: number;
}

/** The stages in the order in which they ran. The last entry is the time outside all measured stages. */
export function stagesOf({ timing_ms: times }: Pick<DiagnosticRecord, 'timing_ms'>): readonly Stage[] {
  const stages = [
    ['Matching words', times.bm25],
    ['Comparing vectors', times.vector_search],
    ['Fusion', times.fusion],
    ['Reranking', times.rerank],
    ['Graph', times.graph_expansion],
    ['Assembling context', times.context_assembly],
  ] as const;
  const measured = stages.reduce((sum, [, ms]) => sum + ms, 0);
  const all = [...stages, ['Other (not measured)', Math.max(0, times.total - measured)] as const];
  return all.map(([name, ms], i) => ({
    name,
    ms,
    from: all.slice(0, i).reduce((sum, [, before]) => sum + before, 0),
  }));
}
