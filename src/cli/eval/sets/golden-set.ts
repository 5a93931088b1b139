import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { InvalidArgumentError } from '../../../core/errors.js';
import { goldAnswerSchema } from './match-quote.js';
import { malformedInput, readJsonLines } from './read-json-lines.js';

/** One line of a golden set; further fields are ignored. */
export const goldenLineSchema = z.object({
  id: z.string().min(1),
  question: z.string().min(1).max(4_000),
  type: z.string().default('question'),
  answerable: z.boolean().default(true),
  multihop: z.boolean().default(false),
  answers: z.array(goldAnswerSchema).default([]),
});

/** Keywords and parts that an agent would send, within the bounds of `kb.retrieve_evidence`. */
export const keywordsLineSchema = z.object({
  id: z.string().min(1),
  keywords: z.array(z.string().min(1).max(80)).max(8).default([]),
  parts: z.array(z.string().min(1).max(1_000)).max(4).default([]),
});

export type GoldenQuestion = Readonly<
  z.output<typeof goldenLineSchema> & z.output<typeof keywordsLineSchema>
>;

/** Ids must be unique, since runs are compared by id. @throws InvalidArgumentError */
export function refuseRepeatedIds(file: string, questions: readonly { readonly id: string }[]): void {
  const ids = questions.map(({ id }) => id);
  const repeated = ids.find((id, i) => ids.indexOf(id) !== i);
  if (repeated === undefined) return;
  const hint = 'Give every question a unique id.';
  throw malformedInput(file, `the id ${JSON.stringify(repeated)} is used twice`, hint);
}

function noSet(path: string, problem: string): InvalidArgumentError {
  return new InvalidArgumentError(`${path} ${problem}.`, {
    reason: 'eval_set_unknown',
    hint: 'Give a golden set: a .jsonl file with one question per line. docs/eval.md describes it, and how research sets are measured.',
  });
}

/** The absolute path of a golden set, and its name. @throws InvalidArgumentError unless it is a .jsonl file */
export function findGoldenSet(given: string): { readonly path: string; readonly name: string } {
  const path = resolve(given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw noSet(path, 'does not exist');
  if (found.isDirectory()) throw noSet(path, 'is a folder');
  if (!path.endsWith('.jsonl')) throw noSet(path, 'is not a .jsonl file');
  return { path, name: basename(path, '.jsonl') };
}

/** Reads a golden set. @param keywordsFile  keywords and parts by question id @throws InvalidArgumentError */
export async function readGoldenSet(file: string, keywordsFile: string | null): Promise<GoldenQuestion[]> {
  const lines = await readJsonLines(file, goldenLineSchema);
  refuseRepeatedIds(file, lines);
  const without = lines.find(({ answerable, answers }) => answerable && answers.length === 0);
  if (without) {
    const hint = 'Give it gold answers, or say "answerable": false.';
    throw malformedInput(file, `${without.id} is answerable and has no answers`, hint);
  }
  const added = keywordsFile === null ? [] : await readJsonLines(keywordsFile, keywordsLineSchema);
  const byId = new Map(added.map((line) => [line.id, line]));
  return lines.map((line) => ({
    ...line,
    keywords: byId.get(line.id)?.keywords ?? [],
    parts: byId.get(line.id)?.parts ?? [],
  }));
}
