import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADMIN_TOKEN,
  type Beside,
  BOTH_TRANSPORTS,
  type DiagnosedServer,
  openDiagnosed,
  recordsIn,
  stopDiagnosed,
} from '../support/diagnosed-server.js';
import { at } from '../support/diagnostic-laws.js';
import { outcomeOf } from '../support/failures.js';
import { httpRequest } from '../support/http-request.js';
import { damagedCopy, holdIndex } from '../support/index-files.js';
import type { TransportName } from '../support/mcp-clients.js';
import { type OtlpCollector, startOtlpCollector } from '../support/otlp-collector.js';
import { pithIndex, poll } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

/** A unique word for each place, so that a leaked word shows its origin. */
const markerOf = (place: string): string =>
  `qzvx${[...place]
    .map((letter) => letter.toLowerCase())
    .filter((letter) => /[a-z]/.test(letter))
    .join('')}xvzq`;

type Ask = (server: DiagnosedServer, marker: string) => Promise<unknown>;

/** Makes a call and ignores the answer. */
async function ask(
  server: DiagnosedServer,
  method: string,
  params: object,
  headers: Beside['headers'] = {},
): Promise<unknown> {
  if (server.transport === 'stdio') return server.request(method, params);
  return server.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
}

const called =
  (name: string, args: (marker: string) => object, beside: (marker: string) => Beside = () => ({})): Ask =>
  (server, marker) => {
    const { meta = {}, headers } = beside(marker);
    return ask(server, 'tools/call', { name, arguments: args(marker), _meta: meta }, headers);
  };
const searched = (args: (marker: string) => object): Ask =>
  called('kb.search', (m) => ({ query: 'ship', ...args(m) }));
const asked = (args: (marker: string) => object): Ask =>
  called('kb.retrieve_evidence', (m) => ({ question: 'When does a ship leave?', ...args(m) }));
const sentBeside = (beside: (marker: string) => Beside): Ask =>
  called('kb.search', () => ({ query: 'ship' }), beside);
const requested =
  (method: string, params: (marker: string) => object): Ask =>
  (server, marker) =>
    ask(server, method, params(marker));

