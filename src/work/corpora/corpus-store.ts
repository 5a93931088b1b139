import { BackendUnavailableError, BudgetExceededError, InvalidArgumentError } from '../../core/errors.js';
import type { Sql, SqlDatabase } from '../../sqlite/stores/sql-database.port.js';
import { IN_SPACE, spaceValues } from '../work-rows.js';
import type { WorkSpace } from '../work-space.js';

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

/** The index of a corpus is a file, and this server does not have it. */
export function corpusElsewhere(name: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The index of the corpus ${name} is not on this server.`, {
    reason: 'corpus_elsewhere',
    hint: 'Call knowledge.kb_create with replace true: then all servers have it.',
    cause,
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

const COLUMNS = `name, id, description, source, documents, sections, principal AS "createdBy",
  created_at AS "createdAt"`;

async function findCorpus(sql: Sql, space: WorkSpace, name: string): Promise<NamedCorpus | null> {
  const statement = `SELECT ${COLUMNS} FROM knowledge_corpus WHERE ${IN_SPACE} AND name = :name`;
  const [corpus = null] = await sql<NamedCorpus>(statement, { ...spaceValues(space), name });
  return corpus;
}

async function countCorpora(sql: Sql, space: WorkSpace): Promise<number> {
  const statement = `SELECT count(*) AS n FROM knowledge_corpus WHERE ${IN_SPACE}`;
  const [row] = await sql(statement, spaceValues(space));
  return Number(row?.['n']);
}

/**
 * Knows the named corpora. Several processes may share one store; each method is atomic among them. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export class CorpusStore {
  constructor(private readonly database: SqlDatabase) {}

  /**
   * Names an index.
   * @param replaced  the id of the index that has this name now; null if none has
   * @throws InvalidArgumentError `corpus_exists` if another index has the name; BudgetExceededError `corpora_full`
   */
  put(space: WorkSpace, corpus: NamedCorpus, replaced: string | null): Promise<void> {
    const { name } = corpus;
    return this.database.write(async (sql) => {
      const known = await findCorpus(sql, space, name);
      if ((known?.id ?? null) !== replaced) throw corpusExists(name);
      if (!known && (await countCorpora(sql, space)) >= MAX_CORPORA) throw corporaFull(MAX_CORPORA);
      const replace = `DELETE FROM knowledge_corpus WHERE ${IN_SPACE} AND name = :name`;
      await sql(replace, { ...spaceValues(space), name });
      await sql(
        `INSERT INTO knowledge_corpus
           (project, environment, name, id, description, source, documents, sections, principal, created_at)
         VALUES (:projectId, :environment, :name, :id, :description, :source, :documents, :sections, :createdBy,
           :createdAt)`,
        { ...spaceValues(space), ...corpus },
      );
    });
  }

  /** @returns null for an unknown one */
  find(space: WorkSpace, name: string): Promise<NamedCorpus | null> {
    return this.database.read((sql) => findCorpus(sql, space, name));
  }

  /** By name. */
  list(space: WorkSpace, page: CorpusPage): Promise<NamedCorpus[]> {
    const statement = `SELECT ${COLUMNS} FROM knowledge_corpus WHERE ${IN_SPACE} ORDER BY name LIMIT :limit OFFSET :offset`;
    return this.database.read((sql) => sql<NamedCorpus>(statement, { ...spaceValues(space), ...page }));
  }

  /** True if a corpus of any space has this index. */
  async isNamed(id: string): Promise<boolean> {
    const rows = await this.database.read((sql) =>
      sql('SELECT id FROM knowledge_corpus WHERE id = :id', { id }),
    );
    return rows.length > 0;
  }
}
