// src/eval: test sets, measures and reports of pith eval
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { EvalRow, FigureSpec } from './eval-row.js';
import { comparePairs, type Comparison, type Figure, figuresOf } from './measures/figures.js';
import { malformedInput } from './sets/read-json-lines.js';

/** Bump when a saved run can't be read as a baseline any more. */
export const RUN_FORMAT = 1;

/** Figures of the questions of one kind. */
export interface Group {
  readonly name: string;
  readonly questions: number;
  readonly figures: readonly Figure[];
}

/** What was measured, and with what. */
export interface RunFacts {
  /** Of the set; pairs a run with its baseline. */
  readonly name: string;
  readonly kind: 'golden' | 'beir' | 'evidence';
  /** ISO-8601, UTC. */
  readonly date: string;
  readonly version: string;
  readonly node: string;
  /** What was asked, of what: files, documents, keywords; in words for people. */
  readonly setup: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** One set, measured. */
export interface EvalRun extends RunFacts {
  readonly format: number;
  readonly all: Group;
  /** By question type, then the multi-hop ones; [] where all are alike. */
  readonly groups: readonly Group[];
  readonly rows: readonly EvalRow[];
}

/** What a baseline is read by: rows, whatever figures they once gave. */
const rowSchema = z.object({
  id: z.string(),
  question: z.string(),
  type: z.string(),
  multihop: z.boolean(),
  answerable: z.boolean(),
  values: z.record(z.string(), z.number()),
});
const baselineSchema = z.object({
  format: z.literal(RUN_FORMAT),
  name: z.string(),
  date: z.string(),
  rows: z.array(rowSchema),
});

/** A saved run, as far as another is compared with it. */
export type Baseline = z.output<typeof baselineSchema>;

/** What became of the figures since a baseline. */
export interface Progress {
  readonly since: string;
  /** Questions that both runs asked. */
  readonly questions: number;
  readonly comparisons: readonly Comparison[];
  /** The same for questions that need several places and for the others; [] where all are alike. */
  readonly groups: readonly ComparedGroup[];
}

/** Questions of one kind, in both runs. */
export interface ComparedGroup {
  readonly name: string;
  readonly questions: number;
  readonly comparisons: readonly Comparison[];
}

function groupOf(name: string, rows: readonly EvalRow[], specs: readonly FigureSpec[]): Group {
  return { name, questions: rows.length, figures: figuresOf(rows, specs) };
}

/** Figures of all rows, by type, and of those that need several places. */
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

/** Reads a saved run. @throws InvalidArgumentError when it is none */
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

/**
 * Compares a run with an earlier one, over the questions of both.
 * @throws InvalidArgumentError when they share none
 */
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
    throw malformedInput(
      baseline.name,
      `the baseline has no questions of ${name}`,
      'Give a run of the same set.',
    );
  }
  const groups = [
    { name: 'multi-hop', of: pairs.filter(({ now }) => now.multihop) },
    { name: 'single-hop', of: pairs.filter(({ now }) => !now.multihop) },
  ].filter(({ of }) => of.length > 0);
  return {
    since: baseline.date,
    questions: pairs.length,
    comparisons: comparePairs(pairs, specs),
    groups: (groups.length > 1 ? groups : []).map(({ name, of }) => ({
      name,
      questions: of.length,
      comparisons: comparePairs(of, specs),
    })),
  };
}
