import fc from 'fast-check';
import { testFolder } from '../support/build-index.js';
import { readWorld, type World } from '../support/docs-laws.js';
import { type HostileCall, hostileCall } from '../support/hostile-calls.js';
import { HOSTILE_TAGS, writeHostileCorpus } from '../support/hostile-documents.js';
import { hostileRows } from '../support/hostile-memory.js';
import { type CallResult, connectClient, type Era, type TestClient } from '../support/mcp-clients.js';
import { importRows } from '../support/memory-file.js';
import { cpuSecondsOf } from '../support/processes.js';
import { type Broken, brokenLaws, comparable, type Law, LAWS, outputOf } from '../support/reply-laws.js';
import { countsOf, runPith } from '../support/run-pith.js';

/** Fixed, so that failures can be repeated; FUZZ_SEED=… and FUZZ_RUNS=… try others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);
const RUNS_PER_SERVER = Number(process.env['FUZZ_RUNS'] ?? 1_000);
const DOCUMENTS = 240;
const ROWS = 600;
const ALWAYS_BROKEN = 3;

interface ServerKind {
  readonly name: string;
  readonly era: Era;
  readonly env: Record<string, string>;
}

const SERVERS: readonly ServerKind[] = [
  { name: 'plain', era: 'v1', env: {} },
  { name: '1 KB', era: 'v2', env: { MAX_RESPONSE_BYTES: '1024' } },
  { name: '3 KB', era: 'v1', env: { MAX_RESPONSE_BYTES: '3000', MAX_TEXT_BYTES_PER_CALL: '1000' } },
  { name: 'two tags', era: 'v2', env: { PITH_DOC_TAGS: 'alpha,beta' } },
  { name: 'text only', era: 'v1', env: { MCP_STRUCTURED_OUTPUT_ENABLED: 'false' } },
  { name: 'summary', era: 'v2', env: { MCP_RENDER: 'summary', PITH_REPOSITORIES: 'left' } },
  { name: 'plain again', era: 'v1', env: {} },
];

const folder = testFolder();
const index = folder.file('index.sqlite');
let world: World;

/** A server under test, with the handles that it has returned so far. */
class Target {
  readonly passages: { id: string; uri: string; tag: string }[] = [];
  readonly cursors: string[] = [];
  readonly chunks: string[] = [];
  /** Searches that continue another one. */
  readonly next: Record<string, unknown>[] = [];
  readonly broken = new Map<Law, string[]>();
  readonly outcomes: Record<string, number> = {};
  calls = 0;
  private readonly texts = new Map<string, string>();

  constructor(
    readonly kind: ServerKind,
    readonly client: TestClient,
  ) {}

