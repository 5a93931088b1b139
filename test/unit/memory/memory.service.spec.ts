import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { InnerVoiceConfig } from '../../../src/config/settings/inner-voice.config.js';
import { ServerConfig } from '../../../src/config/settings/server.config.js';
import { BackendUnavailableError, InvalidArgumentError } from '../../../src/core/errors.js';
import type { MemoryStore } from '../../../src/core/ports/memory-store.port.js';
import type { MemoryInput } from '../../../src/memory/memory.schemas.js';
import { MemoryService } from '../../../src/memory/memory.service.js';
import { hashContent } from '../../../src/memory/rows/normalise-content.js';
import { aCall, NOW } from '../../support/builders.js';
import { descending, FailingMemoryStore, FakeMemoryStore, scored } from '../../support/fake-memory-store.js';

const INPUT: MemoryInput = { query: 'free berths', include_private: false, exclude_tags: [] };

function serviceOn(
  store: MemoryStore,
  config: Partial<InnerVoiceConfig> = {},
  server: Partial<ServerConfig> = {},
) {
  return new MemoryService(
    store,
    Object.assign(new InnerVoiceConfig(), config),
    Object.assign(new ServerConfig(), server),
  );
}

const retrieve = async (store: MemoryStore, request: Partial<MemoryInput> = {}) =>
  (await serviceOn(store).retrieve(aCall(), { ...INPUT, ...request })).output;

const unavailable = (reason: string): BackendUnavailableError =>
  new BackendUnavailableError('It is down.', { reason, hint: 'Wait.', details: { kept: true } });

