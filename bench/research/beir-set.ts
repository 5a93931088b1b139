import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { malformedInput, readJsonLines } from '../../src/cli/eval/sets/golden-set.js';
import type { PlainDocument } from './plain-document.js';

const corpusLineSchema = z.object({
  _id: z.string().min(1),
  title: z.string().default(''),
  text: z.string().default(''),
});
const queryLineSchema = z.object({ _id: z.string().min(1), text: z.string().min(1) });

/** A query and the documents that are relevant to it. */
export interface BeirQuery {
  readonly id: string;
  readonly text: string;
  /** Positive judgements by document id; never empty. */
  readonly relevance: ReadonlyMap<string, number>;
}

/** A retrieval collection in the layout of BEIR (Thakur et al., NeurIPS 2021). */
export interface BeirSet {
  readonly documents: readonly PlainDocument[];
  /** Queries with a positive judgement, as in BEIR. */
  readonly queries: readonly BeirQuery[];
}

export async function readBeirCorpus(file: string): Promise<PlainDocument[]> {
  const lines = await readJsonLines(file, corpusLineSchema);
  return lines.map(({ _id, title, text }) => ({ id: _id, title, text }));
}

/** Parses qrels: query, document and relevance, by tabs. @returns by query, then by document, relevance above 0 */
export function parseQrels(text: string, file: string): Map<string, Map<string, number>> {
  const qrels = new Map<string, Map<string, number>>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (i === 0 || line.trim() === '') continue;
    const [query, document, score] = line.split('\t');
    const relevance = Number(score);
    if (!query || !document || !Number.isFinite(relevance) || score?.trim() === '') {
      const problem = 'expected query-id, corpus-id and score, separated by tabs';
      throw malformedInput(`${file}:${i + 1}`, problem, 'Correct the line.');
    }
    if (relevance > 0) qrels.set(query, (qrels.get(query) ?? new Map()).set(document, relevance));
  }
  return qrels;
}

/** Reads a folder with `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`. @throws InvalidArgumentError */
export async function readBeirSet(folder: string): Promise<BeirSet> {
  const qrelsFile = join(folder, 'qrels', 'test.tsv');
  const judgements = await readFile(qrelsFile, 'utf8').catch(() => {
    const hint = 'A BEIR folder needs judgements in qrels/test.tsv.';
    throw malformedInput(qrelsFile, 'it has no relevance judgements', hint);
  });
  const qrels = parseQrels(judgements, qrelsFile);
  const queries = await readJsonLines(join(folder, 'queries.jsonl'), queryLineSchema);
  const judged = queries.flatMap(({ _id, text }) => {
    const relevance = qrels.get(_id);
    return relevance ? [{ id: _id, text, relevance }] : [];
  });
  if (judged.length === 0) {
    const hint = 'Compare the ids of queries.jsonl and qrels/test.tsv.';
    throw malformedInput(folder, 'no query has a relevant document', hint);
  }
  return { documents: await readBeirCorpus(join(folder, 'corpus.jsonl')), queries: judged };
}