  /** Replaces `@passage:…` and `@cursor:…` in a call with real handles. */
  fill(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.fill(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.fill(item)]));
    }
    const [, what, number] = /^@(passage|cursor|chunk):(\d+)$/.exec(String(value)) ?? [];
    if (what === 'passage') return this.passages[Number(number) % this.passages.length]?.id ?? 'none';
    if (what === 'cursor') return this.cursors[Number(number) % this.cursors.length] ?? 'none';
    if (what === 'chunk') return this.chunks[Number(number) % this.chunks.length] ?? 'none';
    return value;
  }

  private argsOf({ args }: HostileCall): Record<string, unknown> {
    const [, number] = /^@next:(\d+)$/.exec(String(args['query'])) ?? [];
    const next = number === undefined ? undefined : this.next[Number(number) % this.next.length];
    return next ?? (this.fill(args) as Record<string, unknown>);
  }

  async try(call: HostileCall): Promise<void> {
    const filled = { tool: call.tool, args: this.argsOf(call) };
    this.calls++;
    for (const [law, what] of await this.judge(filled)) {
      const known = this.broken.get(law) ?? [];
      this.broken.set(law, [
        ...known,
        `${this.kind.name}: ${what.slice(0, 400)} | ${call.tool} ${JSON.stringify(filled.args).slice(0, 400)}`,
      ]);
    }
  }

  private async judge(call: HostileCall): Promise<readonly Broken[]> {
    const pid = this.client.pid();
    const before = cpuSecondsOf(pid);
    const result = await this.client.call(call.tool, call.args).catch((error: unknown) => error);
    const took = cpuSecondsOf(pid) - before;
    if (result instanceof Error) return [['answered', result.message.slice(0, 300)]];
    const reply = result as CallResult;
    this.learn(call, reply);
    const { env } = this.kind;
    const broken = await brokenLaws({
      call,
      result: reply,
      maxResponseBytes: Number(env['MAX_RESPONSE_BYTES'] ?? 524_288),
      serverTags: env['PITH_DOC_TAGS']?.split(',') ?? null,
      serverRepositories: env['PITH_REPOSITORIES']?.split(',') ?? null,
      world,
      textOf: (uri) => this.textOf(uri),
    });
    const slow: Broken[] = took > 2 ? [['prompt', `${took} s`]] : [];
    return [...broken, ...slow, ...(await this.repeat(call, reply))];
  }

  /**
   * Repeats every third call. Not compared: expanded excerpts and lists of passages, which change with each call, and
   * results weighted by age, which change with time.
   */
  private async repeat(call: HostileCall, first: CallResult): Promise<readonly Broken[]> {
    const ages = 'recency_half_life_days' in call.args;
    const changes = call.tool === 'kb.expand_excerpt' || call.tool === 'scratch.list' || ages;
    if (this.calls % 3 !== 0 || changes) return [];
    const second = await this.client.call(call.tool, call.args);
    const [a, b] = [comparable(first), comparable(second)];
    return a === b ? [] : [['repeatable', `${a.slice(0, 300)} ≠ ${b.slice(0, 300)}`]];
  }

  private learn(call: HostileCall, reply: CallResult): void {
    const output = outputOf(reply) as ReturnType<typeof outputOf> & {
      next_cursor?: string | null;
      hits?: readonly { readonly chunk_id: string }[];
    };
    const outcome = `${call.tool} ${output.error?.code ?? 'ok'}`;
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    for (const { passage_id: id, scratch_uri: uri, doc_tag: tag } of output.results ?? []) {
      if (this.passages.length < 2_000) this.passages.push({ id, uri, tag });
    }
    for (const { chunk_id } of output.hits ?? []) if (this.chunks.length < 2_000) this.chunks.push(chunk_id);
    if (!output.next_cursor) return;
    this.cursors.push(output.next_cursor);
    if (call.tool === 'search_docs') this.next.push({ ...call.args, cursor: output.next_cursor });
  }

  private async textOf(uri: string): Promise<string> {
    const known = this.texts.get(uri) ?? (await this.client.readResource(uri)).contents[0]?.text ?? '';
    this.texts.set(uri, known);
    return known;
  }
}

const targets: Target[] = [];

/** Cases made by fast-check; every target gets its own. */
async function fuzz(target: Target, number: number): Promise<void> {
  const property = fc.asyncProperty(hostileCall, (call) => target.try(call));
  await fc.assert(property, { numRuns: RUNS_PER_SERVER, seed: SEED + number, endOnFailure: true });
}

/** Finds passages first, so that some can be read. */
async function warmUp(target: Target): Promise<void> {
  for (const query of [
    'kestrel valve',
    'RateLimitError',
    'harbour pressure',
    'Schlüssel',
    '設定',
    'constructor',
  ]) {
    for (const max_per_doc of [1, 5]) {
      await target.try({
        tool: 'kb.search',
        args: { query, top_k: 50, page_size: 4, options: { max_per_doc } },
      });
    }
    await target.try({ tool: 'search_docs', args: { query, limit: 20 } });
  }
}

beforeAll(async () => {
  writeHostileCorpus(folder.file('hostile'), DOCUMENTS, SEED);
  const run = await runPith(['index', folder.file('hostile'), '--index', index]);
  const rows = hostileRows(ROWS, SEED);
  await importRows(rows, folder.file('rows.jsonl'), index);
  world = readWorld(index, rows);
  for (const kind of SERVERS) {
    const env = { PITH_RATE_PER_MINUTE: '0', SURR_ENABLE_INNER_VOICE: '1', ...kind.env };
    targets.push(new Target(kind, await connectClient({ era: kind.era, transport: 'stdio', index, env })));
  }
  // Then the clients check every result against the tool's output schema.
  await Promise.all(targets.map(({ client }) => client.listTools()));
  await Promise.all(targets.map(warmUp));
  await Promise.all(targets.map(fuzz));
  const calls = targets.reduce((sum, target) => sum + target.calls, 0);
  console.log(
    `seed ${SEED}, ${calls} calls`,
    countsOf(run),
    targets.map(({ kind, outcomes }) => ({ [kind.name]: outcomes })),
  );
}, 600_000);

afterAll(async () => {
  await Promise.all(targets.map(({ client }) => client.close()));
  folder.remove();
});

