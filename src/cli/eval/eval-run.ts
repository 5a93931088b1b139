import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type EvalRow, evalRowSchema, type FigureSpec } from './eval-row.js';
import { comparePairs, type Comparison, type Figure, figuresOf } from './measures/figures.js';
import { malformedInput } from './sets/golden-set.js';

/** Increment when older runs can no longer be read as baselines. */
const RUN_FORMAT = 1;

export interface Group {
  readonly name: string;
  readonly questions: number;
  readonly figures: readonly Figure[];
}

interface RunFacts {
  /** Name of the set. */
  readonly name: string;
  readonly kind: string;
  /** ISO-8601, UTC. */
  readonly date: string;
  readonly version: string;
  readonly node: string;
  /** Description of the files, documents and keywords, for people. */
  readonly setup: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export interface EvalRun extends RunFacts {
  readonly format: number;
  readonly all: Group;
  /** By question type, then all multi-hop questions; [] if the questions are all of one kind. */
  readonly groups: readonly Group[];
  readonly rows: readonly EvalRow[];
}

const baselineSchema = z.object({
  format: z.literal(RUN_FORMAT),
  name: z.string(),
  date: z.string(),
  rows: z.array(evalRowSchema),
});

/** The part of a saved run that is compared. */
export type Baseline = z.output<typeof baselineSchema>;

interface ComparedRows {
  readonly questions: number;
  readonly comparisons: readonly Comparison[];
}

/** A run compared with a baseline. */
export interface Progress extends ComparedRows {
  readonly since: string;
  /** Multi-hop and single-hop questions; [] if the set has only one of these kinds. */
  readonly groups: readonly (ComparedRows & { readonly name: string })[];
}

function groupOf(name: string, rows: readonly EvalRow[], specs: readonly FigureSpec[]): Group {
  return { name, questions: rows.length, figures: figuresOf(rows, specs) };
}

/** Computes the figures of all rows, by type, and of the multi-hop questions. */
export function toRun(facts: RunFacts, rows: readonly EvalRow[], specs: readonly FigureSpec[]): EvalRun {
  const types = [...new Set(rows.map(({ type }) => type))];
  const byType = types.length > 1 ? types : [];
  const multihop = rows.filter((row) => row.multihop);
  const groups = [
    ...byType.map((type) => ({ name: type, of: rows.filter((row) => row.type === type) })),
    ...(multihop.length > 0 ? [{ name: 'multi-hop', of: multihop }] : []),
  ];
  return {
    format: RUN_FORMAT,
    ...facts,
    all: groupOf('all', rows, specs),
    groups: groups.map(({ name, of }) => groupOf(name, of, specs)),
    rows,
  };
}

/** Reads a saved run. @throws InvalidArgumentError for a missing file and for any other content */
export async function readBaseline(file: string): Promise<Baseline> {
  const hint = 'Give a .json file that an earlier pith eval wrote.';
  const text = await readFile(file, 'utf8').catch(() => {
    throw malformedInput(file, 'the file does not exist', hint);
  });
  try {
    return baselineSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      throw malformedInput(file, 'it is not a run saved by this version of pith eval', hint);
    }
    throw error;
  }
}

/** Compares a run with an earlier one, by the questions in both. @throws InvalidArgumentError if there are none */
export function progressSince(
  baseline: Baseline,
  { rows, name }: EvalRun,
  specs: readonly FigureSpec[],
): Progress {
  const before = new Map(baseline.rows.map((row) => [row.id, row]));
  const pairs = rows.flatMap((now) => {
    const then = before.get(now.id);
    return then ? [{ now, before: then }] : [];
  });
  if (pairs.length === 0) {
    const problem = `the baseline has no questions of ${name}`;
    throw malformedInput(baseline.name, problem, 'Give a run of the same set.');
  }
  const compared = (of: typeof pairs): ComparedRows => {
    return { questions: of.length, comparisons: comparePairs(of, specs) };
  };
  const multihop = pairs.filter(({ now }) => now.multihop);
  const singleHop = pairs.filter(({ now }) => !now.multihop);
  const isMixed = multihop.length > 0 && singleHop.length > 0;
  const groups = isMixed
    ? [
        { name: 'multi-hop', ...compared(multihop) },
        { name: 'single-hop', ...compared(singleHop) },
      ]
    : [];
  return { since: baseline.date, ...compared(pairs), groups };
}
