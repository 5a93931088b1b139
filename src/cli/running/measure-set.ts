import { relative } from 'node:path';
import type { Config } from '../../config/config.js';
import type { SearchMode } from '../../core/ranking.js';
import { askAsAgent } from '../../eval/ask-as-agent.js';
import type { EvalRow, FigureSpec } from '../../eval/eval-row.js';
import type { EvalServices, RunOptions } from '../../eval/eval-services.js';
import { evaluateBeir } from '../../eval/evaluate-beir.js';
import { evaluateEvidence } from '../../eval/evaluate-evidence.js';
import { evaluateGolden } from '../../eval/evaluate-golden.js';
import { BEIR_FIGURES, evidenceFigures, goldenFigures } from '../../eval/measures/figure-lists.js';
import { readBeirSet } from '../../eval/sets/beir-set.js';
import { checkGolden } from '../../eval/sets/check-golden.js';
import type { DetectedSet } from '../../eval/sets/detect-set.js';
import { readEvidenceSet } from '../../eval/sets/evidence-set.js';
import { readGoldenSet } from '../../eval/sets/golden-set.js';
import { quoteBounds } from '../../kb/kb.schemas.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import { showProgress } from '../progress.js';
import { type OpenSession, type Session, withSession } from './session.js';
import { withFolderIndex, withStagedIndex } from './temporary-index.js';

/** Where time comes from. */
export interface Clocks {
  /** Milliseconds since the epoch; dates a run. */
  readonly now: () => number;
  /** Milliseconds from any start; measures calls. */
  readonly elapsed: () => number;
}

/** What a set is measured over. */
export interface MeasureOptions {
  readonly open: OpenSession;
  readonly config: Config;
  readonly clocks: Clocks;
  /** Folder to index for the run; undefined takes the configured index. */
  readonly corpus?: string;
  readonly keywords?: string;
  readonly mode?: SearchMode;
}

/** A set's rows and how to read them. */
export interface Measured {
  readonly rows: readonly EvalRow[];
  readonly figures: readonly FigureSpec[];
  readonly setup: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** A path as it is shown: from here, where that is shorter. */
const shown = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.length > 0 && near.length < path.length ? near : path;
};

const { name, output } = retrieveEvidenceTool;

/** How many quotes a caller gets by default. */
const DEFAULT_QUOTES = quoteBounds.max_quotes.parse(undefined);

/** A session that ranks in one mode. */
type Measuring = Session & Pick<EvalServices, 'mode'>;

/** Opens the application on one index and measures it. */
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

/** Runs with a progress bar. */
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

async function measureGolden({ path }: DetectedSet, options: MeasureOptions): Promise<Measured> {
  const { config, clocks, corpus, keywords, mode } = options;
  const questions = await readGoldenSet(path, keywords ?? null);
  const measure = (over: Config): Promise<Measured> =>
    measuring(options, over, async (services) => {
      const warnings = await checkGolden(services, questions);
      const ask = askAsAgent({ name, output, ...services }, clocks.elapsed);
      const rows = await watched(clocks.elapsed, 'questions', ({ onProgress }) =>
        evaluateGolden(services, questions, { ask, onProgress }),
      );
      const setup = {
        set: shown(path),
        documents: `${shown(corpus ?? over.index.file)}: ${await sizeOf(services)}`,
        ...(keywords === undefined ? {} : { keywords: shown(keywords) }),
        ...(mode === undefined ? {} : { mode }),
      };
      return { rows, figures: goldenFigures(DEFAULT_QUOTES), setup, warnings };
    });
  return corpus === undefined ? measure(config) : withFolderIndex(config, corpus, measure);
}

async function measureBeir({ path }: DetectedSet, measure: MeasureOptions): Promise<Measured> {
  const { config, clocks, mode } = measure;
  const set = await readBeirSet(path);
  const { length } = set.documents;
  const rows = await withStagedIndex(config, set.documents, (over) =>
    measuring(measure, over, (services) =>
      watched(clocks.elapsed, 'queries', (options) => evaluateBeir(services, set, options)),
    ),
  );
  const setup = {
    set: shown(path),
    documents: `${length}, one section each`,
    ...(mode === undefined ? {} : { mode }),
  };
  return { rows, figures: BEIR_FIGURES, setup, warnings: [] };
}

async function measureEvidence({ path }: DetectedSet, measure: MeasureOptions): Promise<Measured> {
  const { config, clocks, mode } = measure;
  const set = await readEvidenceSet(path);
  const rows = await withStagedIndex(config, set.documents, (over) =>
    measuring(measure, over, (services) =>
      watched(clocks.elapsed, 'questions', (options) => evaluateEvidence(services, set, options)),
    ),
  );
  const setup = {
    set: shown(path),
    documents: `${set.documents.length}, one section each`,
    ...(mode === undefined ? {} : { mode }),
  };
  return { rows, figures: evidenceFigures(set.maxQuotes), setup, warnings: [] };
}

const MEASURES = { golden: measureGolden, beir: measureBeir, evidence: measureEvidence } as const;

/** Measures one set. @throws PithError */
export function measureSet(set: DetectedSet, options: MeasureOptions): Promise<Measured> {
  return MEASURES[set.kind](set, options);
}
