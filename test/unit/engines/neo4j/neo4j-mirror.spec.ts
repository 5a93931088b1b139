import { NOTHING_DECLARED } from '../../../../src/core/corpus-declaration.js';
import { Backend } from '../../../../src/engines/backend.js';
import { GRAPH_IDENTITY, LIVE_GRAPH } from '../../../../src/engines/neo4j/graph-slot.js';
import {
  ADVANCE,
  ANNOUNCE,
  BEGIN,
  FLIP,
  GENERATION,
  NEXT_NUMBER,
  STORED,
} from '../../../../src/engines/neo4j/graph-writes.js';
import {
  isTransient,
  Neo4jConnection,
  neo4jFailure,
  type Neo4jRow,
} from '../../../../src/engines/neo4j/neo4j-connection.js';
import { Neo4jMirror } from '../../../../src/engines/neo4j/neo4j-mirror.js';
import type { BuiltGraph, BuiltIndex, GraphDocument, GraphPart } from '../../../../src/ingest/built-index.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';

const OLD = { generation: 'index:1', indexedAt: '2026-01-01T00:00:00.000Z' };
const NEW = { generation: 'index:2', indexedAt: '2026-01-02T00:00:00.000Z' };

type Values = Readonly<Record<string, unknown>>;
/** Answers a statement; undefined for the answer of a server on which everything works. */
type Answer = (cypher: string, values: Values) => Neo4jRow[] | Promise<Neo4jRow[]> | undefined;

const NEVER = new Promise<Neo4jRow[]>(() => undefined);

function fail(code: string): never {
  throw neo4jFailure(Object.assign(new Error('failed'), { code }));
}

const live = (facts: object): Neo4jRow => ({ live: 'a', identity: GRAPH_IDENTITY, hasEnded: true, ...facts });

/** A server on which everything works, with a graph of the old generation. */
function usualAnswer(cypher: string, { rows }: Values): Neo4jRow[] {
  if (cypher === LIVE_GRAPH || cypher === BEGIN) return [live(OLD)];
  if (cypher === STORED || cypher.includes('DETACH DELETE n')) return [];
  return [{ ...OLD, isNew: true, no: 0, n: Array.isArray(rows) ? rows.length : 1 }];
}

/** Replaces the server. @returns the statements that were sent, with their kind of transaction */
function fakeNeo4j(answer: Answer = () => undefined) {
  const sent: { kind: 'read' | 'write'; cypher: string; values: Values }[] = [];
  const limits = { timeoutMs: 1_000, concurrency: 2, isIndexing: true };
  const backend = new Backend({ name: 'neo4j', title: 'Neo4j', ...limits, isTransient, random: () => 0 });
  for (const kind of ['read', 'write'] as const)
    jest.spyOn(Neo4jConnection.prototype, kind).mockImplementation((work) =>
      backend[kind](() =>
        work(async (cypher, values) => {
          sent.push({ kind, cypher, values });
          return answer(cypher, values) ?? usualAnswer(cypher, values);
        }),
      ),
    );
  return { sent, count: (cypher: string) => sent.filter((each) => each.cypher === cypher).length };
}

const none = () => [];
const NO_GRAPH: BuiltGraph = {
  size: 0,
  documents: none,
  places: none,
  steps: none,
  links: none,
  mentions: none,
  entityMentions: none,
  concepts: none,
  owners: none,
  changedSince: () => null,
};

const aDocument = (path: string): GraphDocument => ({
  path,
  docTag: '',
  repository: '',
  title: path,
  fromPlaces: 0,
  fromDocuments: 0,
});

/** An index of the new generation, with changed documents of some nodes each. */
function aBuiltIndex(changed: readonly string[], nodesPerDocument = 1) {
  const parts: GraphPart[] = [];
  const graph = (part: GraphPart): BuiltGraph => {
    parts.push(part);
    return {
      ...NO_GRAPH,
      documents: () =>
        part.documents.flatMap((path) =>
          Array.from({ length: nodesPerDocument }, (_, i) => aDocument(`${path}${i}`)),
        ),
    };
  };
  const whole = { documents: changed, entities: [] };
  const built: BuiltIndex = {
    stamp: { ...NEW, projectId: 'project', environment: '' },
    profile: embedderNamed('none').profile,
    declaration: NOTHING_DECLARED,
    sectionCount: 0,
    averageLength: 0,
    space: null,
    textBytes: () => 0,
    acronyms: none,
    documents: none,
    vocabulary: none,
    graph: { ...graph(whole), changedSince: () => ({ ...whole, graph }) },
  };
  parts.length = 0;
  return { built, parts };
}

