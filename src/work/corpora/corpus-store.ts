import { BackendUnavailableError, BudgetExceededError, InvalidArgumentError } from '../../core/errors.js';
import { type Database, type Row, text } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { WORK_STORE, type WorkPlace, type WorkSpace } from '../work-space.js';

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

function corporaFull(most: number): BudgetExceededError {
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

/** Max corpora of one project and environment. */
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
interface CorpusPage {
  readonly offset: number;
  readonly limit: number;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS knowledge_corpus (project TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE, description TEXT NOT NULL, source TEXT NOT NULL, documents INTEGER NOT NULL,
    sections INTEGER NOT NULL, principal TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (project, environment, name)) WITHOUT ROWID`;

const IS_IN_SPACE = 'project = :projectId AND environment = :environment';

function corpusOf(row: Row): NamedCorpus {
  return {
    name: text(row['name']),
    id: text(row['id']),
    description: text(row['description']),
    source: text(row['source']),
    documents: Number(row['documents']),
    sections: Number(row['sections']),
    createdBy: text(row['principal']),
    createdAt: Number(row['created_at']),
  };
}

function findCorpus(
  database: Database,
  { projectId, environment }: WorkSpace,
  name: string,
): NamedCorpus | null {
  const row = database
    .prepare(`SELECT * FROM knowledge_corpus WHERE ${IS_IN_SPACE} AND name = :name`)
    .get({ projectId, environment, name });
  return row ? corpusOf(row) : null;
}

function countCorpora(database: Database, { projectId, environment }: WorkSpace): number {
  const row = database
    .prepare(`SELECT count(*) AS n FROM knowledge_corpus WHERE ${IS_IN_SPACE}`)
    .get({ projectId, environment });
  return Number(row?.['n']);
}

/**
 * Knows the named corpora. Several processes may share one store; each method is atomic among them. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export class CorpusStore {
  private readonly store: StoreFile;

  constructor(place: WorkPlace) {
    this.store = new StoreFile({ kind: WORK_STORE, ...place, tables: TABLES });
  }

  /**
   * Names an index.
   * @param replaced  the id of the index that has this name now; null if none has
   * @throws InvalidArgumentError `corpus_exists` if another index has the name; BudgetExceededError `corpora_full`
   */
  put(space: WorkSpace, corpus: NamedCorpus, replaced: string | null): Promise<void> {
    const { projectId, environment } = space;
    return this.store.write((database) => {
      const known = findCorpus(database, space, corpus.name);
      if ((known?.id ?? null) !== replaced) throw corpusExists(corpus.name);
      if (!known && countCorpora(database, space) >= MAX_CORPORA) throw corporaFull(MAX_CORPORA);
      database
        .prepare(
          `INSERT OR REPLACE INTO knowledge_corpus
             (project, environment, name, id, description, source, documents, sections, principal, created_at)
           VALUES (:projectId, :environment, :name, :id, :description, :source, :documents, :sections, :createdBy,
             :createdAt)`,
        )
        .run({ projectId, environment, ...corpus });
    });
  }

  /** @returns null for an unknown one */
  find(space: WorkSpace, name: string): Promise<NamedCorpus | null> {
    return this.store.read((database) => findCorpus(database, space, name));
  }

  /** By name. */
  list({ projectId, environment }: WorkSpace, { offset, limit }: CorpusPage): Promise<NamedCorpus[]> {
    return this.store.read((database) =>
      database
        .prepare(
          `SELECT * FROM knowledge_corpus WHERE ${IS_IN_SPACE} ORDER BY name LIMIT :limit OFFSET :offset`,
        )
        .all({ projectId, environment, offset, limit })
        .map(corpusOf),
    );
  }

  /** True if a corpus of any space has this index. */
  isNamed(id: string): Promise<boolean> {
    return this.store.read(
      (database) => database.prepare('SELECT 1 FROM knowledge_corpus WHERE id = ?').get(id) !== undefined,
    );
  }

  async close(): Promise<void> {
    this.store.close();
  }
}
