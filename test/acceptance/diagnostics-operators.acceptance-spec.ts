import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aDiagnosticRecord } from '../support/a-diagnostic.js';
import {
  ADMIN_TOKEN,
  BOTH_TRANSPORTS,
  callIdOf,
  type DiagnosedServer,
  openDiagnosed,
  pagesIn,
  stopDiagnosed,
} from '../support/diagnosed-server.js';
import { at, brokenCounts, listAt } from '../support/diagnostic-laws.js';
import { failureOf, outcomeOf } from '../support/failures.js';
import { connectClient, type TransportName } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { comparable } from '../support/reply-laws.js';
import { TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SEARCH = { query: 'leave the waiting list' };
const NEVER = { RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0' };
const OFFERED = { MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true' };
const TEMPLATE = 'wekadocs://diagnostics/{date}/{diagnostic_id}';
const BEARER = { authorization: `Bearer ${ADMIN_TOKEN}` };

type Who = 'operator' | 'anybody';
type Name = `${Who} ${'offered' | 'closed'} ${TransportName}`;
const servers = new Map<string, DiagnosedServer>();

/** All servers of a transport write to one folder, so that each could read the records of the others. */
const artifactsOf = (transport: TransportName): string => folder.file(`artifacts ${transport}`);
const serverOf = (name: Name): DiagnosedServer => {
  const server = servers.get(name);
  if (!server) throw new Error(`there is no ${name}`);
  return server;
};

async function open(who: Who, how: 'offered' | 'closed', transport: TransportName): Promise<void> {
  const env = { ...NEVER, ...(how === 'offered' ? OFFERED : {}) };
  const isOperator = who === 'operator';
  servers.set(
    `${who} ${how} ${transport}`,
    await openDiagnosed(transport, { index, folder: artifactsOf(transport), env, isOperator }),
  );
}

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  await Promise.all([open('operator', 'offered', 'stdio'), open('operator', 'offered', 'http')]);
  await Promise.all([open('anybody', 'offered', 'stdio'), open('operator', 'closed', 'stdio')]);
  await Promise.all([open('anybody', 'offered', 'http'), open('operator', 'closed', 'http')]);
}, 60_000);

afterAll(async () => {
  await stopDiagnosed();
  folder.remove();
});

/** A record in the folder, as other processes write it. */
function put(
  transport: TransportName,
  parts: Parameters<typeof aDiagnosticRecord>[0] = {},
): { id: string; day: string } {
  const record = aDiagnosticRecord({ diagnostic_id: randomUUID(), ...parts });
  const day = record.timestamp.slice(0, 10);
  const dir = join(artifactsOf(transport), day);
  mkdirSync(dir, { recursive: true });
  appendFileSync(join(dir, 'retrieval_diagnostics.jsonl'), `${JSON.stringify(record)}\n`);
  writeFileSync(join(dir, `${record.diagnostic_id}.md`), '# Not made by this server\n');
  return { id: record.diagnostic_id, day };
}

/** A diagnostic that an operator has just requested. */
async function written(transport: TransportName): Promise<{ readonly id: string; readonly day: string }> {
  const server = serverOf(`operator offered ${transport}`);
  const result = await server.call('kb.search', { ...SEARCH, diagnostic_debug: true });
  const record = await server.recordOf(result);
  return { id: record.diagnostic_id, day: String(record['timestamp']).slice(0, 10) };
}

const uriOf = ({ id, day }: { id: string; day: string }): string => `wekadocs://diagnostics/${day}/${id}`;

async function errorOf(server: DiagnosedServer, uri: string): Promise<{ code: unknown; reason: unknown }> {
  const { error, result } = await server.request('resources/read', { uri });
  if (!error) throw new Error(`read: ${JSON.stringify(result)}`);
  return { code: at(error.data, 'code'), reason: at(error.data, 'details.reason') };
}

describe.each(BOTH_TRANSPORTS)('diagnostic_debug, over %s', (transport) => {
  it.each([
    ['kb.search', SEARCH],
    ['kb.retrieve_evidence', { question: SEARCH.query }],
  ])('of an operator makes %s write a record, with the rows before any were dropped', async (tool, args) => {
    const server = serverOf(`operator offered ${transport}`);
    const result = await server.call(tool, { ...args, diagnostic_debug: true });
    const record = await server.recordOf(result);
    const before = listAt(record, 'pre_dedupe');
    expect(result.structuredContent).toMatchObject({
      diagnostic_hint: `See retrieval diagnostics ${callIdOf(result)}`,
    });
    expect(before).toHaveLength(Number(at(record, 'counts.candidates_initial')));
    expect(before[0]).toMatchObject({ rank: 1, chunk_id: expect.any(String), fate: expect.any(String) });
    expect(brokenCounts(record)).toEqual([]);
  });

  it('has the fate of every row, and the section listed instead', async () => {
    const server = serverOf(`operator offered ${transport}`);
    const asked = { ...SEARCH, options: { max_per_doc: 1 }, diagnostic_debug: true };
    const record = await server.recordOf(await server.call('kb.search', asked));
    const rows = listAt(record, 'pre_dedupe');
    const dropped = rows.filter((row) => row['fate'] === 'same_document');
    const returned = listAt(record, 'results').map((row) => row['chunk_id']);
    expect(dropped).toHaveLength(Number(at(record, 'counts.dedupe.same_document')));
    expect(dropped.length).toBeGreaterThan(0);
    expect(returned).toEqual(expect.arrayContaining(dropped.map((row) => row['instead'])));
    expect(
      rows
        .filter((row) => row['fate'] === 'returned')
        .map((row) => row['chunk_id'])
        .sort(),
    ).toEqual([...returned].sort());
  });

  it('changes the result by the hint only', async () => {
    const server = serverOf(`operator offered ${transport}`);
    const [plain, debugged] = [
      await server.call('kb.search', SEARCH),
      await server.call('kb.search', { ...SEARCH, diagnostic_debug: true }),
    ];
    const fields = Object.entries(debugged.structuredContent ?? {});
    const rest = Object.fromEntries(fields.filter(([name]) => name !== 'diagnostic_hint'));
    expect(comparable({ ...debugged, structuredContent: rest })).toBe(comparable(plain));
  });

  it('of other callers is accepted and ignored', async () => {
    const server = serverOf(`anybody offered ${transport}`);
    const result = await server.call('kb.search', { ...SEARCH, diagnostic_debug: true });
    await server.settled();
    expect(outcomeOf(result)).toBe('ok');
    expect(result.structuredContent).not.toHaveProperty('diagnostic_hint');
    expect(server.records().map((record) => record.diagnostic_id)).not.toContain(callIdOf(result));
  });
});

it('over HTTP, callers with no or another admin token are not operators', async () => {
  const server = serverOf('operator offered http');
  const client = await connectClient({ era: 'v1', transport: 'http', index, url: server.url });
  const result = await client.call('kb.search', { ...SEARCH, diagnostic_debug: true });
  await client.close();
  expect(outcomeOf(result)).toBe('ok');
  expect(result.structuredContent).not.toHaveProperty('diagnostic_hint');
});

describe.each(TRANSPORTS)('the tools and resources of a %s client over %s', (era, transport) => {
  const connect = (who: Who, how: 'offered' | 'closed') => {
    const { url } = transport === 'http' ? serverOf(`${who} ${how} http` as Name) : { url: '' };
    const env = {
      RETRIEVAL_DIAGNOSTICS_DIR: artifactsOf(transport),
      ...(how === 'offered' ? OFFERED : {}),
      ...(who === 'operator' ? { PITH_OPERATOR: '1' } : {}),
    };
    const headers: Record<string, string> = who === 'operator' ? BEARER : {};
    return connectClient({ era, transport, index, url, env, headers });
  };

  it.each([
    ['operator', 'offered', true],
    ['anybody', 'offered', false],
    ['operator', 'closed', false],
  ] as const)('as %s, with diagnostics %s: %s', async (who, how, isShown) => {
    const client = await connect(who, how);
    const [tools, templates, resources] = [
      await client.listTools(),
      await client.listResourceTemplates(),
      await client.listResources(),
    ];
    await client.close();
    const names = tools.map(({ name }) => name).filter((name) => /^diagnostics[._]/.test(name));
    expect(names).toEqual(isShown ? ['diagnostics.get'] : []);
    expect(templates.map(({ uriTemplate }) => uriTemplate).includes(TEMPLATE)).toBe(isShown);
    expect(JSON.stringify(resources)).not.toContain('wekadocs://diagnostics');
  });

  it('reads a diagnostic as resource and by the tool, as the page of its file', async () => {
    const { id, day } = await written(transport);
    const client = await connect('operator', 'offered');
    const { contents } = await client.readResource(uriOf({ id, day }));
    const result = await client.call('diagnostics.get', { diagnostic_id: id, date: day });
    await client.close();
    const page = pagesIn(artifactsOf(transport)).get(id);
    expect(contents).toMatchObject([{ uri: uriOf({ id, day }), mimeType: 'text/markdown', text: page }]);
    expect(result.structuredContent).toMatchObject({
      diagnostic_id: id,
      date: day,
      markdown: page,
      partial: false,
    });
  });

  it('do not include the tool in instructions and descriptions for callers who may not use it', async () => {
    const client = await connect('anybody', 'offered');
    const said = JSON.stringify([client.instructions(), await client.listTools()]);
    await client.close();
    expect(said).not.toMatch(/diagnostics[._]get/);
  });
});

describe.each(BOTH_TRANSPORTS)('diagnostics.get, over %s', (transport) => {
  it('finds a diagnostic without a date', async () => {
    const { id } = await written(transport);
    const result = await serverOf(`operator offered ${transport}`).call('diagnostics.get', {
      diagnostic_id: id,
    });
    expect(result.structuredContent).toMatchObject({ diagnostic_id: id });
  });

  it.each(['diagnostics.get', 'diagnostics_get'])('answers to %s', async (name) => {
    const { id } = await written(transport);
    const result = await serverOf(`operator offered ${transport}`).call(name, { diagnostic_id: id });
    expect(outcomeOf(result)).toBe('ok');
  });

  it('returns the page, never the record', async () => {
    const { id } = await written(transport);
    const result = await serverOf(`operator offered ${transport}`).call('diagnostics.get', {
      diagnostic_id: id,
    });
    expect(Object.keys(result.structuredContent ?? {}).sort()).toEqual(
      ['date', 'diagnostic_id', 'limit_reason', 'markdown', 'partial'].sort(),
    );
    expect(JSON.stringify(result)).not.toMatch(/schema_version\\?":1,\\?"diagnostic_id/);
  });

  it('is refused to callers who are not operators', async () => {
    const { id } = await written(transport);
    const result = await serverOf(`anybody offered ${transport}`).call('diagnostics.get', {
      diagnostic_id: id,
    });
    expect(failureOf(result)).toEqual({ code: 'SCOPE_VIOLATION', reason: 'permission_denied' });
    expect(JSON.stringify(result)).not.toContain('# Retrieval Diagnostics');
  });

  it('is off if diagnostics are not offered', async () => {
    const { id } = await written(transport);
    const result = await serverOf(`operator closed ${transport}`).call('diagnostics.get', {
      diagnostic_id: id,
    });
    expect(failureOf(result)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'feature_disabled' });
  });

  it.each([
    [
      'an id that there is not',
      { diagnostic_id: '00000000-0000-4000-8000-000000000000' },
      'diagnostic_not_found',
    ],
    ['an invalid id', { diagnostic_id: '../../etc/passwd' }, 'invalid_input'],
    [
      'an invalid date',
      { diagnostic_id: '00000000-0000-4000-8000-000000000000', date: '../..' },
      'invalid_input',
    ],
    [
      'a further field',
      { diagnostic_id: '00000000-0000-4000-8000-000000000000', path: '/etc' },
      'unknown_field',
    ],
  ])('refuses %s', async (_, args, reason) => {
    const result = await serverOf(`operator offered ${transport}`).call('diagnostics.get', args);
    expect(failureOf(result)).toEqual({ code: 'INVALID_ARGUMENT', reason });
  });

  it('finds no diagnostic on another day', async () => {
    const { id } = await written(transport);
    const result = await serverOf(`operator offered ${transport}`).call('diagnostics.get', {
      diagnostic_id: id,
      date: '2026-01-01',
    });
    expect(failureOf(result)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'diagnostic_not_found' });
  });
});

