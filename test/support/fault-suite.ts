import { randomUUID } from 'node:crypto';
import { describeEngines, type EngineName } from './engine.js';
import {
  faultsOf,
  FaultTable,
  type Outcome,
  outcomeOf,
  type Probe,
  recovered,
  socketsOf,
  underFault,
} from './fault-matrix.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from './mcp-clients.js';
import { ownProject } from './own-project.js';
import { runPith } from './run-pith.js';
import { FIXTURE_CORPUS, testFolder } from './test-folder.js';

const CALL_TIMEOUT_MS = 4_000;
/** Limit for a call: its own deadline, for any number of backend requests, with a margin for a busy machine. */
const MAX_MS = CALL_TIMEOUT_MS + 500;
/** Connections that a client library may keep open. */
const SPARE_SOCKETS = 2;
/** Timeout for filling engines that have just started. */
const INDEX_MS = 180_000;

/** Timeout for the first calls, without faults. */
const PATIENT = { PITH_BACKEND_TIMEOUT_MS: '20000', PITH_CALL_TIMEOUT_MS: '60000' };

/** A unique project, since the engines also contain projects of other tests. */
const PROJECT = ownProject(`faults-${randomUUID()}`);
const OWNER = ['--project', PROJECT, '--environment', 'tests'];

const DOCUMENT = 'reference/api.md';
const QUESTION = 'What is a berth in the harbour?';

/** Expected outcomes by tool family while a backend fails: patterns of `Outcome.text`. */
export interface Expectations {
  /** kb.search, kb.retrieve_evidence. */
  readonly kb: RegExp;
  /** Tools that read stored passages. */
  readonly passages: RegExp;
  readonly graph: RegExp;
  readonly docs: RegExp;
  readonly legacy: RegExp;
  readonly resources: RegExp;
}

export type Family = keyof Expectations;

/** A backend, with its faults. */
export interface FaultSubject {
  readonly engine: EngineName;
  readonly title: string;
  /** URL of the real backend. */
  readonly url: string;
  readonly defaultPort: number;
  /** Settings of a server and of `pith index`, with this backend at a URL. */
  readonly env: (url: string) => Record<string, string>;
  /** Its response to an unknown user. */
  readonly refusal: (sent: Buffer) => Buffer | string;
  readonly expected: Expectations;
  /** PITH_BACKEND_TIMEOUT_MS: long enough for a request without faults. */
  readonly timeoutMs: number;
  /** Allowed open connections without faults. */
  readonly mostConnections: number;
}

interface Hit {
  readonly passage_id: string;
  readonly scratch_uri: string;
}
const SEARCH = { query: 'harbour berth' };
const call =
  (name: string, args: Record<string, unknown>): Probe =>
  (client) =>
    client.call(name, args);

/** Stores one passage before the faults. */
async function someHit(client: TestClient): Promise<Hit> {
  const result: CallResult = await client.call('kb.search', SEARCH);
  const { results = [] } = result.structuredContent as { results?: readonly Hit[] };
  const [hit] = results;
  if (!hit) throw new Error(`nothing was found, though all is well: ${JSON.stringify(result.content)}`);
  return hit;
}

function familiesFor({ passage_id, scratch_uri }: Hit): Record<Family, Record<string, Probe>> {
  return {
    kb: {
      'kb.search': call('kb.search', SEARCH),
      'kb.search, `hybrid_local`': call('kb.search', { ...SEARCH, options: { mode: 'hybrid_local' } }),
      'kb.retrieve_evidence': call('kb.retrieve_evidence', { question: QUESTION }),
    },
    passages: {
      'kb.read_excerpt': call('kb.read_excerpt', { passage_id }),
      'kb.expand_excerpt': call('kb.expand_excerpt', { passage_id }),
      'kb.extract_evidence': call('kb.extract_evidence', { question: QUESTION, passage_ids: [passage_id] }),
      'scratch.list': call('scratch.list', {}),
      'resources/read of a passage': (client) => client.readResource(scratch_uri),
    },
    graph: {
      'graph.describe': call('graph.describe', { node_ids: [DOCUMENT] }),
      'graph.expand': call('graph.expand', { node_ids: [DOCUMENT] }),
      'graph.children': call('graph.children', { parent_id: DOCUMENT }),
    },
    docs: {
      search_docs: call('search_docs', SEARCH),
      get_doc: call('get_doc', { chunk_id: DOCUMENT }),
    },
    legacy: {
      search_sections: call('search_sections', SEARCH),
      describe_nodes: call('describe_nodes', { node_ids: [DOCUMENT] }),
    },
    resources: { 'resources/list': (client) => client.listResources() },
  };
}

