import { readdirSync, readFileSync } from 'node:fs';
import type { MemoryOutput } from '../../src/memory/memory.schemas.js';
import { hashContent } from '../../src/memory/rows/normalise-content.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { failureOf } from '../support/failures.js';
import type { CallResult } from '../support/mcp-clients.js';
import { type FileRow, importRows, otherRows, rowsAbout } from '../support/memory-file.js';
import { pithIndex, runPith } from '../support/processes.js';
import { realTokens } from '../support/reply-laws.js';
import { ONE_OF_EACH, openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { startStdio } from '../support/stdio-process.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const broken = folder.file('broken.sqlite');
const ON = { SURR_ENABLE_INNER_VOICE: '1' };
const TOOL = 'inner_voice.retrieve';
const LONG_SENTENCE = `Zeppelin ${'a'.repeat(640)} over the harbour. `;
const LONG = `${LONG_SENTENCE}${'Zeppelin and nothing else '.repeat(40)}`;

const thought = (id: string, text: string, more: Partial<FileRow> = {}): FileRow => ({
  ...{ table: 'thoughts', id, text, origin: 'human', created_at: '2025-09-02T21:11:00Z' },
  ...more,
});
const fact = (id: string, text: string, more: Partial<FileRow> = {}): FileRow => ({
  ...thought(id, text, more),
  table: 'kg_entities',
});

const ROWS: readonly FileRow[] = [
  ...otherRows(300),
  ...rowsAbout('lanternfish', 'thoughts', 12),
  ...rowsAbout('lanternfish', 'kg_entities', 8),
  ...rowsAbout('lanternfish', 'kg_observations', 8),
  // One thing seen by several, of whom one is not for everybody.
  thought('secret', 'Periwinkle umbrella under the mat', { is_private: true }),
  thought('open', 'Periwinkle parasol under the tree', { tags: ['summer', 'draft'] }),
  fact('open', 'Periwinkle awning over the gate', { tags: ['summer'] }),
  { ...fact('seen', 'Periwinkle curtain in the window', { tags: ['winter'] }), table: 'kg_observations' },
  // The same words in two tables.
  thought('copy', 'Quokka  SMILES at strangers', { origin: 'tool' }),
  fact('copy', 'quokka smiles at strangers'),
  thought('long', LONG),
  // Who said it.
  ...['human', 'logged', 'tool', 'model', 'inner_voice'].map((origin) =>
    thought(`by-${origin}`, `Marzipan as ${origin} likes it`, { origin }),
  ),
  { table: 'thoughts', id: 'by-nobody', text: 'Marzipan as nobody likes it' },
  fact('by-model', 'Marzipan in the graph', { origin: 'model' }),
  // When it was.
  thought('old', 'Gramophone in the attic', { created_at: '2020-01-01T00:00:00Z' }),
  thought('new', 'Gramophone in the hall', { created_at: '2025-12-31T12:00:00Z' }),
  // Vectors of others.
  thought('foreign', 'Xylograph on the wall', { embedding: [0.1, 0.2, 0.3], embedding_model: 'other' }),
  ...Array.from({ length: 50 }, (_, i) =>
    thought(`page-${i}`, `Foliant ${i}. ${`Foliant leaf${i} `.repeat(60)}`, { tags: ['book'] }),
  ),
];

type Name = 'on' | 'off' | 'noEmbedder' | 'broken';
let sites: Record<Name, Site>;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  await pithIndex(FIXTURE_CORPUS, broken);
  await importRows(ROWS, folder.file('rows.jsonl'), index);
  await importRows(ROWS.slice(0, 60), folder.file('few.jsonl'), broken);
  const database = openDatabase(broken);
  database.exec('ALTER TABLE memory_thoughts RENAME TO elsewhere');
  database.close();
  const [on, off] = await Promise.all([openSite(index, { env: ON }), openSite(index)]);
  const [noEmbedder, damaged] = await Promise.all([
    openSite(index, { env: { ...ON, SURR_EMBED_PROVIDER: 'openai' }, transports: ONE_OF_EACH }),
    openSite(broken, { env: ON, transports: ONE_OF_EACH }),
  ]);
  sites = { on, off, noEmbedder, broken: damaged };
}, 60_000);

afterAll(async () => {
  await Promise.all(Object.values(sites ?? {}).map((site) => site.stop()));
  folder.remove();
});

