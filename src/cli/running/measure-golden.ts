import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/config.js';
import { BackendsConfig } from '../../config/settings/backends.config.js';
import { IndexConfig } from '../../config/settings/index.config.js';
import { ScopeConfig } from '../../config/settings/scope.config.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { type Candidate, NO_FILTER } from '../../core/ports/section-index.port.js';
import type { SearchMode } from '../../core/ranking.js';
import type { RetrievedEvidence } from '../../kb/evidence.schemas.js';
import { retrieveEvidenceTool } from '../../kb/tools/retrieve-evidence.tool.js';
import { type AnsweredCall, type CallTool, outputOf } from '../../mcp/answered-call.js';
import { queryWords } from '../../text/terms/search-terms.js';
import type { EvalRow, FigureSpec } from '../eval/eval-row.js';
import type { Ask, Asked, EvalServices, RunOptions } from '../eval/eval-services.js';
import { evaluateGolden, GOLDEN_FIGURES } from '../eval/evaluate-golden.js';
import { findGoldenSet, type GoldenQuestion, readGoldenSet } from '../eval/sets/golden-set.js';
import { foldText, type GoldAnswer, isDirectlyUnder } from '../eval/sets/match-quote.js';
import { defined, type EvalFlags } from '../flags.js';
import { showProgress } from '../progress.js';
import { runIndex } from './run-index.js';
import { type LoadEngines, type OpenSession, type Session, withSession } from './session.js';

/** Sections to read per page; few pages have more. */
const MAX_SECTIONS = 1_000;

async function sectionsOf(
  { index, scope: configured }: EvalServices,
  { path, quote }: GoldAnswer,
): Promise<Candidate[]> {
  const scope = await configured();
  const filter = { ...NO_FILTER, pathPrefix: path };
  const asked = { words: queryWords(quote), phrases: [], correctable: [], acronyms: [] };
  const answer = await index.search({
    text: quote,
    asked,
    rankedBy: 'lexical',
    scope,
    filter,
    limit: MAX_SECTIONS,
    perDocument: MAX_SECTIONS,
  });
  return answer.candidates.filter(({ document }) => document.path === path);
}

/** The problem of a gold answer; null if there is none. @param sections  sections of its page with any of its words */
function problemOf(
  { heading, quote }: GoldAnswer,
  sections: readonly Candidate[],
): keyof typeof PROBLEMS | null {
  if (sections.length === 0) return 'path';
  const gold = foldText(quote);
  if (!sections.some(({ section }) => foldText(section.text).includes(gold))) return 'quote';
  const titles = sections.map(({ section }) => section.headingPath.join(' > '));
  return titles.some((title) => isDirectlyUnder(title, heading)) ? null : 'heading';
}

const PROBLEMS = {
  path: 'gold pages are not in the index (or contain none of the words)',
  quote: 'gold quotes are not in any single section of their page',
  heading: 'gold headings match no section of their page',
} as const;

const LISTED = 5;

/** Compares gold answers with the index. @returns one sentence per kind of problem; empty without problems */
async function checkGolden(services: EvalServices, questions: readonly GoldenQuestion[]): Promise<string[]> {
  const found: Record<keyof typeof PROBLEMS, string[]> = { path: [], quote: [], heading: [] };
  for (const { id, answers } of questions) {
    for (const answer of answers) {
      const problem = problemOf(answer, await sectionsOf(services, answer));
      if (problem) found[problem].push(`${id} ${answer.path}`);
    }
  }
  const kinds = ['path', 'quote', 'heading'] as const;
  return kinds.flatMap((kind) => {
    const places = found[kind];
    if (places.length === 0) return [];
    const more = places.length > LISTED ? ', …' : '';
    return [`${places.length} ${PROBLEMS[kind]}: ${places.slice(0, LISTED).join(', ')}${more}`];
  });
}

/** Replaces the id of the call, so that the same question takes the same number of tokens every time. */
const SAME_ID = '00000000-0000-4000-8000-000000000000';

const contentSchema = z.array(z.looseObject({ text: z.string().default('') }));

/** `kb.retrieve_evidence`, and the way to call it. */
interface EvidenceTool {
  readonly name: string;
  readonly output: z.ZodType<RetrievedEvidence>;
  readonly call: CallTool;
  readonly mode: SearchMode;
}

/** @returns null for a failed call @throws InvalidArgumentError for a question that the tool rejects */
function evidenceOf(
  answer: AnsweredCall,
  id: string,
  { name, output }: EvidenceTool,
): RetrievedEvidence | null {
  const { error } = answer.finished;
  if (error?.reason === 'invalid_input') {
    throw new InvalidArgumentError(`${id} is not a valid question for ${name}: ${error.message}`, {
      reason: 'eval_input_malformed',
      hint: 'Correct the question, its keywords or its parts.',
    });
  }
  if (error?.thrown instanceof PithError) return null;
  return output.parse(outputOf(answer));
}

/** The estimate behind `answerable`, with four decimals. */
function confidenceOf({ finished }: AnsweredCall): number | null {
  const { answerable = null } = finished.call.trace.retrieval ?? {};
  return answerable && Math.round(answerable.confidence * 10_000) / 10_000;
}

/** Creates the function that asks as an agent does and measures the result. */
function askAsAgent(tool: EvidenceTool, clock: () => number): Ask {
  return async ({ id, question, keywords, parts }): Promise<Asked> => {
    const start = clock();
    const answer = await tool.call(tool.name, { question, keywords, parts, options: { mode: tool.mode } });
    const ms = clock() - start;
    const output = evidenceOf(answer, id, tool);
    const json = (value: unknown): string =>
      JSON.stringify(value).replaceAll(answer.finished.call.id, SAME_ID);
    return {
      output,
      content: contentSchema
        .parse(answer.result['content'])
        .map(({ text }) => text)
        .join(''),
      structured: json(answer.result['structuredContent'] ?? {}),
      bytes: Buffer.byteLength(json(answer.result)),
      calls: 1,
      ms,
      confidence: output && confidenceOf(answer),
    };
  };
}

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
