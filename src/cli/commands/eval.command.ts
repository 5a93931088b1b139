import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { VERSION } from '../../core/package-facts.js';
import { tell } from '../../core/stderr.js';
import {
  type Baseline,
  type EvalRun,
  type Progress,
  progressSince,
  readBaseline,
  toRun,
} from '../eval/eval-run.js';
import { renderReport, summaryLines } from '../eval/measures/render-report.js';
import { EXIT } from '../failures.js';
import { type EvalFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { type Clocks, type EvalSet, goldenSetAt, type MeasureOptions } from '../running/measure-golden.js';
import type { LoadEngines, OpenSession } from '../running/session.js';

/** The worst accepted value of a figure. */
export interface Floor {
  readonly key: string;
  readonly bound: number;
}

function wrongFloor(message: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(message, { reason: 'eval_floor_unknown', hint });
}

/** Parses `answered=.5,page=.8`. @throws InvalidArgumentError for anything else */
export function parseFloors(text: string): Floor[] {
  return text.split(',').map((item) => {
    const [key = '', bound = ''] = item.split('=').map((piece) => piece.trim());
    if (key !== '' && bound !== '' && Number.isFinite(Number(bound))) return { key, bound: Number(bound) };
    throw wrongFloor(
      `${JSON.stringify(item)} is not a valid floor.`,
      'Use figure=number, separated by commas: answered=.5,page=.8',
    );
  });
}

/** One sentence per broken floor. If less is better, it is a maximum. @throws InvalidArgumentError */
export function brokenFloors(
  { all, name }: Pick<EvalRun, 'all' | 'name'>,
  floors: readonly Floor[],
): string[] {
  return floors.flatMap(({ key, bound }) => {
    const figure = all.figures.find((candidate) => candidate.key === key);
    if (!figure) {
      const known = all.figures.map((candidate) => candidate.key).join(', ');
      throw wrongFloor(`${name} has no figure ${JSON.stringify(key)}.`, `Figures: ${known}.`);
    }
    const { value, better } = figure;
    const isWorse = value === null || (better === 'more' ? value < bound : value > bound);
    if (!isWorse) return [];
    const shown = value === null ? 'undefined' : String(Number(value.toFixed(4)));
    return [`${name}: ${key} is ${shown}, ${better === 'more' ? 'below' : 'above'} ${bound}`];
  });
}

const SYSTEM_CLOCKS: Clocks = { now: Date.now, elapsed: () => performance.now() };

/** Name of a run: the set's name, plus `-keywords` if keywords were sent with a golden set. */
function runName({ kind, name }: EvalSet, keywords: string | undefined): string {
  return kind === 'golden' && keywords !== undefined ? `${name}-keywords` : name;
}

/** A single baseline also fits a single set of another name, to compare runs with and without keywords. */
function baselineFor(name: string, { baselines, sets }: Evaluation): Baseline | undefined {
  const [only, ...others] = baselines;
  const isPlain = others.length === 0 && sets.length === 1;
  return baselines.find((baseline) => baseline.name === name) ?? (isPlain ? only : undefined);
}

/** Rejects baselines of other sets, unless there is one set and one baseline. @throws InvalidArgumentError */
function refuseForeign({ baselines, sets, flags }: Evaluation): void {
  const names = sets.map((set) => runName(set, flags.keywords));
  const foreign = baselines.find(({ name }) => !names.includes(name));
  if (!foreign || (sets.length === 1 && baselines.length === 1)) return;
  throw new InvalidArgumentError(
    `The baseline is for ${foreign.name}, and this run is for ${names.join(', ')}.`,
    {
      reason: 'eval_baseline_foreign',
      hint: 'Give a saved run of the same set, made with the same use of --keywords.',
    },
  );
}

/** @returns the path without its extension */
async function writeRun(run: EvalRun, progress: Progress | null, folder: string): Promise<string> {
  makeFolder(folder);
  const file = join(folder, `${run.name}-${run.date.slice(0, 10)}`);
  await writeFile(`${file}.json`, `${JSON.stringify({ ...run, progress }, null, 1)}\n`);
  await writeFile(`${file}.md`, renderReport(run, progress));
  return file;
}

interface Evaluation extends Pick<MeasureOptions, 'config' | 'clocks' | 'open' | 'engines'> {
  readonly flags: EvalFlags;
  readonly sets: readonly EvalSet[];
  readonly baselines: readonly Baseline[];
}

async function runSet(set: EvalSet, evaluation: Evaluation): Promise<EvalRun> {
  const { config, flags, clocks, open, engines } = evaluation;
  const { rows, figures, setup, warnings } = await set.measure({ ...flags, open, engines, config, clocks });
  const facts = {
    name: runName(set, flags.keywords),
    kind: set.kind,
    date: new Date(clocks.now()).toISOString(),
    version: VERSION,
    node: process.versions.node,
    setup,
    warnings,
  };
  const run = toRun(facts, rows, figures);
  const baseline = baselineFor(run.name, evaluation);
  const progress = baseline ? progressSince(baseline, run, figures) : null;
  const folder = resolve(flags.out ?? join(dirname(config.index.file), 'reports', 'eval'));
  const file = await writeRun(run, progress, folder);
  print(...summaryLines(run, progress), `  ${file}.md, ${basename(file)}.json`, '');
  return run;
}

interface EvalParts {
  readonly open: OpenSession;
  readonly engines: LoadEngines;
  readonly clocks?: Clocks;
  /** Finds the set at a path. Default: golden sets. */
  readonly findSet?: (path: string) => EvalSet;
}

/** `pith eval` @returns 1 if a figure is below its floor @throws PithError for sets, baselines and floors that don't fit */
export async function evaluate(
  paths: readonly string[],
  flags: EvalFlags,
  { open, engines, clocks = SYSTEM_CLOCKS, findSet = goldenSetAt }: EvalParts,
): Promise<number> {
  const config = loadConfig(settingsFrom(flags));
  const floors = flags.setFloor === undefined ? [] : parseFloors(flags.setFloor);
  const sets = paths.map(findSet);
  const baselines = await Promise.all((flags.baseline ?? []).map(readBaseline));
  const evaluation = { config, flags, sets, baselines, clocks, open, engines };
  refuseForeign(evaluation);
  const broken: string[] = [];
  for (const set of sets) broken.push(...brokenFloors(await runSet(set, evaluation), floors));
  for (const sentence of broken) tell(`pith: ${sentence}`);
  return broken.length > 0 ? EXIT.failed : EXIT.ok;
}
