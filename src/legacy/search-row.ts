import { z } from 'zod';
import type { Candidate } from '../core/ports/section-index.port.js';
import { sourceOf } from '../core/ranking.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import { shownTitle } from '../text/shown-fields.js';

const slimShape = {
  section_id: z.string(),
  title: z.string(),
  tokens: z.int(),
  doc_tag: z.string(),
  score: z.number(),
  rank: z.int(),
  source: z.string(),
};

const number = z.number().nullable();
const debugShape = {
  fusion_method: z.string(),
  fused_score: number,
  title_vec_score: number,
  entity_vec_score: number,
  doc_title_sparse_score: number,
  lexical_vec_score: number,
  rerank_score: number,
  graph_score: z.number(),
  graph_distance: z.int(),
  connection_count: z.int(),
  mention_count: z.int(),
  entity_boost_applied: z.boolean(),
  entity_metadata: z.null(),
  rrf_field_contributions: z.null(),
};

const slim = z.strictObject(slimShape);
const debug = z.strictObject(debugShape);

/** A row has 21 keys, or the first seven of them. */
export const searchRowSchema = z.strictObject({ ...slim.shape, ...debug.partial().shape });
export type SearchRow = z.output<typeof slim> & Partial<z.output<typeof debug>>;

/** The signals that the older retriever reported, as far as this one has an equivalent. */
function signalsOf({ score, lexical, rerank }: Candidate): z.output<typeof debug> {
  return {
    fusion_method: 'weighted_sum',
    fused_score: score,
    title_vec_score: null,
    entity_vec_score: null,
    doc_title_sparse_score: null,
    lexical_vec_score: lexical,
    rerank_score: rerank ?? null,
    graph_score: 0,
    graph_distance: 0,
    connection_count: 0,
    mention_count: 0,
    entity_boost_applied: false,
    entity_metadata: null,
    rrf_field_contributions: null,
  };
}

/** One row of an older search. @param rank  from 1, over all pages */
export function toSearchRow(candidate: Candidate, rank: number, hasDebug: boolean): SearchRow {
  const { section, document, score } = candidate;
  return {
    section_id: section.id,
    title: shownTitle(section.title),
    tokens: estimateTokens(section.text),
    doc_tag: document.docTag,
    score,
    rank,
    source: sourceOf(candidate),
    ...(hasDebug ? signalsOf(candidate) : {}),
  };
}
