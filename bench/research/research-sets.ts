import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { EvalRow } from '../../src/cli/eval/eval-row.js';
import type { RunOptions } from '../../src/cli/eval/eval-services.js';
import { defined } from '../../src/cli/flags.js';
import { showProgress } from '../../src/cli/progress.js';
import {
  type EvalSet,
  type Measured,
  type MeasureOptions,
  type Measuring,
  measuring,
  shown,
  watched,
  withTemporaryIndex,
} from '../../src/cli/running/measure-golden.js';
import type { Config } from '../../src/config/config.js';
import { NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import { InvalidArgumentError } from '../../src/core/errors.js';
import { openIndexWriter } from '../../src/engines/open-models.js';
import { readBeirSet } from './beir-set.js';
import { BEIR_FIGURES, evaluateBeir } from './evaluate-beir.js';
import { evaluateEvidence, evidenceFigures } from './evaluate-evidence.js';
import { readEvidenceSet } from './evidence-set.js';
import { asIndexed, type PlainDocument } from './plain-document.js';

const BATCH = 500;

/** Indexes a collection of documents, each as one section. */
async function indexPlain(config: Config, documents: readonly PlainDocument[]): Promise<void> {
  const writer = openIndexWriter(config);
  const progress = showProgress(process.stderr, { verb: 'indexing', noun: 'documents' });
  const present = new Map<string, string>();
  try {
    const own = { projectId: 'eval', environment: 'eval', root: config.index.file };
    await writer.begin({ ...own, siteUrls: [], corpus: NOTHING_DECLARED }, false);
    for (let from = 0; from < documents.length; from += BATCH) {
      progress.update({ done: from, total: documents.length });
      const batch = documents.slice(from, from + BATCH).map((document, i) => asIndexed(document, from + i));
      for (const { facts, hash } of batch) present.set(facts.path, hash);
      await writer.stage(batch);
    }
    await writer.publish(present);
  } finally {
    progress.stop();
    await writer.close();
  }
}

/** The parts that differ between kinds of sets. */
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

/** The set in a folder, which may also be given as its file of questions. @throws InvalidArgumentError if there is none */
export function researchSetAt(given: string): EvalSet {
  const path = basename(given) === 'questions.jsonl' ? resolve(given, '..') : resolve(given);
  const name = basename(path);
  if (existsSync(join(path, 'questions.jsonl')))
    return { kind: 'evidence', name, measure: (options) => measureEvidence(path, options) };
  if (existsSync(join(path, 'queries.jsonl')))
    return { kind: 'beir', name, measure: (options) => measureBeir(path, options) };
  throw new InvalidArgumentError(`${path} is not a folder with questions.jsonl or queries.jsonl.`, {
    reason: 'eval_set_unknown',
    hint: 'Give a BEIR folder (corpus.jsonl, queries.jsonl, qrels/test.tsv) or an evidence folder (questions.jsonl).',
  });
}