const outputOf = (result: CallResult) => result.structuredContent as unknown as MemoryOutput;
const textOf = (result: CallResult) => result.content.map((block) => block.text).join('\n');
const idsOf = ({ snippets }: MemoryOutput) => snippets.map(({ id }) => id);
const countsOf = ({ snippets }: MemoryOutput) => {
  const thoughts = snippets.filter(({ table }) => table === 'thoughts').length;
  return { kg: snippets.length - thoughts, thoughts };
};

describe.each(TRANSPORTS)('inner_voice.retrieve, called by a %s client over %s', (era, transport) => {
  const call = (args: Record<string, unknown>) => sites.on.client(era, transport).call(TOOL, args);
  const retrieve = async (args: Record<string, unknown>) => outputOf(await call(args));

  it('is off by default: not listed, and refused by its known name', async () => {
    const client = sites.off.client(era, transport);
    expect((await client.listTools()).map(({ name }) => name)).not.toContain(TOOL);
    const refused = { code: 'INVALID_ARGUMENT', reason: 'feature_disabled' };
    expect(failureOf(await client.call(TOOL, { query: 'lanternfish' }))).toEqual(refused);
    expect(failureOf(await client.call('inner_voice_retrieve', {}))).toEqual(refused);
  });

  it('is listed and answers when it is switched on', async () => {
    const names = (await sites.on.client(era, transport).listTools()).map(({ name }) => name);
    expect(names).toContain(TOOL);
    expect(idsOf(await retrieve({ query: 'quokka smiles' }))).toHaveLength(1);
  });

  it('returns snippets and diagnostics in the exact shape', async () => {
    const output = await retrieve({ query: 'gramophone in the hall', top_k: 1, mix: 0 });
    expect(output).toEqual({
      snippets: [
        {
          id: 't:new',
          table: 'thoughts',
          source_type: 'thought',
          origin: 'human',
          trust_tier: 'green',
          created_at: '2025-12-31T12:00:00.000Z',
          text: 'Gramophone in the hall',
          score: expect.any(Number),
          content_hash: hashContent('Gramophone in the hall'),
          span_start: 0,
          span_end: 22,
        },
      ],
      diagnostics: {
        provider: 'pith',
        model: expect.stringMatching(/\S/),
        dim: expect.any(Number),
        k_req: 1,
        k_ret: 1,
        kg_candidates: expect.any(Number),
        thought_candidates: expect.any(Number),
        floor_used: 0.08,
        latency_ms: expect.any(Number),
        incomparable: 1,
      },
    });
  });

  it('says the same in a text that suffices', async () => {
    const text = textOf(await call({ query: 'gramophone in the hall', top_k: 1, mix: 0 }));
    expect(text).toBe('1. t:new (green, thought by human, 2025-12-31)\n   Gramophone in the hall');
  });

  it('takes six of the graph and four thoughts of ten at the default mix', async () => {
    expect(countsOf(await retrieve({ query: 'lanternfish', floor: 0.01 }))).toEqual({ kg: 6, thoughts: 4 });
  });

  it('takes thoughts alone at mix 0 and the graph alone at mix 1, and fills nothing from the other', async () => {
    const [thoughts, graph, few] = await Promise.all([
      retrieve({ query: 'lanternfish', floor: 0.01, mix: 0, top_k: 10 }),
      retrieve({ query: 'lanternfish', floor: 0.01, mix: 1, top_k: 10 }),
      retrieve({ query: 'periwinkle', floor: 0.01, mix: 0 }),
    ]);
    expect(countsOf(thoughts)).toEqual({ kg: 0, thoughts: 10 });
    expect(countsOf(graph)).toEqual({ kg: 10, thoughts: 0 });
    expect(few.snippets.filter(({ table }) => table !== 'thoughts')).toEqual([]);
  });

  it('fills from the other source what one lacks', async () => {
    const output = await retrieve({ query: 'foliant', floor: 0.01, top_k: 5, include_tags: ['book'] });
    expect(countsOf(output)).toEqual({ kg: 0, thoughts: 5 });
  });

  it('ranks all of them by score', async () => {
    const scores = (await retrieve({ query: 'lanternfish', floor: 0.01 })).snippets.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('ranks every row, not the first that come', async () => {
    const [best] = (await retrieve({ query: 'gramophone attic', top_k: 1, mix: 0 })).snippets;
    expect(best?.id).toBe('t:old');
  });

  it('brings top_k into range', async () => {
    const { diagnostics } = await retrieve({ query: 'lanternfish', top_k: 0 });
    expect(diagnostics).toMatchObject({ k_req: 1, k_ret: 1 });
    expect((await retrieve({ query: 'lanternfish', top_k: 99 })).diagnostics.k_req).toBe(50);
  });

  it('lowers the floor for a source that would be empty, says so, and returns more for it', async () => {
    const { snippets, diagnostics } = await retrieve({
      query: 'periwinkle lanternfish',
      floor: 1,
      top_k: 50,
    });
    const { kg, thoughts } = countsOf({ snippets, diagnostics });
    expect(diagnostics.floor_used).toBeLessThan(1);
    expect(diagnostics.floor_used).toBeGreaterThanOrEqual(0.1);
    expect([kg > 0, thoughts > 0]).toEqual([true, true]);
    expect(snippets.at(-1)?.score).toBe(diagnostics.floor_used);
  });

  it('keeps private thoughts to itself unless they are asked for', async () => {
    const query = { query: 'periwinkle umbrella', floor: 0 };
    expect(JSON.stringify(await call({ ...query, top_k: 50 }))).not.toContain('umbrella');
    expect(idsOf(await retrieve({ ...query, include_private: true }))).toContain('t:secret');
  });

  it('counts no private row among the candidates unless they are asked for', async () => {
    const count = async (include_private: boolean) =>
      (await retrieve({ query: 'periwinkle', include_private })).diagnostics.thought_candidates;
    expect((await count(true)) - (await count(false))).toBe(1);
  });

  it('returns only rows with one of include_tags, thoughts and graph alike', async () => {
    const output = await retrieve({ query: 'periwinkle', floor: 0.01, include_tags: ['summer', 'unused'] });
    expect(idsOf(output).sort()).toEqual(['e:open', 't:open']);
    expect(output.diagnostics).toMatchObject({ kg_candidates: 1, thought_candidates: 1 });
  });

  it('returns no row with any of exclude_tags, thoughts and graph alike', async () => {
    const output = await retrieve({ query: 'periwinkle', floor: 0.01, exclude_tags: ['draft', 'winter'] });
    expect(idsOf(output).filter((id) => !/lantern|other|page/.test(id))).toEqual(['e:open']);
  });

  it('returns the same content once, whichever table holds it', async () => {
    const output = await retrieve({ query: 'quokka smiles at strangers' });
    expect(idsOf(output).filter((id) => id.endsWith(':copy'))).toEqual(['e:copy']);
  });

  it('caps a long text at a sentence end and hashes the whole', async () => {
    const [snippet] = (await retrieve({ query: 'zeppelin', top_k: 1, mix: 0 })).snippets;
    expect(snippet).toMatchObject({
      id: 't:long',
      text: LONG_SENTENCE.trimEnd(),
      span_start: 0,
      span_end: LONG_SENTENCE.length - 1,
      content_hash: hashContent(LONG),
    });
  });

  it('trusts rows as far as their origin goes, and the graph always', async () => {
    const { snippets } = await retrieve({ query: 'marzipan', top_k: 50, floor: 0.01 });
    const told = snippets.filter(({ id }) => id.includes(':by-'));
    expect(
      Object.fromEntries(told.map(({ id, origin, trust_tier }) => [id, `${origin} ${trust_tier}`])),
    ).toEqual({
      't:by-human': 'human green',
      't:by-logged': 'human green',
      't:by-tool': 'tool amber',
      't:by-model': 'model red',
      't:by-inner_voice': 'model red',
      't:by-nobody': 'model red',
      'e:by-model': 'model green',
    });
  });

  it('compares no rows with vectors of another size, and counts them', async () => {
    const { snippets, diagnostics } = await retrieve({ query: 'xylograph on the wall', floor: 0, top_k: 50 });
    expect(snippets.map(({ id }) => id)).not.toContain('t:foreign');
    expect(diagnostics.incomparable).toBe(1);
  });

  it('says that the floor excluded all, which is no error', async () => {
    const result = await call({ query: 'sousaphone' });
    expect(result.isError).toBeUndefined();
    expect(outputOf(result)).toMatchObject({
      snippets: [],
      diagnostics: { k_ret: 0, floor_used: 0.08, no_results: true, reason: 'floor_excluded_all' },
    });
    expect(textOf(result)).toMatch(/floor/);
  });

  it('says that there were no candidates, which is no error', async () => {
    const result = await call({ query: 'lanternfish', include_tags: ['nobody has it'] });
    expect(result.isError).toBeUndefined();
    expect(outputOf(result)).toMatchObject({
      snippets: [],
      diagnostics: { kg_candidates: 0, thought_candidates: 0, no_results: true, reason: 'no_candidates' },
    });
  });

  it('looks within dates', async () => {
    const on = { query: 'gramophone', mix: 0, floor: 0.01 };
    expect(
      idsOf(await retrieve({ ...on, created_after: '2025-12-31', created_before: '2025-12-31' })),
    ).toEqual(['t:new']);
    expect(idsOf(await retrieve({ ...on, created_before: '2020-01-01' }))).toEqual(['t:old']);
    expect(idsOf(await retrieve({ ...on, created_before: '2020-01-01T00:00:00.123456789012Z' }))).toEqual([
      't:old',
    ]);
  });

  it('halves scores with age only when asked to', async () => {
    const score = async (args: object, id: string) =>
      (await retrieve({ query: 'gramophone', mix: 0, floor: 0, top_k: 50, ...args })).snippets.find(
        (snippet) => snippet.id === id,
      )?.score ?? 0;
    expect(await score({ recency_half_life_days: 30 }, 't:old')).toBeLessThan(0.001);
    expect(await score({}, 't:old')).toBeGreaterThan(0.3);
  });

  it.each<[Record<string, unknown>]>([
    [{}],
    [{ query: '   ' }],
    [{ query: 7 }],
    [{ query: 'x', top_k: 2.5 }],
    [{ query: 'x', top_k: 'ten' }],
    [{ query: 'x', mix: [] }],
    [{ query: 'x', floor: 'low' }],
    [{ query: 'x', include_tags: { a: 1 } }],
    [{ query: 'x', include_private: 1 }],
    [{ query: 'x', scope: { doc_tags: ['guide'] } }],
    [{ query: 'x', colour: 'red' }],
  ])('refuses %j as invalid_params', async (args) => {
    expect(failureOf(await call(args))).toEqual({ code: 'INVALID_ARGUMENT', reason: 'invalid_params' });
  });

  it('stays within its ceiling in bytes, and reports omitted items', async () => {
    const result = await call({ query: 'foliant', mix: 0, top_k: 50, floor: 0.01 });
    const { snippets, diagnostics, partial, limit_reason } = outputOf(result);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(49_152);
    expect(realTokens(JSON.stringify(result))).toBeLessThanOrEqual(20_000);
    expect({ partial, limit_reason }).toEqual({
      partial: true,
      limit_reason: expect.stringMatching(/_cap$/),
    });
    expect(diagnostics).toMatchObject({ k_req: 50, k_ret: snippets.length });
    expect(snippets.length).toBeGreaterThan(10);
  });

  it('gives the same for the same call', async () => {
    const args = { query: 'lanternfish periwinkle', floor: 0.01 };
    const withoutTime = ({ snippets, diagnostics }: MemoryOutput) => ({
      snippets,
      diagnostics: { ...diagnostics, latency_ms: 0 },
    });
    expect(withoutTime(await retrieve(args))).toEqual(withoutTime(await retrieve(args)));
  });
});

describe.each(ONE_OF_EACH)(
  'inner_voice.retrieve when something is down, for a %s client over %s',
  (era, transport) => {
    const args = { query: 'lanternfish' };

    it('fails with embedder_unavailable and asks no other embedder', async () => {
      const result = await sites.noEmbedder.client(era, transport).call(TOOL, args);
      expect(failureOf(result)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'embedder_unavailable' });
    });

    it('fails with db_error and reveals no internals', async () => {
      const result = await sites.broken.client(era, transport).call(TOOL, args);
      expect(failureOf(result)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'db_error' });
      expect(JSON.stringify(result)).not.toMatch(/SELECT|at .+:\d+:\d+/);
    });
  },
);

