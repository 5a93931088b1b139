import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
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
} from '../../eval/eval-run.js';
import { brokenFloors, parseFloors } from '../../eval/measures/floors.js';
import { renderReport, summaryLines } from '../../eval/measures/render-report.js';
import { type DetectedSet, detectSet } from '../../eval/sets/detect-set.js';
import type { EvalFlags } from '../command-parts.js';
import { EXIT } from '../failures.js';
import { loadConfig } from '../load-config.js';
import { type Clocks, type Measured, measureSet } from '../running/measure-set.js';
import type { OpenSession } from '../running/session.js';

const SYSTEM_CLOCKS: Clocks = { now: Date.now, elapsed: () => performance.now() };

/** Name of a run: the set's name, plus `-keywords` if keywords were sent with a golden set. */
function runName({ kind, name }: DetectedSet, keywords: string | undefined): string {
  return kind === 'golden' && keywords !== undefined ? `${name}-keywords` : name;
}

function toEvalRun(set: DetectedSet, flags: EvalFlags, measured: Measured & { now: number }): EvalRun {
  const { rows, figures, setup, warnings, now } = measured;
  const facts = {
    name: runName(set, flags.keywords),
    kind: set.kind,
    date: new Date(now).toISOString(),
    version: VERSION,
    node: process.versions.node,
    setup,
    warnings,
  };
  return toRun(facts, rows, figures);
}

/**
 * The baseline with the name of the run; without one, the only baseline, if there is only one set too. So the same
 * questions can be compared with and without keywords.
 */
function baselineFor(name: string, { baselines, sets }: Evaluation): Baseline | undefined {
  const [only, ...others] = baselines;
  const isPlain = others.length === 0 && sets.length === 1;
  return baselines.find((baseline) => baseline.name === name) ?? (isPlain ? only : undefined);
}

/** Refuses baselines of other sets, unless there is one set and one baseline. @throws InvalidArgumentError */
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

/** @returns path without its extension */
async function writeRun(run: EvalRun, progress: Progress | null, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${run.name}-${run.date.slice(0, 10)}`);
  await writeFile(`${file}.json`, `${JSON.stringify({ ...run, progress }, null, 1)}\n`);
  await writeFile(`${file}.md`, renderReport(run, progress));
  return file;
}

interface Evaluation {
  readonly config: Config;
  readonly flags: EvalFlags;
  readonly sets: readonly DetectedSet[];
  readonly baselines: readonly Baseline[];
  readonly clocks: Clocks;
  readonly open: OpenSession;
}

async function runSet(set: DetectedSet, evaluation: Evaluation): Promise<EvalRun> {
  const { config, flags, clocks, open } = evaluation;
  const measured = await measureSet(set, { open, config, clocks, ...flags });
  const run = toEvalRun(set, flags, { ...measured, now: clocks.now() });
  const baseline = baselineFor(run.name, evaluation);
  const progress = baseline ? progressSince(baseline, run, measured.figures) : null;
  const file = await writeRun(
    run,
    progress,
    resolve(flags.out ?? join(dirname(config.index.file), 'reports', 'eval')),
  );
  process.stdout.write(`${summaryLines(run, progress).join('\n')}\n  ${file}.md, ${basename(file)}.json\n\n`);
  return run;
}

/** How a set is evaluated. */
export interface EvaluateOptions {
  readonly open: OpenSession;
  readonly flags: EvalFlags;
  readonly overrides: Environment;
  readonly clocks?: Clocks;
}

/**
 * `pith eval`
 * @returns 1 when a figure is below its floor
 * @throws PithError for sets, keywords, baselines and floors that don't fit
 */
export async function evaluate(
  paths: readonly string[],
  { open, flags, overrides, clocks = SYSTEM_CLOCKS }: EvaluateOptions,
): Promise<number> {
  const config = loadConfig(overrides);
  const floors = flags.setFloor === undefined ? [] : parseFloors(flags.setFloor);
  const sets = paths.map(detectSet);
  const baselines = await Promise.all((flags.baseline ?? []).map(readBaseline));
  const evaluation = { config, flags, sets, baselines, clocks, open };
  refuseForeign(evaluation);
  const broken: string[] = [];
  for (const set of sets) broken.push(...brokenFloors(await runSet(set, evaluation), floors));
  for (const sentence of broken) tell(`pith: ${sentence}`);
  return broken.length > 0 ? EXIT.failed : EXIT.ok;
}
