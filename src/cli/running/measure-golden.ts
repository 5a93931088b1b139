import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Config } from '../../config/config.js';
import { BackendsConfig } from '../../config/settings/backends.config.js';
import { IndexConfig } from '../../config/settings/index.config.js';
import { ScopeConfig } from '../../config/settings/scope.config.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import { askAsAgent } from '../eval/ask-as-agent.js';
import type { EvalRow, FigureSpec } from '../eval/eval-row.js';
import type { EvalServices, RunOptions } from '../eval/eval-services.js';
import { evaluateGolden } from '../eval/evaluate-golden.js';
import { GOLDEN_FIGURES } from '../eval/measures/figure-lists.js';
import { checkGolden } from '../eval/sets/check-golden.js';
import { findGoldenSet, readGoldenSet } from '../eval/sets/golden-set.js';
import { defined, type EvalFlags } from '../flags.js';
import { showProgress } from '../progress.js';
import { runIndex } from './run-index.js';
import { type LoadEngines, type OpenSession, type Session, withSession } from './session.js';

/** The clocks of an evaluation; tests replace them. */
export interface Clocks {
  /** Milliseconds since the epoch; dates a run. */
  readonly now: () => number;
  /** Milliseconds from any start; measures calls. */
  readonly elapsed: () => number;
}

/** Without `corpus`, a golden set uses the configured index. */
export interface MeasureOptions extends Pick<EvalFlags, 'corpus' | 'keywords' | 'mode'> {
  readonly open: OpenSession;
  readonly engines: LoadEngines;
  readonly config: Config;
  readonly clocks: Clocks;
}

/** The rows of a set, and how to report them. */
export interface Measured {
  readonly rows: readonly EvalRow[];
  readonly figures: readonly FigureSpec[];
  readonly setup: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** A set of questions, and how it is measured. */
export interface EvalSet {
  readonly kind: string;
  /** Used in the names of reports. */
  readonly name: string;
  /** @throws PithError */
  readonly measure: (options: MeasureOptions) => Promise<Measured>;
}

/** A path relative to the working directory if that is shorter. */
export const shown = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.length > 0 && near.length < path.length ? near : path;
};

const { name, output } = retrieveEvidenceTool;

export type Measuring = Session & EvalServices;

/** Opens an index for the questions of a set. */
export function measuring<T>(
  { open, mode = 'auto' }: MeasureOptions,
  config: Config,
  use: (services: Measuring) => Promise<T>,
): Promise<T> {
  return withSession(open(config), (session) => use({ ...session, mode }));
}

async function sizeOf({ index, scope }: Session): Promise<string> {
  const { documents, sections } = await index.facts(await scope(), 1);
  return `${documents} documents, ${sections} sections`;
}

/** Shows the progress of a run on stderr. */
export async function watched<T>(
  clock: () => number,
  noun: string,
  run: (options: RunOptions) => Promise<T>,
): Promise<T> {
  const progress = showProgress(process.stderr, { verb: 'asking', noun });
  try {
    return await run({ clock, onProgress: (done, total) => progress.update({ done, total }) });
  } finally {
    progress.stop();
  }
}

/** The same settings for another index file, without mirrors and with an unrestricted scope. */
function over(config: Config, file: string): Config {
  const graph = config.backends.graph === 'none' ? 'none' : 'sqlite';
  return {
    ...config,
    index: Object.assign(new IndexConfig(), config.index, { file }),
    backends: Object.assign(new BackendsConfig(), config.backends, { sections: 'sqlite', graph }),
    scope: new ScopeConfig(),
  };
}

/** Fills an index in a temporary folder, uses it and removes it. */
export async function withTemporaryIndex<T>(
  config: Config,
  fill: (temporary: Config) => Promise<unknown>,
  use: (temporary: Config) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pith-eval-'));
  try {
    const temporary = over(config, join(folder, 'index.sqlite'));
    await fill(temporary);
    return await use(temporary);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureGolden(path: string, options: MeasureOptions): Promise<Measured> {
  const { config, clocks, corpus, keywords, mode } = options;
  const questions = await readGoldenSet(path, keywords ?? null);
  const measure = (over: Config): Promise<Measured> =>
    measuring(options, over, async (services) => {
      const warnings = await checkGolden(services, questions);
      const ask = askAsAgent({ name, output, ...services }, clocks.elapsed);
      const rows = await watched(clocks.elapsed, 'questions', ({ onProgress }) =>
        evaluateGolden(services, questions, { ask, onProgress }),
      );
      const setup = defined({
        set: shown(path),
        documents: `${shown(corpus ?? over.index.file)}: ${await sizeOf(services)}`,
        keywords: keywords === undefined ? undefined : shown(keywords),
        mode,
      });
      return { rows, figures: GOLDEN_FIGURES, setup, warnings };
    });
  if (corpus === undefined) return measure(config);
  const engines = await options.engines();
  const fill = (temporary: Config) => runIndex(temporary, { folder: corpus }, { engines });
  return withTemporaryIndex(config, fill, measure);
}

/** The golden set at a path. @throws InvalidArgumentError if there is none */
export function goldenSetAt(given: string): EvalSet {
  const { path, name: set } = findGoldenSet(given);
  return { kind: 'golden', name: set, measure: (options) => measureGolden(path, options) };
}