/** Mirrors an index. @returns the progress that was reported */
async function mirror(built: BuiltIndex): Promise<number[]> {
  const reported: number[] = [];
  const options = { url: 'bolt://127.0.0.1', user: '', password: '', database: 'neo4j' };
  const neo4j = new Neo4jMirror({ ...options, timeoutMs: 1_000, concurrency: 1 });
  await (
    await neo4j.fill(built, ({ done }) => reported.push(done))
  )();
  return reported;
}

const paths = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${i}.md`);

afterEach(() => jest.restoreAllMocks());

describe('Neo4jMirror', () => {
  it('compares a few documents at a time', async () => {
    const { count } = fakeNeo4j();
    const { built, parts } = aBuiltIndex(paths(120));
    expect(await mirror(built)).toEqual([120]);
    expect(parts.map(({ documents }) => documents.length)).toEqual([50, 50, 20]);
    expect(count(STORED)).toBe(3);
  });

  it('stops to compare as soon as more has changed than fits one transaction', async () => {
    const { count } = fakeNeo4j();
    const { built, parts } = aBuiltIndex(paths(1_000), 300);
    await mirror({ ...built, graph: { ...built.graph, documents: none } });
    expect(parts).toHaveLength(2);
    expect([count(STORED), count(FLIP)]).toEqual([2, 1]);
  });

  it('replaces the graph of another file with the same generation number', async () => {
    const copy = { ...OLD, generation: NEW.generation };
    const { count } = fakeNeo4j((cypher) =>
      cypher === LIVE_GRAPH || cypher === BEGIN ? [live(copy)] : undefined,
    );
    const { built } = aBuiltIndex([]);
    await mirror({ ...built, graph: { ...built.graph, changedSince: () => null } });
    expect(count(FLIP)).toBe(1);
  });

  it('does not take the change of another file with the same generation number for its own', async () => {
    const copy = { ...OLD, generation: NEW.generation };
    const { count } = fakeNeo4j((cypher) => (cypher === GENERATION ? [copy] : undefined));
    expect(await mirror(aBuiltIndex(paths(3)).built)).toEqual([3]);
    expect(count(ADVANCE)).toBe(1);
  });

  it('reads what it compares from the server that also takes the changes', async () => {
    const { sent } = fakeNeo4j();
    await mirror(aBuiltIndex(paths(3)).built);
    expect(sent.filter(({ cypher }) => cypher === STORED).map(({ kind }) => kind)).toEqual(['write']);
  });

  it.each([
    'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
    'Neo.TransientError.General.TransactionOutOfMemoryError',
    'Neo.TransientError.Transaction.DeadlockDetected',
    'Neo.ClientError.Transaction.TransactionTimedOut',
  ])('replaces the graph if its change ends with %s', async (code) => {
    const { count } = fakeNeo4j((cypher) => (cypher === NEXT_NUMBER ? fail(code) : undefined));
    expect((await mirror(aBuiltIndex(paths(3)).built)).at(-1)).toBe(3);
    expect([count(ADVANCE), count(FLIP)]).toEqual([0, 1]);
  });

  it('replaces the graph if its change is never done', async () => {
    const { count } = fakeNeo4j((cypher) => (cypher === NEXT_NUMBER ? NEVER : undefined));
    expect((await mirror(aBuiltIndex(paths(3)).built)).at(-1)).toBe(3);
    expect([count(ADVANCE), count(FLIP)]).toEqual([0, 1]);
  });

  it('tries a change again after a lost connection', async () => {
    let isLost = true;
    const { count } = fakeNeo4j((cypher) => {
      if (cypher !== NEXT_NUMBER || !isLost) return undefined;
      isLost = false;
      return fail('ServiceUnavailable');
    });
    expect(await mirror(aBuiltIndex(paths(3)).built)).toEqual([3]);
    expect([count(ADVANCE), count(FLIP)]).toEqual([1, 0]);
  });

  it('announces a change again that was late', async () => {
    let isLate = true;
    const { count } = fakeNeo4j((cypher) => {
      if (cypher !== ADVANCE || !isLate) return undefined;
      isLate = false;
      return [{ n: 0 }];
    });
    expect(await mirror(aBuiltIndex(paths(3)).built)).toEqual([3]);
    expect([count(ANNOUNCE), count(ADVANCE), count(FLIP)]).toEqual([2, 2, 0]);
  });

  it('gives way to another run that has begun', async () => {
    let hasBegun = false;
    fakeNeo4j((cypher) => {
      if (cypher === GENERATION && hasBegun) return [];
      if (cypher === ANNOUNCE) hasBegun = true;
      return cypher === ADVANCE ? [{ n: 0 }] : undefined;
    });
    await expect(mirror(aBuiltIndex(paths(3)).built)).rejects.toMatchObject({ reason: 'index_busy' });
  });
});
