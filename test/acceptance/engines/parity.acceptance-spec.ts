import { join } from 'node:path';
import { figuresOf } from '../../../src/cli/eval/measures/figures.js';
import { goldenSetAt } from '../../../src/cli/running/measure-golden.js';
import { runIndex } from '../../../src/cli/running/run-index.js';
import { type Config, parseConfig } from '../../../src/config/config.js';
import { RELATIONS } from '../../../src/core/graph-model.js';
import type { Expansion } from '../../../src/core/ports/graph-store.port.js';
import { COMMAND_ENGINES } from '../../../src/engines/command-engines.js';
import { openInProcess } from '../../../src/main.in-process.js';
import { testFolder } from '../../support/build-index.js';
import { sharedData } from '../../support/corpora.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { ownProject } from '../../support/own-project.js';

const CORPUS = sharedData('corpora/dev-mcp-nestjs');
const GOLDEN = sharedData('golden/dev-mcp-nestjs.jsonl');
/** Largest accepted difference of a measure: two percentage points. */
const TOLERANCE = 0.02;
const PROJECT = ownProject('parity of engines');

/** Number of sections where walks start; `neo4j-same-answers` starts at hundreds of nodes. */
const SEEDS = 10;

/** The questions are next to the checkout; CI has them. */
const itAsks = CORPUS && GOLDEN ? it : it.skip;

/** Sorts the nodes of an expansion, which have no fixed order. */
const inOrder = (expansion: Expansion | undefined) =>
  expansion && { ...expansion, nodes: expansion.nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };

describeEngines(['qdrant', 'neo4j'], 'the same questions on SQLite and on Qdrant and Neo4j', () => {
  const folder = testFolder();
  let file: Config;
  let engines: Config;

  beforeAll(async () => {
    const shared = { PITH_INDEX: join(folder.path, 'index.sqlite'), PITH_PROJECT: PROJECT };
    file = parseConfig(shared);
    engines = parseConfig({
      ...shared,
      PITH_SECTION_ENGINE: 'qdrant',
      PITH_QDRANT_URL: engineUrl('qdrant') ?? '',
      PITH_GRAPH_ENGINE: 'neo4j',
      PITH_NEO4J_URL: engineUrl('neo4j') ?? '',
      PITH_NEO4J_PASSWORD: process.env['NEO4J_PASSWORD'],
      PITH_BACKEND_TIMEOUT_MS: '30000',
    });
    if (CORPUS === null) return;
    await runIndex(engines, { folder: CORPUS, project: PROJECT }, { engines: COMMAND_ENGINES });
  }, 300_000);
  afterAll(() => folder.remove());

  async function figures(config: Config) {
    let ticks = 0;
    const clocks = { now: () => 0, elapsed: () => ticks++ };
    const { rows, figures: wanted } = await goldenSetAt(GOLDEN ?? '').measure({
      open: openInProcess,
      engines: async () => COMMAND_ENGINES,
      config,
      clocks,
    });
    return figuresOf(rows, wanted);
  }

  itAsks(
    'answers as many of them',
    async () => {
      const [expected, found] = [await figures(file), await figures(engines)];
      const compared = expected.filter(({ key }) => /^(?:answered|page|section|abstainAuroc)/u.test(key));
      expect(compared.length).toBeGreaterThan(3);
      const differences = compared.map(({ key, value }) => {
        const other = found.find((figure) => figure.key === key)?.value;
        return { key, value, other };
      });
      console.log(differences.map(({ key, value, other }) => `${key} ${value} ${other}`).join('\n'));
      for (const { key, value, other } of differences)
        expect([key, Math.abs((value ?? 0) - (other ?? Infinity)) <= TOLERANCE]).toEqual([key, true]);
    },
    600_000,
  );

  itAsks(
    'walks the same graph',
    async () => {
      const [one, other] = [await openInProcess(file), await openInProcess(engines)];
      try {
        const scope = await one.scope();
        const { candidates } = await one.index.search({
          text: 'module',
          asked: { words: [{ term: 'modul', parts: [] }], phrases: [], correctable: [], acronyms: [] },
          rankedBy: 'lexical',
          scope,
          filter: { docTags: null, pathPrefix: null, updatedAfter: null },
          limit: 40,
          perDocument: 1,
        });
        const seeds = candidates.map(({ section }) => section.id);
        expect(seeds.length).toBeGreaterThan(20);
        for (const seed of seeds.slice(0, SEEDS)) {
          const query = {
            scope,
            seeds: [seed],
            relations: RELATIONS,
            direction: 'both',
            maxHops: 2,
          } as const;
          const limits = { fanOut: 50, limit: 200 };
          const page = { offset: 0, size: 50, withSnippet: true };
          const expected = await one.graph?.expand({ ...query, ...limits }, page);
          const found = await other.graph?.expand({ ...query, ...limits }, page);
          expect(inOrder(found)).toEqual(inOrder(expected));
        }
        expect(await other.graph?.bridges(scope, seeds)).toEqual(await one.graph?.bridges(scope, seeds));
      } finally {
        await one.close();
        await other.close();
      }
    },
    300_000,
  );
});