describe('MemoryService', () => {
  it('returns snippets, parameters and figures of the retrieval', async () => {
    const store = new FakeMemoryStore([scored('t:1', 0.71234, { text: 'Berth 4 is free.', origin: 'tool' })]);
    expect(await retrieve(store)).toEqual({
      snippets: [
        {
          id: 't:1',
          table: 'thoughts',
          source_type: 'thought',
          origin: 'tool',
          trust_tier: 'amber',
          created_at: '2025-09-02T21:11:00.000Z',
          text: 'Berth 4 is free.',
          score: 0.7123,
          content_hash: hashContent('Berth 4 is free.'),
          span_start: 0,
          span_end: 16,
        },
      ],
      diagnostics: {
        provider: 'fake',
        model: 'none',
        dim: 3,
        k_req: 10,
        k_ret: 1,
        kg_candidates: 0,
        thought_candidates: 1,
        floor_used: 0.08,
        latency_ms: 0,
      },
    });
  });

  it('returns the fields in the order of the contract', async () => {
    const { snippets, diagnostics } = await retrieve(new FakeMemoryStore([scored('t:1', 0.5)]));
    expect(Object.keys(snippets[0] ?? {}).join()).toBe(
      'id,table,source_type,origin,trust_tier,created_at,text,score,content_hash,span_start,span_end',
    );
    expect(Object.keys(diagnostics).join()).toBe(
      'provider,model,dim,k_req,k_ret,kg_candidates,thought_candidates,floor_used,latency_ms',
    );
  });

  it('takes top_k, floor and mix from the configuration if the call does not set them', async () => {
    const store = new FakeMemoryStore([...descending('e', 30), ...descending('t', 30)]);
    const service = serviceOn(store, { topK: 4, mix: 0.25, floor: 0.88 });
    const { output } = await service.retrieve(aCall(), INPUT);
    expect(output.snippets.map(({ id }) => id)).toEqual(['e:0', 't:0', 't:1', 't:2']);
    expect(output.diagnostics).toMatchObject({ k_req: 4, floor_used: 0.88 });
  });

  it('prefers the values of the call to the configuration, 0 included', async () => {
    const store = new FakeMemoryStore([scored('e:1', 0.9), scored('t:1', 0.01)]);
    const output = await retrieve(store, { top_k: 2, floor: 0, mix: 0 });
    expect(output.snippets.map(({ id }) => id)).toEqual(['t:1']);
    expect(output.diagnostics.floor_used).toBe(0);
  });

  it.each([
    [10, 30],
    [50, 150],
    [1, 3],
  ])('requests three candidates per table and slot, for %d slots', async (topK, perTable) => {
    const store = new FakeMemoryStore([]);
    await retrieve(store, { top_k: topK });
    expect(store.asked).toEqual([expect.objectContaining({ perTable })]);
  });

  it('requests at most the configured number of candidates', async () => {
    const store = new FakeMemoryStore([]);
    await serviceOn(store, { maxCandidates: 20 }).retrieve(aCall(), { ...INPUT, top_k: 50 });
    expect(store.asked).toEqual([expect.objectContaining({ perTable: 20 })]);
  });

  it('passes every filter to the store', async () => {
    const store = new FakeMemoryStore([]);
    await retrieve(store, {
      include_private: true,
      include_tags: ['a'],
      exclude_tags: ['b'],
      recency_half_life_days: 14,
      created_after: '2025-01-01',
      created_before: '2025-02-01',
    });
    expect(store.asked).toEqual([
      {
        includePrivate: true,
        includeTags: ['a'],
        ownTag: null,
        excludeTags: ['b'],
        text: 'free berths',
        perTable: 30,
        halfLifeDays: 14,
        createdFrom: '2025-01-01',
        createdTo: '2025-02-01',
        now: NOW,
      },
    ]);
  });

  it('counts candidates after the filters, before floor and cap', async () => {
    const matched = { thoughts: 95, kg_entities: 70, kg_observations: 50 };
    const store = new FakeMemoryStore([scored('t:1', 0.9), scored('t:2', 0.01)], { matched });
    const { diagnostics } = await retrieve(store);
    expect(diagnostics).toMatchObject({ kg_candidates: 120, thought_candidates: 95, k_ret: 1 });
  });

  it('counts rows that could not be compared', async () => {
    const { diagnostics } = await retrieve(new FakeMemoryStore([scored('t:1', 0.9)], { incomparable: 7 }));
    expect(diagnostics.incomparable).toBe(7);
  });

  it('reports that the floor excluded all rows', async () => {
    const { snippets, diagnostics } = await retrieve(
      new FakeMemoryStore([scored('t:1', 0.07), scored('e:1', 0.02)]),
    );
    expect(snippets).toEqual([]);
    expect(diagnostics).toMatchObject({
      k_ret: 0,
      floor_used: 0.08,
      no_results: true,
      reason: 'floor_excluded_all',
      thought_candidates: 1,
      kg_candidates: 1,
    });
  });

  it('reports that there were no candidates', async () => {
    const { snippets, diagnostics } = await retrieve(new FakeMemoryStore([]));
    expect(snippets).toEqual([]);
    expect(diagnostics).toMatchObject({ no_results: true, reason: 'no_candidates', floor_used: 0.08 });
  });

  it('truncates a long text and hashes all of it', async () => {
    const text = `${'a'.repeat(698)}. ${'b'.repeat(5_000)}`;
    const [snippet] = (await retrieve(new FakeMemoryStore([scored('t:1', 0.9, { text })]))).snippets;
    expect(snippet).toMatchObject({ text: text.slice(0, 699), span_start: 0, span_end: 699 });
    expect(snippet?.content_hash).toBe(hashContent(text));
  });

  it('reports the duration', async () => {
    let elapsed = 1_000;
    const call = { ...aCall(), elapsed: () => (elapsed += 36.6) };
    const { output } = await serviceOn(new FakeMemoryStore([])).retrieve(call, INPUT);
    expect(output.diagnostics.latency_ms).toBe(37);
  });

  it('drops the lowest-ranked snippets first if the response is too large, and reports the remaining ones', async () => {
    const store = new FakeMemoryStore(descending('t', 5));
    const reply = await serviceOn(store).retrieve(aCall(), INPUT);
    const { snippets, diagnostics, ...rest } = reply.build({ count: 2, maxChars: 800, reason: 'byte_cap' });
    expect(snippets.map(({ id }) => id)).toEqual(['t:0', 't:1']);
    expect(diagnostics.k_ret).toBe(2);
    expect(rest).toEqual({ partial: true, limit_reason: 'byte_cap' });
  });

  it('reports that it truncated the only snippet that fits', async () => {
    const reply = await serviceOn(
      new FakeMemoryStore([scored('t:1', 0.9, { text: 'x'.repeat(900) })]),
    ).retrieve(aCall(), INPUT);
    const [snippet] = reply.build({ count: 1, maxChars: 100, reason: 'byte_cap' }).snippets;
    expect(snippet).toMatchObject({ text: 'x'.repeat(100), span_end: 100 });
  });
});

