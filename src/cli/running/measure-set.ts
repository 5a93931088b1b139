import { relative } from 'node:path';
import type { Config } from '../../config/config.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import { askAsAgent } from '../eval/ask-as-agent.js';
import type { EvalRow, FigureSpec } from '../eval/eval-row.js';
import type { EvalServices, RunOptions } from '../eval/eval-services.js';
import { evaluateBeir } from '../eval/evaluate-beir.js';
import { evaluateEvidence } from '../eval/evaluate-evidence.js';
import { evaluateGolden } from '../eval/evaluate-golden.js';
import { BEIR_FIGURES, evidenceFigures, GOLDEN_FIGURES } from '../eval/measures/figure-lists.js';
import { readBeirSet } from '../eval/sets/beir-set.js';
import { checkGolden } from '../eval/sets/check-golden.js';
import { detectSet } from '../eval/sets/detect-set.js';
import { readEvidenceSet } from '../eval/sets/evidence-set.js';
import { readGoldenSet } from '../eval/sets/golden-set.js';
import type { PlainDocument } from '../eval/sets/plain-document.js';
import { defined, type EvalFlags } from '../flags.js';
import { showProgress } from '../progress.js';
import { runIndex } from './run-index.js';
import { type OpenSession, type Session, withSession } from './session.js';
import { indexPlain, withTemporaryIndex } from './temporary-index.js';

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
const shown = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.length > 0 && near.length < path.length ? near : path;
};

const { name, output } = retrieveEvidenceTool;

type Measuring = Session & EvalServices;

function measuring<T>(
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

async function watched<T>(
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
  return withTemporaryIndex(config, (temporary) => runIndex(temporary, { folder: corpus }), measure);
}

/** A set that includes its documents. */
interface OwnDocuments extends Pick<Measured, 'figures'> {
  readonly documents: readonly PlainDocument[];
  readonly noun: string;
  readonly evaluate: (services: Measuring, options: RunOptions) => Promise<EvalRow[]>;
}

async function measureOwn(path: string, own: OwnDocuments, options: MeasureOptions): Promise<Measured> {
  const { config, clocks, mode } = options;
  const { documents, noun, figures, evaluate } = own;
  const rows = await withTemporaryIndex(
    config,
    (temporary) => indexPlain(temporary, documents),
    (temporary) =>
      measuring(options, temporary, (services) =>
        watched(clocks.elapsed, noun, (run) => evaluate(services, run)),
      ),
  );
  const setup = defined({ set: shown(path), documents: `${documents.length}, one section each`, mode });
  return { rows, figures, setup, warnings: [] };
}

async function measureBeir(path: string, options: MeasureOptions): Promise<Measured> {
  const set = await readBeirSet(path);
  const evaluate: OwnDocuments['evaluate'] = (services, run) => evaluateBeir(services, set, run);
  const { documents } = set;
  return measureOwn(path, { documents, noun: 'queries', figures: BEIR_FIGURES, evaluate }, options);
}

async function measureEvidence(path: string, options: MeasureOptions): Promise<Measured> {
  const set = await readEvidenceSet(path);
  const evaluate: OwnDocuments['evaluate'] = (services, run) => evaluateEvidence(services, set, run);
  const figures = evidenceFigures(set.maxQuotes);
  return measureOwn(path, { documents: set.documents, noun: 'questions', figures, evaluate }, options);
}

const MEASURES = { golden: measureGolden, beir: measureBeir, evidence: measureEvidence } as const;

/** The set at a path. @throws InvalidArgumentError if there is none */
export function setAt(given: string): EvalSet {
  const { path, kind, name } = detectSet(given);
  return { kind, name, measure: (options) => MEASURES[kind](path, options) };
}