describe('memory without documents', () => {
  const alone = folder.file('alone.sqlite');
  const ask = async (file: string, env: Record<string, string> = {}) => {
    const pith = startStdio(file, { env: { ...ON, ...env } });
    await pith.initialize();
    const { result } = await pith.request('tools/call', {
      name: TOOL,
      arguments: { query: 'quokka smiles' },
    });
    await pith.stop();
    return result as unknown as CallResult;
  };

  beforeAll(() => importRows([fact('only', 'Quokka smiles')], folder.file('alone.jsonl'), alone));

  it('is answered from', async () => {
    expect(idsOf(outputOf(await ask(alone)))).toEqual(['e:only']);
  });

  it('is a db_error where there is no file at all, and says how to make one', async () => {
    const result = await ask(folder.file('nothing.sqlite'));
    expect(failureOf(result)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'db_error' });
    expect(textOf(result)).toContain('pith memory import');
  });

  it('is answered from while another version indexed the documents', async () => {
    const file = folder.file('aged.sqlite');
    await pithIndex(FIXTURE_CORPUS, file);
    await importRows([fact('only', 'Quokka smiles')], folder.file('aged.jsonl'), file);
    const database = openDatabase(file);
    database.exec(`UPDATE meta SET value = '{"schema":0}' WHERE key = 'identity'`);
    database.close();
    expect(idsOf(outputOf(await ask(file)))).toEqual(['e:only']);
  });

  it('is not answered from in an index of another project', async () => {
    const result = await ask(index, { PITH_PROJECT: 'another' });
    expect(failureOf(result)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' });
  });
});