describe('MemoryService, if a backend is unavailable', () => {
  it.each([
    ['embedder_unavailable', { reason: 'embedder_unavailable', details: { kept: true } }],
    ['db_error', { reason: 'db_error', details: { kept: true } }],
    ['sqlite', { reason: 'db_error', details: { kept: true, backend: 'sqlite' } }],
    ['index_busy', { reason: 'db_error', details: { kept: true, backend: 'index_busy' } }],
  ])('maps %s to a reason of its contract', async (reason, expected) => {
    const store = new FailingMemoryStore(unavailable(reason));
    await expect(retrieve(store)).rejects.toMatchObject({
      ...expected,
      code: 'BACKEND_UNAVAILABLE',
      hint: 'Wait.',
    });
  });

  it('calls the embedder once, without a fallback', async () => {
    const candidates = jest.fn(() => Promise.reject(unavailable('embedder_unavailable')));
    await expect(retrieve({ candidates, close: async () => undefined })).rejects.toThrow(
      BackendUnavailableError,
    );
    expect(candidates).toHaveBeenCalledTimes(1);
  });

  it('passes on unknown errors', async () => {
    const broken = new TypeError('broken');
    await expect(retrieve(new FailingMemoryStore(broken))).rejects.toBe(broken);
    const wrong = new InvalidArgumentError('Wrong.', { reason: 'invalid_params', hint: '' });
    await expect(retrieve(new FailingMemoryStore(wrong))).rejects.toBe(wrong);
  });
});