/** The places where a caller can put text, over both transports. */
const PLACES: Readonly<Record<string, Ask>> = {
  query: searched((m) => ({ query: `ship ${m}` })),
  'query that is quoted': searched((m) => ({ query: `"${m} ship" and 'the ${m}'` })),
  'query with rewritten words': searched((m) => ({ query: `${m} freighetr harbuor` })),
  'query of an operator who debugs': searched((m) => ({ query: `ship ${m}`, diagnostic_debug: true })),
  'query with include_debug': searched((m) => ({
    query: `ship ${m}`,
    options: { include_debug: true, include_scores: true },
  })),
  'query of a refused project': searched((m) => ({ query: m, scope: { project_id: 'another' } })),
  'query that is too long': searched((m) => ({ query: `${m} `.repeat(500) })),
  'query of another type': searched((m) => ({ query: { text: m } })),
  'keywords of a search': searched((m) => ({ keywords: [m, `${m} berth`] })),
  'keywords that are too many': searched((m) => ({ keywords: Array.from({ length: 9 }, () => m) })),
  'path prefix': searched((m) => ({ filters: { path_prefix: `guides/${m}` } })),
  'doc tag to filter by': searched((m) => ({ filters: { doc_tag: [m] } })),
  'date to filter by': searched((m) => ({ filters: { updated_after: m } })),
  'unknown filter': searched((m) => ({ filters: { [m]: 'x' } })),
  'project of the scope': searched((m) => ({ scope: { project_id: m } })),
  'environment of the scope': searched((m) => ({ scope: { environment: m } })),
  cursor: searched((m) => ({ cursor: m })),
  'name of an unknown argument': searched((m) => ({ [m]: 1 })),
  'value of an unknown argument': searched((m) => ({ colour: m })),
  'name of an unknown option': searched((m) => ({ options: { [m]: true } })),
  'value of a mode': searched((m) => ({ options: { mode: m } })),
  question: asked((m) => ({ question: `When does ${m} leave?` })),
  'question of rewritten words': asked((m) => ({ question: `When does ${m} serve a freighetr?` })),
  'keywords of a question': asked((m) => ({ keywords: [m] })),
  'parts of a question': asked((m) => ({ parts: [`Who is ${m}?`, 'What is a berth?'] })),
  'session of kb': asked((m) => ({ session_id: m })),
  'question about passages': called('kb.extract_evidence', (m) => ({ question: m, passage_ids: [m] })),
  passage: called('kb.read_excerpt', (m) => ({ passage_id: m })),
  'text of search docs': called('search_docs', (m) => ({ query: `ship ${m}` })),
  'taxonomy of search docs': called('search_docs', (m) => ({ query: 'ship', topic: m })),
  'list of taxonomy': called('search_docs', (m) => ({ query: 'ship', doc_tag: [m, 'guide'] })),
  'name of a taxonomy': called('search_docs', (m) => ({ query: 'ship', [m]: 'x' })),
  'page of search docs': called('search_docs', (m) => ({ query: 'ship', cursor: m })),
  'document to get': called('get_doc', (m) => ({ id: m })),
  'text of search sections': called('search_sections', (m) => ({ query: `ship ${m}` })),
  'session of search sections': called('search_sections', (m) => ({ query: 'ship', session_id: m })),
  'unknown name to search sections': called('search_sections', (m) => ({ query: 'ship', [m]: 1 })),
  'unknown value to search sections': called('search_sections', (m) => ({
    query: 'ship',
    colour: { deep: m },
  })),
  'filter of search sections': called('search_sections', (m) => ({ query: 'ship', filters: { [m]: m } })),
  'session of expand neighbors': called('expand_neighbors', (m) => ({ node_ids: [m], session_id: m })),
  'filters of search sections': called('search_sections', (m) => ({
    query: 'ship',
    filters: { doc_tag: m },
  })),
  'text of search documentation': called('search_documentation', (m) => ({ query: m })),
  'filter of search documentation': called('search_documentation', (m) => ({
    query: 'ship',
    filters: { [m]: m },
  })),
  'node of the graph': called('graph.describe', (m) => ({ node_ids: [m] })),
  'text to the inner voice': called('inner_voice.retrieve', (m) => ({ query: m })),
  'diagnostic to get': called('diagnostics.get', (m) => ({ diagnostic_id: m })),
  'tool that there is not': requested('tools/call', (m) => ({ name: m, arguments: { query: m } })),
  'tool of a room that there is not': requested('tools/call', (m) => ({ name: `kb.${m}`, arguments: {} })),
  'malformed arguments': requested('tools/call', (m) => ({ name: 'kb.search', arguments: m })),
  'resource of scratch': requested('resources/read', (m) => ({ uri: `wekadocs://scratch/${m}/${m}` })),
  'resource of a document': requested('resources/read', (m) => ({ uri: `docs:///${m}` })),
  'resource of diagnostics': requested('resources/read', (m) => ({
    uri: `wekadocs://diagnostics/2026-01-01/${m}`,
  })),
  'scheme of a resource': requested('resources/read', (m) => ({ uri: `${m}://a/b` })),
  'place in a list of resources': requested('resources/list', (m) => ({ cursor: m })),
  prompt: requested('prompts/get', (m) => ({ name: m, arguments: { text: m } })),
  method: requested('tools/list', (m) => ({ cursor: m })),
  'unknown method': (server, marker) => ask(server, marker, { text: marker }),
  'text that is no JSON': (server, marker) => server.send(`{"jsonrpc":"2.0","id":1,"method":"${marker}`),
  'JSON that is no message': (server, marker) => server.send(JSON.stringify({ text: marker })),
  'correlation id that looks like none': sentBeside((m) => ({ meta: { correlation_id: `${m} and more` } })),
  'correlation id of another type': sentBeside((m) => ({ meta: { correlation_id: { text: m } } })),
  'malformed traceparent': sentBeside((m) => ({ meta: { traceparent: `00-${m}-00-01` } })),
  'malformed tracestate': sentBeside((m) => ({
    meta: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: `${m} ${m}` },
  })),
  'further meta': sentBeside((m) => ({ meta: { [m]: m, baggage: `user=${m}` } })),
};

