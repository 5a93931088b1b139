import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { InvalidArgumentError } from '../../../core/errors.js';

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
