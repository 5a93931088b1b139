import type { WorkSpace } from '../work-space.js';

/** Most corpora of one project and environment. */
export const MAX_CORPORA = 100;

/** A named corpus, whose index is complete. */
export interface NamedCorpus {
  readonly name: string;
  /** Of its index. */
  readonly id: string;
  /** Empty if none was given. */
  readonly description: string;
  /** Its source, as `readSourceLine` reads it. */
  readonly source: string;
  readonly documents: number;
  readonly sections: number;
  /** The principal that made it. */
  readonly createdBy: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A page of a list. */
export interface CorpusPage {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Knows the named corpora. Several processes may share one store; each method is atomic among them. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export abstract class CorpusStore {
  /**
   * Names an index.
   * @param replaced  the id of the index that has this name now; null if none has
   * @throws InvalidArgumentError `corpus_exists` if another index has the name; BudgetExceededError `corpora_full`
   */
  abstract put(space: WorkSpace, corpus: NamedCorpus, replaced: string | null): Promise<void>;
  /** @returns null for an unknown one */
  abstract find(space: WorkSpace, name: string): Promise<NamedCorpus | null>;
  /** By name. */
  abstract list(space: WorkSpace, page: CorpusPage): Promise<NamedCorpus[]>;
  /** True if a corpus of any space has this index. */
  abstract isNamed(id: string): Promise<boolean>;
  abstract close(): Promise<void>;
}
