import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { seededRandom } from '../../src/cli/eval/measures/figures.js';
import type { MemoryTable } from '../../src/core/ports/memory-store.port.js';
import type { MemoryOutput } from '../../src/memory/memory.schemas.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { type FileRow, importRows } from '../support/memory-file.js';
import { pithIndex, runPith } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const TOOL = 'inner_voice.retrieve';
const ROWS_OF_EACH = 5_000;
/** In every private thought and nowhere else. */
const MARK = 'classified';

const random = seededRandom(11);
const below = (limit: number): number => Math.floor(random() * limit);
/** Words as unevenly spread as those of a language. */
const word = (): string => `word${Math.floor(900 * random() ** 3)}`;
const textOfWords = (count: number): string => Array.from({ length: count }, word).join(' ');
const TAGS = ['work', 'home', 'idea', 'person'];

function row(table: MemoryTable, i: number): FileRow {
  const isPrivate = table === 'thoughts' && i % 5 === 0;
  return {
    table,
    id: `${isPrivate ? 'p' : 'r'}${i}`,
    text: `${isPrivate ? `${MARK} ` : ''}${textOfWords(5 + below(40))}.`,
    origin: ['human', 'logged', 'tool', 'model'][i % 4] ?? 'human',
    tags: TAGS.filter(() => random() < 0.3),
    is_private: isPrivate,
    created_at: new Date(Date.UTC(2024, 0, 1) + below(700) * 86_400_000).toISOString(),
  };
}

const ROWS: readonly FileRow[] = [
  ...Array.from({ length: ROWS_OF_EACH }, (_, i) => row('thoughts', i)),
  ...Array.from({ length: ROWS_OF_EACH }, (_, i) => row(i % 2 === 0 ? 'kg_entities' : 'kg_observations', i)),
];

/** The file of the reference memory server, as its version 2025.x writes it. */
const REFERENCE = [
  {
    type: 'entity',
    name: 'Anneke Visser',
    entityType: 'harbour master',
    observations: ['Prefers the pilot boat Zeemeermin', 'Speaks Frisian'],
  },
  { type: 'entity', name: 'Zeemeermin', entityType: 'pilot boat', observations: [] },
  { type: 'relation', from: 'Anneke Visser', to: 'Zeemeermin', relationType: 'steers' },
];

let client: TestClient;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  await importRows(ROWS, folder.file('rows.jsonl'), index);
  const memory = folder.file('memory.json');
  writeFileSync(memory, REFERENCE.map((line) => JSON.stringify(line)).join('\n'));
  const { code, stderr } = await runPith(['memory', 'import', memory, '--index', index]);
  if (code !== 0) throw new Error(stderr);
  const env = { SURR_ENABLE_INNER_VOICE: '1', PITH_RATE_PER_MINUTE: '0' };
  client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
}, 120_000);

afterAll(async () => {
  await client?.close();
  folder.remove();
});

async function retrieve(args: Record<string, unknown>): Promise<MemoryOutput> {
  const { structuredContent, isError } = await client.call(TOOL, args);
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return structuredContent as unknown as MemoryOutput;
}

const countsOf = ({ snippets }: MemoryOutput) => {
  const thoughts = snippets.filter(({ table }) => table === 'thoughts').length;
  return { kg: snippets.length - thoughts, thoughts };
};

const QUERY = 'word3 word17 word40 word111';

describe('5,000 thoughts and 5,000 rows of a graph', () => {
  it.each([
    [0, { kg: 0, thoughts: 10 }],
    [0.6, { kg: 6, thoughts: 4 }],
    [1, { kg: 10, thoughts: 0 }],
  ])('are allocated as specified at mix %d', async (mix, expected) => {
    const output = await retrieve({ query: QUERY, mix, top_k: 10, floor: 0.05 });
    expect(countsOf(output)).toEqual(expected);
    expect(output.diagnostics).toMatchObject({
      k_ret: 10,
      kg_candidates: ROWS_OF_EACH + 4,
      thought_candidates: ROWS_OF_EACH - ROWS_OF_EACH / 5,
    });
  });

  it('give more where the floor comes down, and say where it ended', async () => {
    const { snippets, diagnostics } = await retrieve({ query: QUERY, floor: 0.99, top_k: 50 });
    expect(diagnostics.floor_used).toBeLessThan(0.99);
    expect(diagnostics.floor_used).toBeGreaterThanOrEqual(0.1);
    expect(countsOf({ snippets, diagnostics }).kg).toBeGreaterThan(0);
    expect(countsOf({ snippets, diagnostics }).thoughts).toBeGreaterThan(0);
    expect(snippets.at(-1)?.score).toBeGreaterThanOrEqual(diagnostics.floor_used);
  });

  it('give the best rows there are, wherever they lie in the file', async () => {
    const { text = '', id } =
      ROWS.findLast(({ table, is_private }) => table === 'thoughts' && !is_private) ?? {};
    const [best] = (await retrieve({ query: text, mix: 0, top_k: 1 })).snippets;
    expect(best?.id).toBe(`t:${id}`);
  });
});

describe('private thoughts', () => {
  const asked = fc.record({
    query: fc
      .tuple(fc.boolean(), fc.array(fc.integer({ min: 0, max: 899 }), { minLength: 1, maxLength: 6 }))
      .map(([isBold, numbers]) => `${isBold ? `${MARK} ` : ''}${numbers.map((n) => `word${n}`).join(' ')}`),
    top_k: fc.integer({ min: 1, max: 50 }),
    mix: fc.constantFrom(0, 0.3, 0.6, 1),
    floor: fc.constantFrom(0, 0.15, 0.5, 1),
    include_tags: fc.subarray(TAGS),
    exclude_tags: fc.subarray(TAGS, { maxLength: 2 }),
  });

  it('never leave without the flag, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (args) => {
        const result = await client.call(TOOL, args);
        expect(result.isError).toBeUndefined();
        const { snippets } = result.structuredContent as unknown as MemoryOutput;
        expect(snippets.filter(({ id, text }) => id.startsWith('t:p') || text.includes(MARK))).toEqual([]);
        expect(JSON.stringify(result)).not.toContain(MARK);
      }),
      { numRuns: 150 },
    );
  });

  it('come with it', async () => {
    const { snippets } = await retrieve({
      query: `${MARK} word3`,
      include_private: true,
      mix: 0,
      floor: 0.05,
    });
    expect(snippets.filter(({ id }) => id.startsWith('t:p'))).toHaveLength(10);
  });

  it('are found by no tool for documents, with the flag or without', async () => {
    const found = await client.call('kb.search', { query: MARK, keywords: ['word3', 'word17'] });
    expect(found.structuredContent).toMatchObject({ results: [] });
  });
});

describe("the reference memory server's file", () => {
  it('is answered from over MCP, its observations with whom they are about', async () => {
    const output = await retrieve({ query: 'Which pilot boat does Anneke Visser prefer?', mix: 1 });
    expect(output.snippets[0]).toMatchObject({
      table: 'kg_observations',
      source_type: 'kg_observation',
      trust_tier: 'green',
      origin: 'human',
      text: 'Anneke Visser: Prefers the pilot boat Zeemeermin',
    });
  });

  it('is answered from by its relations, too', async () => {
    const { snippets } = await retrieve({ query: 'Who steers the Zeemeermin?', mix: 1 });
    const entity = snippets.find(({ table }) => table === 'kg_entities');
    expect(entity?.text).toContain('Anneke Visser steers Zeemeermin.');
  });
});
