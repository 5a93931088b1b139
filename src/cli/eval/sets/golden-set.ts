import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { InvalidArgumentError } from '../../../core/errors.js';
import { goldAnswerSchema } from './match-quote.js';

function cannotRead(file: string, cause: unknown): InvalidArgumentError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new InvalidArgumentError(`${file} can't be read: ${why}.`, {
    reason: 'eval_input_unreadable',
    hint: 'Check the path; pith eval --help lists the files of a set.',
    cause,
  });
}

/** An error in an input file of `pith eval`. @param where  the file, with the line if known */
export function malformedInput(where: string, problem: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(`${where}: ${problem}`, { reason: 'eval_input_malformed', hint });
}

function parseLine<T>(text: string, schema: z.ZodType<T>, where: string): T {
  const json = z.string().transform((line, context): unknown => {
    try {
      return JSON.parse(line);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
  const parsed = json.pipe(schema).safeParse(text);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  const hint = 'Every line must be one JSON object; docs/eval.md lists the fields.';
  throw malformedInput(where, issues.join('; '), hint);
}

/** Reads a file with one JSON value per line; empty lines are skipped. @throws InvalidArgumentError */
export async function readJsonLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const values: T[] = [];
  const input = createReadStream(file, 'utf8');
  // readline does not report errors of its input stream.
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error) => reject(cannotRead(file, error)));
  });
  const read = async (): Promise<void> => {
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number++;
      if (line.trim() !== '') values.push(parseLine(line, schema, `${file}:${number}`));
    }
  };
  await Promise.race([read(), failed]);
  if (values.length === 0) throw malformedInput(file, 'the file is empty', 'Give a file with questions.');
  return values;
}

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