/** Places that only HTTP has. */
const HTTP_PLACES: Readonly<Record<string, Ask>> = {
  'header of a correlation id that looks like none': sentBeside((m) => ({
    headers: { 'x-correlation-id': `${m}; drop` },
  })),
  'header of a request id that is too long': sentBeside((m) => ({
    headers: { 'x-request-id': m.repeat(9) },
  })),
  'malformed traceparent header': sentBeside((m) => ({ headers: { traceparent: m } })),
  'header of any name': sentBeside((m) => ({ headers: { baggage: `user=${m}`, 'user-agent': m, [m]: m } })),
  'wrong bearer': sentBeside((m) => ({ headers: { authorization: `Bearer ${m}` } })),
  'query of an address': ({ url }, m) => httpRequest(`${url}?query=${m}`, { body: '{}' }),
  'address that there is not': ({ url }, m) => httpRequest(new URL(`/${m}`, url).href, { method: 'GET' }),
  'origin that is refused': sentBeside((m) => ({ headers: { origin: `http://${m}.example` } })),
};

/** All output of a server that others may read. */
interface Left {
  readonly [where: string]: string;
}

/** All files of a folder and their names, except the databases and the corpus. */
function filesIn(dir: string): string {
  if (!existsSync(dir)) return '';
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(dir, name)).isFile())
    .map((name) => `${name}\n${readFileSync(join(dir, name), 'latin1')}`)
    .join('\n');
}

const ADMIN_PAGES = [
  '',
  '/settings',
  '/corpus',
  '/diagnostics?limit=500',
  '/health',
  '/ready',
  '/config',
  '/index',
];

/** The answers of the admin console for every record. */
async function adminAnswers({ url }: DiagnosedServer, ids: readonly string[]): Promise<Left> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const pages = [
    ...ADMIN_PAGES,
    ...ids.flatMap((id) => [`/retrievals/${id}`, `/diagnostics/${id}`, `/diagnostics/${id}.md`]),
  ].map((page) => `/admin${page}`);
  const left: Record<string, string> = {};
  for (const page of [...pages, '/metrics']) {
    const { status, body } = await httpRequest(new URL(page, url).href, { method: 'GET', headers });
    if (status !== 200) throw new Error(`${page} answered ${status}: ${body.slice(0, 200)}`);
    left[page] = body;
  }
  return left;
}

const found = (left: Left, marker: string): string[] =>
  Object.entries(left)
    .filter(([, text]) => text.toLowerCase().includes(marker))
    .map(([where]) => where);

const artifactsOf = (name: string, transport: TransportName): string => folder.file(`${name} ${transport}`);

beforeAll(() => pithIndex(FIXTURE_CORPUS, index), 30_000);
afterAll(async () => {
  await stopDiagnosed();
  folder.remove();
});