describe('what inner_voice.retrieve leaves behind', () => {
  /** Makes calls that succeed, find nothing and fail, and gives what was written to stderr. */
  async function stderrWith(env: Record<string, string>, file = index): Promise<string> {
    const pith = startStdio(file, { env: { ...ON, PITH_LOG_LEVEL: 'debug', ...env } });
    await pith.initialize();
    for (const args of [
      { query: 'lanternfish kumquat' },
      { query: 'kumquat marmalade' },
      { query: 'periwinkle kumquat', include_private: true },
      { query: 'kumquat', top_k: 'kumquat' },
    ]) {
      await pith.request('tools/call', { name: TOOL, arguments: args });
    }
    return (await pith.stop()).stderr;
  }

  const CONTENT = /lanternfish word|kumquat|marmalade|umbrella|parasol|awning/i;

  it('is a line of figures for each call, and at debug the tables and ids, never text', async () => {
    const stderr = await stderrWith({});
    const figures = stderr.match(
      /provider=pith model=\S+ dim=\d+ k_req=10 floor=0.08 floor_used=\S+ kg_candidates=\d+ thought_candidates=\d+ k_ret=\d+ latency_ms=\d+$/gm,
    );
    expect(figures).toHaveLength(3);
    expect(stderr).toContain('thoughts/t:secret');
    expect(stderr).not.toMatch(CONTENT);
  });

  it('is no id and no figure at all with MCP_NO_LOG', async () => {
    const stderr = await stderrWith({ MCP_NO_LOG: '1' });
    expect(stderr).not.toMatch(/inner_voice|provider=|t:secret/);
    expect(stderr).not.toMatch(CONTENT);
  });

  it('is no text where memory fails either', async () => {
    const stderr = await stderrWith({}, broken);
    expect(stderr).toContain('BACKEND_UNAVAILABLE db_error');
    expect(stderr).not.toMatch(CONTENT);
    expect(await stderrWith({ MCP_NO_LOG: '1' }, broken)).toMatch(/failed: BACKEND_UNAVAILABLE db_error$/m);
  });

  it('is no query in any file, and text in none but the index', async () => {
    await stderrWith({});
    const files = readdirSync(folder.path).filter((name) => !name.endsWith('.jsonl'));
    const holding = (word: string) =>
      files.filter(
        (name) => readFileSync(folder.file(name)).includes(word) && !/^index\.sqlite(?:-wal)?$/.test(name),
      );
    expect(files).toContain('index.sqlite');
    expect(holding('umbrella')).toEqual([]);
    expect(files.filter((name) => readFileSync(folder.file(name)).includes('kumquat'))).toEqual([]);
  });
});

describe('the settings of inner_voice at the start', () => {
  it('are corrected with a warning on stderr, and stdout stays clean', async () => {
    const env = { ...ON, SURR_INNER_VOICE_MIX: '7', SURR_INNER_VOICE_MIN_FLOOR: '0' };
    const { code, stdout, stderr } = await runPith(['stdio', '--index', index], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/SURR_INNER_VOICE_MIX.*1\./);
    expect(stderr).toMatch(/SURR_INNER_VOICE_MIN_FLOOR.*0\.15/);
  });
});
