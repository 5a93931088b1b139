import { z } from 'zod';
import type { GoldAnswer } from './match-quote.js';
import { malformedInput, readJsonLines } from './read-json-lines.js';

const answerSchema = z.object({
  path: z.string().min(1),
  heading: z.string().default(''),
  quote: z.string().min(1),
  group: z.int().default(0),
});

/** One line of a golden set; further fields are ignored. */
export const goldenLineSchema = z.object({
  id: z.string().min(1),
  question: z.string().min(1).max(4_000),
  type: z.string().default('question'),
  answerable: z.boolean().default(true),
  multihop: z.boolean().default(false),
  answers: z.array(answerSchema).default([]),
});

/** Keywords and parts that an agent would send, within the bounds of `kb.retrieve_evidence`. */
export const keywordsLineSchema = z.object({
  id: z.string().min(1),
  keywords: z.array(z.string().min(1).max(80)).max(8).default([]),
  parts: z.array(z.string().min(1).max(1_000)).max(4).default([]),
});

/** A question with its keywords, parts and gold answers. */
export interface GoldenQuestion {
  readonly id: string;
  readonly question: string;
  readonly type: string;
  readonly answerable: boolean;
  readonly multihop: boolean;
  readonly answers: readonly GoldAnswer[];
  readonly keywords: readonly string[];
  readonly parts: readonly string[];
}

/** Ids must be unique, since runs are compared by id. @throws InvalidArgumentError */
export function refuseRepeatedIds(file: string, ids: readonly string[]): void {
  const repeated = ids.find((id, i) => ids.indexOf(id) !== i);
  if (repeated === undefined) return;
  throw malformedInput(
    file,
    `the id ${JSON.stringify(repeated)} is used twice`,
    'Give every question a unique id.',
  );
}

/**
 * Reads a golden set.
 * @param keywordsFile  keywords and parts by question id; null for none
 * @throws InvalidArgumentError with file and line
 */
export async function readGoldenSet(file: string, keywordsFile: string | null): Promise<GoldenQuestion[]> {
  const lines = await readJsonLines(file, goldenLineSchema);
  refuseRepeatedIds(
    file,
    lines.map(({ id }) => id),
  );
  const without = lines.find(({ answerable, answers }) => answerable && answers.length === 0);
  if (without) {
    throw malformedInput(
      file,
      `${without.id} is answerable and has no answers`,
      'Give it gold answers, or say "answerable": false.',
    );
  }
  const added = keywordsFile === null ? [] : await readJsonLines(keywordsFile, keywordsLineSchema);
  const byId = new Map(added.map((line) => [line.id, line]));
  return lines.map((line) => ({
    ...line,
    keywords: byId.get(line.id)?.keywords ?? [],
    parts: byId.get(line.id)?.parts ?? [],
  }));
}