/** Tests every tool family with every fault of one backend; writes the outcomes to reports/faults. */
export function faultSuite(subject: FaultSubject): void {
  const { engine, title, expected } = subject;
  const faults = faultsOf(subject.refusal);
  const table = new FaultTable(title);
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  const settings = {
    PITH_SECRET: 'a secret for tests of more than 32 characters',
    PITH_BACKEND_TIMEOUT_MS: String(subject.timeoutMs),
    PITH_CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
    PITH_PROJECT: PROJECT,
    PITH_ENVIRONMENT: 'tests',
  };
  let proxy: FaultProxy;
  let server: HttpProcess;
  let client: TestClient;
  let families: ReturnType<typeof familiesFor>;
  let atRest = 0;

  const all = (): Record<string, Probe> =>
    Object.assign({}, ...Object.values(families)) as Record<string, Probe>;
  const open = async (env: Record<string, string> = {}): Promise<void> => {
    const url = new URL(subject.url);
    url.host = `${proxy.host}:${proxy.port}`;
    server = await startHttpProcess(index, { ...settings, ...subject.env(url.href), ...env });
    client = await connectClient({ era: 'v2', transport: 'http', index, url: server.url });
  };
  const close = async (): Promise<void> => {
    await client?.close();
    await server?.stop();
  };
  const expectRight = (seen: Record<string, readonly Outcome[]>): void => {
    for (const [family, probes] of Object.entries(families)) {
      const texts = Object.keys(probes).flatMap(
        (name) => seen[name]?.map(({ text }) => `${name}: ${text}`) ?? [],
      );
      const pattern = expected[family as Family];
      expect(texts.filter((text) => !pattern.test(text.slice(text.indexOf(': ') + 2)))).toEqual([]);
    }
    const slow = Object.entries(seen).filter(([, some]) => some.some(({ ms }) => ms > MAX_MS));
    expect(slow).toEqual([]);
  };

  describeEngines([engine], `a server whose ${title} fails`, () => {
    beforeAll(async () => {
      const { hostname, port } = new URL(subject.url);
      const env = { ...settings, ...subject.env(subject.url), ...PATIENT };
      const { code, stderr } = await runPith(['index', FIXTURE_CORPUS, '--index', index, ...OWNER], { env });
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      proxy = await startFaultProxy({ host: hostname, port: Number(port || subject.defaultPort) });
      // Engines plan a query on its first use, and discard the plan if the timeout passes before it is complete.
      await open(PATIENT);
      families = familiesFor(await someHit(client));
      await recovered(client, all());
      await close();
    }, INDEX_MS);

    afterAll(async () => {
      await close();
      await proxy.stop();
      table.write();
      folder.remove();
    });

    it('starts while the backend is down, and gives complete answers once it is up', async () => {
      await proxy.set({ mode: 'down' });
      await open();
      const seen = await underFault({ client, proxy }, all(), { mode: 'down' });
      table.note('down at start', seen);
      expectRight(seen);
      await proxy.set({ mode: 'pass' });
      table.noteRecovery('down at start', await recovered(client, all()));
      atRest = socketsOf(server);
    });

    it.each(Object.keys(faults))(
      '%s: the right error code or a labelled answer in time, and complete answers afterwards',
      async (name) => {
        const seen = await underFault({ client, proxy }, all(), faults[name] ?? { mode: 'pass' });
        table.note(name, seen);
        expectRight(seen);
        await proxy.set({ mode: 'pass' });
        table.noteRecovery(name, await recovered(client, all()));
        expect(proxy.connections()).toBeLessThanOrEqual(subject.mostConnections);
        expect(socketsOf(server)).toBeLessThanOrEqual(
          atRest + Math.max(SPARE_SOCKETS, subject.mostConnections),
        );
      },
    );

    it('answers many concurrent callers within the deadline while the backend does not respond', async () => {
      await proxy.set({ mode: 'half-open' });
      const probes = Object.entries(all());
      const seen: Record<string, Outcome[]> = {};
      await Promise.all(
        Array.from({ length: 4 * probes.length }, async (_, i) => {
          const [name, probe] = probes[i % probes.length] ?? ['', call('', {})];
          const outcome = await outcomeOf(probe, client);
          (seen[name] ??= []).push(outcome);
        }),
      );
      expectRight(seen);
      await proxy.set({ mode: 'pass' });
      await recovered(client, all());
    });
  });
}