describe('for any call and any documents, every reply', () => {
  const lawNames = Object.keys(LAWS) as Law[];

  it.each(lawNames.map((law) => [LAWS[law], law] as const))('%s', (_, law) => {
    const broken = targets.flatMap((target) => target.broken.get(law) ?? []);
    const shown =
      broken.length > ALWAYS_BROKEN
        ? [...broken.slice(0, ALWAYS_BROKEN), `… ${broken.length} in all`]
        : broken;
    expect(shown).toEqual([]);
  });
});

describe('resources/list', () => {
  it.each(SERVERS.map(({ name }) => name))(
    'lists each visible document of the server “%s” once, and nothing else',
    async (name) => {
      const target = targets.find(({ kind }) => kind.name === name);
      const env = target?.kind.env ?? {};
      const [tags, repositories] = [env['PITH_DOC_TAGS']?.split(','), env['PITH_REPOSITORIES']?.split(',')];
      const offered = [...world.documents].filter(
        ([, { docTag, repository, metadata }]) =>
          metadata['kind'] === 'guide' &&
          (tags?.includes(docTag) ?? true) &&
          (repositories?.includes(repository) ?? true),
      );
      const uris: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Awaited<ReturnType<TestClient['listResources']>> | undefined =
          await target?.client.listResources(cursor);
        uris.push(...(page?.resources ?? []).map((resource) => String(resource['name'])));
        cursor = page?.nextCursor;
      } while (cursor !== undefined);
      const documents = uris.filter((path) => world.documents.has(path));
      expect(documents.sort()).toEqual(offered.map(([path]) => path).sort());
    },
  );
});

interface Handle {
  readonly id: string;
  readonly uri: string;
  readonly tag: string;
}

describe('a passage', () => {
  const reasonOf = (result: CallResult): string => {
    const { error } = outputOf(result) as { error?: { code: string; details: { reason: string } } };
    return error ? `${error.code} ${error.details.reason}` : 'read';
  };
  const targetNamed = (name: string): Target => {
    const found = targets.find(({ kind }) => kind.name === name);
    if (!found) throw new Error(`no server named ${name}`);
    return found;
  };
  const handles = (): readonly Handle[] => targetNamed('plain').passages.slice(0, 200);

  it('cannot be read from another session, by any tool', async () => {
    const { client } = targetNamed('plain again');
    const reasons = new Set<string>();
    for (const { id } of handles()) {
      reasons.add(reasonOf(await client.call('kb.read_excerpt', { passage_id: id })));
      reasons.add(reasonOf(await client.call('kb.expand_excerpt', { passage_id: id })));
      reasons.add(
        reasonOf(await client.call('kb.extract_evidence', { passage_ids: [id], question: 'kestrel' })),
      );
    }
    expect(handles().length).toBeGreaterThan(50);
    expect([...reasons]).toEqual(['INVALID_ARGUMENT passage_not_found']);
  }, 30_000);

  it('cannot be read from another session as a resource, under either session’s name', async () => {
    const { client, passages } = targetNamed('plain again');
    const own = passages[0]?.uri.split('/')[3] ?? '';
    const read: string[] = [];
    for (const { id, uri } of handles()) {
      for (const tried of [uri, `wekadocs://scratch/${own}/${id}`]) {
        await client.readResource(tried).then(
          () => read.push(tried),
          () => undefined,
        );
      }
    }
    expect(own).not.toBe('');
    expect(read).toEqual([]);
  }, 30_000);

  it('cannot be read outside a narrowed scope', async () => {
    const { client } = targetNamed('plain');
    const reasons = new Set<string>();
    for (const { id, tag } of handles()) {
      const doc_tags = HOSTILE_TAGS.filter((name) => name !== tag);
      reasons.add(reasonOf(await client.call('kb.read_excerpt', { passage_id: id, scope: { doc_tags } })));
    }
    expect([...reasons]).toEqual(['INVALID_ARGUMENT passage_not_found']);
  }, 30_000);
});

describe('two servers on one index', () => {
  it.each(['kestrel valve', 'RateLimitError', '設定 الخادم', 'harbour pressure 4.4.5'])(
    'give the same answer to "%s"',
    async (question) => {
      const clients = ['plain', 'plain again'].map(
        (name) => targets.find(({ kind }) => kind.name === name)?.client,
      );
      const search = clients.map((client) => client?.call('kb.search', { query: question, top_k: 20 }));
      const evidence = clients.map((client) => client?.call('kb.retrieve_evidence', { question }));
      const [one, two] = (await Promise.all(search)).map((result) => result && comparable(result));
      const [three, four] = (await Promise.all(evidence)).map((result) => result && comparable(result));
      expect(one).toBe(two);
      expect(three).toBe(four);
    },
  );
});