describe.each(BOTH_TRANSPORTS)('the resource of a diagnostic, over %s', (transport) => {
  it('is refused to callers who are not operators', async () => {
    const server = serverOf(`anybody offered ${transport}`);
    const known = await errorOf(server, uriOf(await written(transport)));
    const unknown = await errorOf(
      server,
      uriOf({ id: '00000000-0000-4000-8000-000000000000', day: '2026-01-01' }),
    );
    expect(known.code).toMatch(/SCOPE_VIOLATION|INVALID_ARGUMENT/);
    // Other callers must not learn if a diagnostic exists.
    expect(unknown).toEqual(known);
  });

  it('does not exist if diagnostics are not offered', async () => {
    const server = serverOf(`operator closed ${transport}`);
    const { code } = await errorOf(server, uriOf(await written(transport)));
    expect(code).toBe('INVALID_ARGUMENT');
  });

  it.each([
    ['another scheme', 'other://diagnostics/DAY/ID'],
    ['a scheme of files', 'file:///diagnostics/DAY/ID'],
    ['another day', 'wekadocs://diagnostics/2026-01-01/ID'],
    ['a day that there is not', 'wekadocs://diagnostics/2026-02-31/ID'],
    ['an invalid date', 'wekadocs://diagnostics/today/ID'],
    ['a way up in place of the day', 'wekadocs://diagnostics/../ID'],
    ['an encoded way up', 'wekadocs://diagnostics/%2e%2e%2fDAY/ID'],
    ['a way up behind the day', 'wekadocs://diagnostics/DAY/../DAY/ID'],
    ['a way up behind the id', 'wekadocs://diagnostics/DAY/..%2fDAY%2fID'],
    ['the file of the page', 'wekadocs://diagnostics/DAY/ID.md'],
    ['the file of the lines', 'wekadocs://diagnostics/DAY/retrieval_diagnostics.jsonl'],
    ['a query behind', 'wekadocs://diagnostics/DAY/ID?x=1'],
    ['a zero byte', 'wekadocs://diagnostics/DAY/ID%00'],
    ['nothing', 'wekadocs://diagnostics/DAY/'],
    ['an invalid id', `wekadocs://diagnostics/DAY/${'-'.repeat(36)}`],
    ['a long id', `wekadocs://diagnostics/DAY/${'a'.repeat(3_000)}`],
  ])('can’t be read through %s', async (_, uri) => {
    const { id, day } = await written(transport);
    const asked = uri.replaceAll('DAY', day).replaceAll('ID', id);
    expect((await errorOf(serverOf(`operator offered ${transport}`), asked)).code).toBe('INVALID_ARGUMENT');
  });

  it.each([
    ['of another project', { scope: { project_id: 'another', environment: 'dev' } }],
    ['of another environment', { scope: { project_id: 'harbour', environment: 'prod' } }],
  ])('%s in the same folder is not found', async (_, parts) => {
    const server = serverOf(`operator offered ${transport}`);
    const theirs = put(transport, parts);
    const result = await server.call('diagnostics.get', { diagnostic_id: theirs.id });
    const notFound = { code: 'INVALID_ARGUMENT', reason: 'diagnostic_not_found' };
    expect(failureOf(result)).toEqual(notFound);
    expect(await errorOf(server, uriOf(theirs))).toEqual(notFound);
  });

  it('of the same project, written by another process, is found', async () => {
    const server = serverOf(`operator offered ${transport}`);
    const ours = put(transport, { scope: { project_id: 'harbour', environment: 'dev' } });
    const { result } = await server.request('resources/read', { uri: uriOf(ours) });
    expect(at(result, 'contents.0.text')).toContain(`# Retrieval Diagnostics — ${ours.id}`);
  });

  it('is not found by a server with a narrower scope', async () => {
    const { id } = await written(transport);
    const env = { ...OFFERED, PITH_DOC_TAGS: 'guide' };
    const narrow = await openDiagnosed(transport, {
      index,
      folder: artifactsOf(transport),
      env,
      isOperator: true,
    });
    const theirs = await narrow.call('diagnostics.get', { diagnostic_id: id });
    const own = await narrow.call('kb.search', { ...SEARCH, diagnostic_debug: true });
    await narrow.recordOf(own);
    const ours = await narrow.call('diagnostics.get', { diagnostic_id: callIdOf(own) });
    await narrow.stop();
    expect(failureOf(theirs).reason).toBe('diagnostic_not_found');
    expect(outcomeOf(ours)).toBe('ok');
  });
});

it('a URI with another scheme is read by that server only', async () => {
  const env = { ...OFFERED, PITH_URI_SCHEME: 'acme' };
  const server = await openDiagnosed('stdio', { index, folder: folder.file('acme'), env, isOperator: true });
  const record = await server.recordOf(await server.call('kb.search', { ...SEARCH, diagnostic_debug: true }));
  const rest = `://diagnostics/${String(record['timestamp']).slice(0, 10)}/${record.diagnostic_id}`;
  const { result } = await server.request('resources/read', { uri: `acme${rest}` });
  const refused = await errorOf(server, `wekadocs${rest}`);
  const templates = await server.request('resources/templates/list');
  await server.stop();
  expect(at(result, 'contents.0.text')).toContain(record.diagnostic_id);
  expect(refused.code).toBe('INVALID_ARGUMENT');
  expect(JSON.stringify(templates)).toContain('acme://diagnostics/{date}/{diagnostic_id}');
});
