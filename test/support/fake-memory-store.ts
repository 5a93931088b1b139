import {
  type MemoryAnswer,
  type MemoryQuery,
  type MemoryRow,
  MemoryStore,
  type MemoryTable,
  type ScoredRow,
} from '../../src/core/ports/memory-store.port.js';

const TABLES = { t: 'thoughts', e: 'kg_entities', o: 'kg_observations' } as const;

function tableOf(id: string): MemoryTable {
  const [letter] = id;
  return letter === 't' || letter === 'e' ? TABLES[letter] : TABLES.o;
}

interface RowParts extends Partial<MemoryRow> {
  readonly id: string;
}

/** A row in the table of its id prefix, with unique text. */
export function aRow({ id, ...overrides }: RowParts): MemoryRow {
  return {
    id,
    table: tableOf(id),
    text: `Text of ${id}.`,
    origin: 'human',
    tags: [],
    isPrivate: false,
    createdAt: '2025-09-02T21:11:00.000Z',
    ...overrides,
  };
}

/** Such a row with a score. */
export function scored(id: string, score: number, overrides: Partial<MemoryRow> = {}): ScoredRow {
  return { row: aRow({ id, ...overrides }), score };
}

/** A number of rows of a table, `t:0` best; scores decrease by 0.01. */
export function descending(letter: 't' | 'e' | 'o', count: number, best = 0.9): ScoredRow[] {
  return Array.from({ length: count }, (_, i) => scored(`${letter}:${i}`, best - i / 100));
}

function byTable(rows: readonly ScoredRow[]): MemoryAnswer['candidates'] {
  const of = (table: MemoryTable): ScoredRow[] =>
    rows.filter(({ row }) => row.table === table).sort((a, b) => b.score - a.score);
  return { thoughts: of('thoughts'), kg_entities: of('kg_entities'), kg_observations: of('kg_observations') };
}

/** Candidates by table, best first. */
export function candidatesOf(...rows: readonly ScoredRow[]): MemoryAnswer['candidates'] {
  return byTable(rows);
}

const countsOf = ({ thoughts, kg_entities, kg_observations }: MemoryAnswer['candidates']) => ({
  thoughts: thoughts.length,
  kg_entities: kg_entities.length,
  kg_observations: kg_observations.length,
});

/**
 * NOT a real store: it returns the same rows and scores for every query and ignores the filters, so that tests can
 * check the filters of the service. It records the queries.
 */
export class FakeMemoryStore extends MemoryStore {
  readonly asked: MemoryQuery[] = [];

  constructor(
    private readonly rows: readonly ScoredRow[],
    private readonly answer: Partial<MemoryAnswer> = {},
  ) {
    super();
  }

  async candidates(query: MemoryQuery): Promise<MemoryAnswer> {
    this.asked.push(query);
    const all = byTable(this.rows);
    return {
      generation: 'fake:1',
      provider: 'fake',
      model: 'none',
      dim: 3,
      candidates: {
        thoughts: all.thoughts.slice(0, query.perTable),
        kg_entities: all.kg_entities.slice(0, query.perTable),
        kg_observations: all.kg_observations.slice(0, query.perTable),
      },
      matched: countsOf(all),
      incomparable: 0,
      ...this.answer,
    };
  }

  async close(): Promise<void> {}
}

/** A store that always fails. */
export class FailingMemoryStore extends MemoryStore {
  constructor(private readonly error: Error) {
    super();
  }

  candidates(): Promise<MemoryAnswer> {
    return Promise.reject(this.error);
  }

  async close(): Promise<void> {}
}