describe.each(BOTH_TRANSPORTS)(
  'with every retrieval recorded and everything logged, over %s',
  (transport) => {
    const places = { ...PLACES, ...(transport === 'http' ? HTTP_PLACES : {}) };
    const answers: Record<string, string> = {};
    let collector: OtlpCollector;
    let left: Left = {};

    beforeAll(async () => {
      collector = await startOtlpCollector();
      const env = {
        ...collector.env,
        RETRIEVAL_DIAGNOSTICS_FORCE: '1',
        MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
        ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
        SURR_ENABLE_INNER_VOICE: '1',
        PITH_LOG_LEVEL: 'debug',
      };
      const artifacts = artifactsOf('forced', transport);
      const server = await openDiagnosed(transport, { index, folder: artifacts, env, isOperator: true });
      for (const [place, ask] of Object.entries(places)) {
        answers[place] = JSON.stringify(await ask(server, markerOf(place)));
      }
      await server.settled();
      const ids = recordsIn(artifacts).map((record) => record.diagnostic_id);
      const admin: Left = transport === 'http' ? await adminAnswers(server, ids) : {};
      const { stderr, stdout } = await server.stop();
      await poll('the last spans', () => (collector.spans().length >= ids.length ? true : undefined));
      const output: Left = transport === 'http' ? { stdout } : {};
      left = { artifacts: filesIn(artifacts), stderr, ...output, telemetry: collector.text(), ...admin };
    }, 60_000);
    afterAll(() => collector.close());

    it('there is output to search', () => {
      expect(left['artifacts']?.length).toBeGreaterThan(50_000);
      expect(left['stderr']).toContain('diagnostic_id=');
      expect(left['telemetry']).toContain('retrieval.diagnostic_id');
      expect(recordsIn(artifactsOf('forced', transport)).length).toBeGreaterThan(30);
    });

    it.each(Object.keys(places))('no output contains the %s', (place) => {
      expect(found(left, markerOf(place))).toEqual([]);
    });

    it.each(
      Object.keys(places).filter(
        (place) => !/name of|unknown|tool|resource|scheme|prompt|method|header|address/.test(place),
      ),
    )('no error repeats the %s', (place) => {
      const text = answers[place] ?? '';
      const errors = text.includes('"isError":true') || text.includes('"error":{') ? text : '';
      expect(errors.toLowerCase()).not.toContain(markerOf(place));
    });

    it('no output contains the words of a rewritten query', () => {
      expect(
        recordsIn(artifactsOf('forced', transport)).filter((record) => at(record, 'query.rewritten.applied')),
      ).not.toEqual([]);
      expect(found(left, 'freighetr')).toEqual([]);
      expect(found(left, 'harbuor')).toEqual([]);
      // The corrected word is in no id, heading, tag or name of the corpus.
      expect(found(left, 'freighter')).toEqual([]);
    });

    it('calls of memory write no record', () => {
      const tools = recordsIn(artifactsOf('forced', transport)).map((record) => record['tool']);
      expect(tools).toContain('search_documentation');
      expect(tools).not.toContain('inner_voice.retrieve');
    });

    it('no output contains a passage of the documents', () => {
      expect(found(left, 'sign of life')).toEqual([]);
      expect(found(left, 'java 21')).toEqual([]);
    });
  },
);

describe.each(BOTH_TRANSPORTS)('when calls fail internally, over %s', (transport) => {
  let left: Left = {};
  let outcomes: string[] = [];

  beforeAll(async () => {
    const collector = await startOtlpCollector();
    const file = folder.file(`held ${transport}.sqlite`);
    copyFileSync(index, file);
    const letGo = holdIndex(file);
    const env = {
      ...collector.env,
      // Half of the time that a reader waits for a locked index.
      PITH_CALL_TIMEOUT_MS: '100',
      PITH_RATE_PER_MINUTE: '4',
      PITH_LOG_LEVEL: 'debug',
    };
    const artifacts = artifactsOf('failing', transport);
    const server = await openDiagnosed(transport, { index: file, folder: artifacts, env, isOperator: true });
    const search = (place: string) =>
      server.call('kb.search', { query: markerOf(place), keywords: [markerOf(place)] });
    const late = await search('late');
    letGo();
    damagedCopy(index, file);
    const broken = await search('broken');
    copyFileSync(index, file);
    const refused = await poll('a refusal', async () => {
      const answer = await search('refused');
      return outcomeOf(answer) === 'BUDGET_EXCEEDED' ? answer : undefined;
    });
    await server.recordOf(refused);
    const { stderr } = await server.stop();
    const answers = JSON.stringify([late, broken, refused]);
    left = { artifacts: filesIn(artifacts), stderr, telemetry: collector.text(), answers };
    outcomes = [late, broken].map(outcomeOf);
    await collector.close();
  }, 30_000);

  it('they time out, or the index is damaged', () => {
    expect(outcomes).toEqual(['TIMEOUT', 'BACKEND_UNAVAILABLE']);
  });

  it.each(['late', 'refused', 'broken'])('no output contains a query that was %s', (place) => {
    expect(found(left, markerOf(place))).toEqual([]);
  });
});