describe('MemoryService, for any answer of the store', () => {
  // `fc.double` gives mostly numbers near 0, which are below every floor.
  const hundredths = (min: number): fc.Arbitrary<number> => fc.integer({ min, max: 100 }).map((n) => n / 100);
  const tag = fc.constantFrom<string[]>('a', 'b', 'c');
  const row = fc.record({
    letter: fc.constantFrom('t', 'e', 'o'),
    n: fc.nat(40),
    score: hundredths(-100),
    isPrivate: fc.boolean(),
    tags: fc.uniqueArray(tag),
    text: fc.constantFrom('one', 'two', 'three', 'x'.repeat(2_000), 'y. '.repeat(400)),
    origin: fc.constantFrom('human', 'logged', 'tool', 'model', 'other', null),
  });
  const rows = fc
    .array(row, { minLength: 3, maxLength: 60 })
    .map((all) => all.map(({ letter, n, score, ...more }) => scored(`${letter}:${n}`, score, more)));
  const request = fc.record({
    top_k: fc.integer({ min: 1, max: 50 }),
    mix: fc.constantFrom(0, 0.2, 0.6, 1),
    floor: hundredths(0),
    include_tags: fc.option(fc.uniqueArray(tag), { freq: 1, nil: undefined }),
    exclude_tags: fc.uniqueArray(tag, { maxLength: 1 }),
  });

  it('returns no private row without the flag', async () => {
    await fc.assert(
      fc.asyncProperty(rows, request, async (all, given) => {
        const open = all.filter(({ row }) => !row.isPrivate).map(({ row }) => row);
        const { snippets } = await retrieve(new FakeMemoryStore(all), given);
        const isOpen = ({ id, text }: { id: string; text: string }): boolean =>
          open.some((row) => row.id === id && row.text.startsWith(text));
        expect(snippets.filter((snippet) => !isOpen(snippet))).toEqual([]);
      }),
    );
  });

  it('returns no row that its tags exclude or do not include', async () => {
    await fc.assert(
      fc.asyncProperty(rows, request, async (all, given) => {
        const { snippets } = await retrieve(new FakeMemoryStore(all), { ...given, include_private: true });
        const isIn = (tags: readonly string[]): boolean =>
          !tags.some((one) => given.exclude_tags.includes(one)) &&
          (!given.include_tags || tags.some((one) => given.include_tags?.includes(one)));
        const allowed = new Set(all.filter(({ row }) => isIn(row.tags)).map(({ row }) => row.id));
        expect(snippets.filter(({ id }) => !allowed.has(id))).toEqual([]);
      }),
    );
  });

  it('respects top_k, floor, order and snippet length, and returns no content twice', async () => {
    await fc.assert(
      fc.asyncProperty(rows, request, async (all, given) => {
        const { snippets, diagnostics } = await retrieve(new FakeMemoryStore(all), given);
        const scores = snippets.map(({ score }) => score);
        expect(snippets.length).toBeLessThanOrEqual(given.top_k);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(scores.filter((score) => score < diagnostics.floor_used)).toEqual([]);
        expect(diagnostics.floor_used).toBeLessThanOrEqual(given.floor);
        expect(diagnostics.floor_used).toBeGreaterThanOrEqual(Math.min(given.floor, 0.1));
        expect(snippets.filter(({ text }) => text.length > 800)).toEqual([]);
        expect(new Set(snippets.map(({ content_hash }) => content_hash)).size).toBe(snippets.length);
        expect(diagnostics.k_ret).toBe(snippets.length);
        expect(diagnostics.no_results === true).toBe(snippets.length === 0);
      }),
    );
  });

  it('returns the same result for the same input', async () => {
    await fc.assert(
      fc.asyncProperty(rows, request, async (all, given) => {
        const [once, again] = [
          await retrieve(new FakeMemoryStore(all), given),
          await retrieve(new FakeMemoryStore(all), given),
        ];
        expect(again).toEqual(once);
      }),
    );
  });
});

describe('the log of a call', () => {
  const lines: string[] = [];

  beforeEach(() => {
    lines.length = 0;
    const note = (level: string) => (message: unknown) => void lines.push(`${level} ${String(message)}`);
    Logger.overrideLogger({
      log: note('info'),
      debug: note('debug'),
      error: note('error'),
      warn: note('warn'),
    });
  });

  afterEach(() => Logger.overrideLogger(false));

  async function show(server: Partial<ServerConfig>): Promise<void> {
    const store = new FakeMemoryStore([scored('t:1', 0.5, { text: 'Heliotrope.' }), scored('e:2', 0.4)]);
    const reply = await serviceOn(store, {}, server).retrieve(aCall(), {
      ...INPUT,
      query: 'zeppelin',
      floor: 0.3,
    });
    reply.shown?.(reply.output);
  }

  it('is one line of figures, and at level debug the row ids', async () => {
    await show({});
    expect(lines).toEqual([
      'info provider=fake model=none dim=3 k_req=10 floor=0.3 floor_used=0.3 kg_candidates=1 thought_candidates=1 k_ret=2 latency_ms=0',
      'debug snippets: thoughts/t:1 kg_entities/e:2',
    ]);
  });

  it('is empty with MCP_NO_LOG', async () => {
    await show({ noLog: true });
    expect(lines).toEqual([]);
  });
});
