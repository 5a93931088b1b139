import { BackendUnavailableError, BudgetExceededError, InvalidArgumentError } from '../../core/errors.js';

/** Also for what only another project or environment has. */
export function unknownCorpus(name: string): InvalidArgumentError {
  return new InvalidArgumentError(`There is no corpus ${name}.`, {
    reason: 'corpus_not_found',
    hint: 'Call knowledge.kb_list for the names.',
  });
}

export function corpusExists(name: string): InvalidArgumentError {
  return new InvalidArgumentError(`There is a corpus ${name} already.`, {
    reason: 'corpus_exists',
    hint: 'Choose another name, or pass replace true to build it again.',
  });
}

export function corporaFull(most: number): BudgetExceededError {
  return new BudgetExceededError(`This project has ${most} corpora, the most it can.`, {
    reason: 'corpora_full',
    hint: 'Replace a corpus that is no longer needed: pass its name and replace true.',
    details: { max_corpora: most },
  });
}

/** As many other corpora are being read as may be open at once. */
export function corporaBusy(most: number): BackendUnavailableError {
  return new BackendUnavailableError(`${most} other corpora are being read.`, {
    reason: 'corpora_busy',
    hint: 'Try again in a moment.',
  });
}