describe.each(BOTH_TRANSPORTS)('when storing texts is on, over %s', (transport) => {
  const artifacts = artifactsOf('kept', transport);
  let collector: OtlpCollector;
  let server: DiagnosedServer;

  beforeAll(async () => {
    collector = await startOtlpCollector();
    const env = {
      ...collector.env,
      RETRIEVAL_DIAGNOSTICS_FORCE: '1',
      RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT: 'true',
      PITH_LOG_LEVEL: 'debug',
    };
    server = await openDiagnosed(transport, { index, folder: artifacts, env, isOperator: true });
  }, 30_000);
  afterAll(() => collector.close());

  it('the record contains the question as it was sent, and its keywords', async () => {
    const query = `ship ${markerOf('kept')}`;
    const record = await server.recordOf(await server.call('kb.search', { query, keywords: ['berth'] }));
    expect(record).toMatchObject({ query: { raw: query }, request: { query, keywords: ['berth'] } });
    expect(at(record, 'query.normalized')).toContain(markerOf('kept'));
  });

  it('the record contains rewritten words, the result and the reason', async () => {
    const record = await server.recordOf(await server.call('kb.search', { query: 'freighetr' }));
    expect(at(record, 'query.rewritten')).toEqual({
      applied: true,
      result: expect.stringMatching(/freighetr.*freight/),
      reason: expect.any(String),
    });
  });

  it('the record contains the message of an error', async () => {
    const record = await server.recordOf(
      await server.call('kb.search', { query: 'ship', colour: markerOf('error') }),
    );
    expect(at(record, 'error.message')).toMatch(/colour/);
  });

  it('logs and telemetry contain no texts', async () => {
    const result = await server.call('kb.search', { query: markerOf('span'), keywords: [markerOf('span')] });
    await server.recordOf(result);
    await poll('a span', () =>
      collector.text().includes(String(result.structuredContent?.['diagnostic_id'])) ? true : undefined,
    );
    expect(found({ stderr: server.stderr(), telemetry: collector.text() }, markerOf('span'))).toEqual([]);
  });

  it('this is announced at start', () => {
    expect(server.stderr()).toMatch(
      /^pith: RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT is on: .* stored in \/.*\.$/m,
    );
  });

  it('the listed settings show it', async () => {
    if (transport === 'stdio') return;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const { body } = await httpRequest(new URL('/admin/config', server.url).href, { method: 'GET', headers });
    expect(body).toMatch(/RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT"[^{}]*true/);
  });
});

describe.each(BOTH_TRANSPORTS)('with MCP_NO_LOG=1, over %s', (transport) => {
  it('nothing is written about calls, whatever else is set', async () => {
    const artifacts = artifactsOf('unlogged', transport);
    const env = { MCP_NO_LOG: '1', RETRIEVAL_DIAGNOSTICS_FORCE: '1', PITH_LOG_LEVEL: 'debug' };
    const server = await openDiagnosed(transport, { index, folder: artifacts, env, isOperator: true });
    const answered = await server.call('kb.search', { query: markerOf('unlogged'), diagnostic_debug: true });
    const failed = await server.call('kb.search', {
      query: markerOf('unlogged'),
      scope: { project_id: 'another' },
    });
    const { stderr } = await server.stop();
    const id = String(answered.structuredContent?.['diagnostic_id']);
    expect(answered.structuredContent).not.toHaveProperty('diagnostic_hint');
    expect(outcomeOf(failed)).toBe('SCOPE_VIOLATION');
    expect(filesIn(artifacts)).toBe('');
    expect(stderr).not.toContain(id);
    expect(stderr).not.toContain(markerOf('unlogged'));
  });
});
