import { readFileSync } from 'node:fs';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { failureOf } from '../support/failures.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import {
  type CallResult,
  type Era,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { startPith } from '../support/processes.js';
import { suiteClients } from '../support/suite-clients.js';
import { BOTH_TEAMS, ONLY_PILOTS } from '../support/two-teams.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const BOTH = folder.file('both.sqlite');
const PILOTS = folder.file('pilots.sqlite');
const KEYS = keysOf('pilot', 'office', 'reports', 'ada', 'eve', 'grace', 'stray', 'old', 'new');
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

const PILOT = { keys: [KEYS.pilot], scope: { doc_tags: ['pilots'] } };
const PRINCIPALS = {
  pilot: PILOT,
  office: { keys: [KEYS.office], scope: { doc_tags: ['salaries'], project_id: 'harbour' } },
  reports: { keys: [KEYS.reports], agent: 'support' },
  reader: { keys: [KEYS.old, KEYS.new], tools: ['kb.*', 'get_doc'] },
  ada: { keys: [KEYS.ada], permissions: ['read' as const, 'operator' as const] },
  eve: {
    keys: [KEYS.eve],
    permissions: ['read' as const, 'operator' as const],
    scope: { doc_tags: ['salaries'] },
  },
  grace: { keys: [KEYS.grace], permissions: ['approve' as const] },
  stray: { keys: [KEYS.stray], scope: { project_id: 'another' } },
};
/** Another principal may see something else; the pilot is the same. */
const OTHER_PRINCIPALS = { pilot: PILOT, office: { keys: [KEYS.office] } };

const GOVERNANCE = `
version: 1
capabilities: { answer: [kb.retrieve_evidence] }
agents: { support: { capabilities: [answer] } }
policy: { rules: [{ name: office-hours, principals: [office], tools: [graph.*], effect: deny }] }
`;

const ENV = {
  MCP_TOOL_NAMES: 'dotted',
  MCP_LEGACY_TOOLS: 'listed',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
};

let server: HttpProcess;
let other: HttpProcess;
let apart: HttpProcess;
let stderr = '';
const open = suiteClients(() => ({ index: '' }));
const connect = (to: HttpProcess, key: string, era: Era = 'v2'): Promise<TestClient> =>
  open(era, 'http', { url: to.url, headers: key === '' ? {} : { authorization: `Bearer ${key}` } });

beforeAll(async () => {
  writeFiles(folder.path, {
    'governance.yaml': GOVERNANCE,
    'access.yaml': accessText(PRINCIPALS),
    'other.yaml': accessText(OTHER_PRINCIPALS),
  });
  writeFiles(folder.file('both'), BOTH_TEAMS);
  writeFiles(folder.file('pilots'), ONLY_PILOTS);
  await buildIndex(folder.file('both'), BOTH);
  await buildIndex(folder.file('pilots'), PILOTS);
  [server, other, apart] = await Promise.all([
    startHttpProcess(BOTH, { ...ENV, PITH_ACCESS_FILE: folder.file('access.yaml') }),
    startHttpProcess(BOTH, { ...ENV, PITH_ACCESS_FILE: folder.file('other.yaml') }),
    startHttpProcess(PILOTS, { ...ENV, PITH_DOC_TAGS: 'pilots' }),
  ]);
  server.child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
}, 60_000);

afterAll(async () => {
  await Promise.all([server, other, apart].map((each) => each?.stop()));
  folder.remove();
});

/** The section of each team that a search finds first. */
const IDS = {
  pilots: ['pilots/boarding.md', 'pilots/boarding.md#ladder', 'pilots/berths.md'],
  salaries: ['salaries/bands.md', 'salaries/bands.md#ladder', 'salaries/bonus.md'],
};

/** Calls of every kind, about things that both teams have and things that only one has. */
const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['scope.describe', {}],
  ['scope.describe', { documents: 50 }],
  ...['pilot ladder', 'zinnwald', 'boarding a vessel', 'draught', 'bonus', 'zinwald'].flatMap(
    (query) =>
      [
        ['kb.search', { query, top_k: 50 }],
        ['search_docs', { query, limit: 20 }],
        ['search_documentation', { query }],
        ['kb.retrieve_evidence', { question: `What about ${query}?` }],
      ] as const,
  ),
  ['search_docs', { query: 'pilot', kind: 'guide' }],
  ['search_docs', { query: 'pilot', kind: 'payroll' }],
  ['search_docs', { query: 'pilot', kind: 'nothing' }],
  ['kb.search', { query: 'pilot', scope: { doc_tags: ['salaries'] } }],
  ['kb.search', { query: 'pilot', filters: { doc_tag: ['salaries'] } }],
  ['kb.search', { query: 'pilot', filters: { path_prefix: 'salaries/' } }],
  ...[...IDS.pilots, ...IDS.salaries, 'pilots/none.md'].flatMap(
    (id) =>
      [
        ['get_doc', { chunk_id: id, context: 5 }],
        ['get_section_text', { section_ids: [id] }],
        ['graph.describe', { node_ids: [id] }],
        ['graph.expand', { node_ids: [id] }],
        ['graph.children', { parent_id: id }],
        ['graph.parents', { section_ids: [id] }],
        ['graph.entities_for_sections', { section_ids: [id] }],
        ['compute_context_bundle', { seeds: [id] }],
      ] as const,
  ),
  ['graph.paths', { a_ids: ['pilots/boarding.md'], b_ids: ['salaries/bands.md'] }],
  ['graph.paths', { a_ids: ['pilots/boarding.md'], b_ids: ['pilots/weather.md'] }],
  ['graph.sections_for_entities', { entity_ids: ['PILOT_LADDER', 'readDraught', 'Ladder', 'Zinnwald'] }],
  ['graph.describe', { node_ids: ['PILOT_LADDER', 'Boarding a vessel', 'Salary bands in Zinnwald'] }],
  ['scratch.list', {}],
];

/** Fields whose values depend on the time, the secret, or the word statistics of the whole index. */
const VOLATILE = new Set([
  ...['indexed_at', 'index_bytes', 'generation', 'updated_at', 'created_at', 'expires_at', 'lastModified'],
  ...[
    'passage_id',
    'session_id',
    'cursor',
    'next_cursor',
    'scratch_uri',
    'source_uri',
    'diagnostic_id',
    'search_ms',
    'expires_in_s',
  ],
]);
const SCORES = new Set([
  'score',
  'confidence',
  'answerable',
  'verdict',
  'relevance',
  'rank',
  'share',
  'weight',
]);

function without(value: unknown, fields: ReadonlySet<string>): unknown {
  if (typeof value === 'string')
    return value.replace(/(?<=:\/\/scratch\/)\S+/, '…').replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
  if (Array.isArray(value)) return value.map((each) => without(each, fields));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !fields.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, without(each, fields)]));
}

/** The answer or error of a request. */
async function answerOf(asking: Promise<unknown>): Promise<unknown> {
  try {
    return await asking;
  } catch (error) {
    return { message: Object(error).message, data: Object(error).data };
  }
}

/** All that a caller can find out: lists, and the answers to all calls. */
async function allThatIsSeenBy(client: TestClient): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {
    instructions: client.instructions(),
    tools: await client.listTools(),
    resources: await client.listResources(),
    templates: await client.listResourceTemplates(),
    prompts: await client.listPrompts(),
    prompt: await answerOf(client.getPrompt('pay')),
  };
  for (const path of ['pilots/boarding.md', 'pilots/weather.md', 'salaries/bands.md', 'none.md'])
    seen[`docs:///${path}`] = await answerOf(client.readResource(`docs:///${path}`));
  for (const [tool, args] of CALLS)
    seen[`${tool} ${JSON.stringify(args)}`] = await answerOf(client.call(tool, args));
  return seen;
}

/** Answers that contain measured times. */
const TIMED = /^(?:search_documentation|scratch\.list) /;

/** Answers without ids of calls and times. */
function bytesOf(seen: Record<string, unknown>): string {
  const timeless = Object.entries(seen).filter(([request]) => !TIMED.test(request));
  return JSON.stringify(without(timeless, new Set(['pith/tool_call_id', 'diagnostic_id'])), null, 1);
}

/** The structured part of an answer, in an order that does not depend on scores. */
function comparable(answer: unknown): unknown {
  const { structuredContent = answer } = Object(answer) as Partial<CallResult>;
  return sorted(without(structuredContent, new Set([...VOLATILE, ...SCORES])));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sorted(each)]));
}

describe.each<Era>(['v1', 'v2'])('a principal that may see some documents, as a %s client', (era) => {
  let here: Record<string, unknown>;
  beforeAll(async () => {
    // The others fill every cache of the server first.
    for (const [to, key] of [
      [server, KEYS.office],
      [server, KEYS.ada],
      [other, KEYS.office],
    ] as const)
      await allThatIsSeenBy(await connect(to, key, era));
    here = await allThatIsSeenBy(await connect(server, KEYS.pilot, era));
  }, 60_000);

  it('returns the same bytes, regardless of documents that only others may see', async () => {
    const there = await allThatIsSeenBy(await connect(other, KEYS.pilot, era));
    // The port of the server, in addresses of the reader, counts as tokens.
    const plain = (seen: typeof here): string => bytesOf(seen).replaceAll(/"tokens": \d+/g, 'TOKENS');
    expect(plain(here)).toBe(plain(there));
  });

  it('returns the same as a server that has only these documents, except scores', async () => {
    const alone = await allThatIsSeenBy(await connect(apart, '', era));
    for (const [request, answer] of Object.entries(alone))
      expect({ [request]: comparable(here[request]) }).toEqual({ [request]: comparable(answer) });
  });

  it('sends only arguments that every tool accepts', () => {
    const refused = Object.entries(here).filter(([, answer]) =>
      /invalid_input|unknown_field/.test(JSON.stringify(answer)),
    );
    expect(refused.map(([request]) => request)).toEqual([]);
  });

  it('never returns a word from documents of others', () => {
    const words = /zinnwald|salar|bonus|band seven|payroll/i;
    // A caller may have the words of its own question back, and links in its own documents.
    const unasked = Object.entries(here).filter(([request]) => !/zin|salar|bonus|payroll/i.test(request));
    const texts = unasked.map(([, answer]) => JSON.stringify(answer).replaceAll('../salaries/bands.md', ''));
    expect(unasked.length).toBeGreaterThan(30);
    expect(texts.filter((text) => words.test(text))).toEqual([]);
  });
});

/** The status of a request with this key. */
async function statusWith(key: string | null, to = server): Promise<number | undefined> {
  const headers = { ...MCP_HEADERS, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  return (await httpRequest(to.url, { headers, body: PING })).status;
}

const namesOf = async (client: TestClient): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name);

describe('a server with an access file', () => {
  it('refuses requests without a valid key, also on loopback', async () => {
    const keys = [null, '', 'wrong', `${KEYS.pilot}x`, KEYS.pilot.slice(0, -1), KEYS.pilot];
    expect(await Promise.all(keys.map((key) => statusWith(key)))).toEqual([401, 401, 401, 401, 401, 200]);
  });

  it('accepts both keys of a principal during a rotation', async () => {
    expect([await statusWith(KEYS.old), await statusWith(KEYS.new)]).toEqual([200, 200]);
  });

  it('lets a principal act as its agent', async () => {
    expect(await namesOf(await connect(server, KEYS.reports))).toEqual(['kb.retrieve_evidence']);
  });

  it('offers only the tools that a principal may use, and refuses the others', async () => {
    const client = await connect(server, KEYS.old);
    expect((await namesOf(client)).every((name) => name.startsWith('kb.') || name === 'get_doc')).toBe(true);
    const refused = client.call('graph.describe', { node_ids: ['pilots/boarding.md'] });
    await expect(refused).rejects.toThrow('Unknown tool: graph.describe.');
    expect((await client.call('kb.search', { query: 'ladder' })).isError).toBeUndefined();
  });

  it('gives a principal without the permission to read no tools and no documents', async () => {
    const client = await connect(server, KEYS.grace);
    expect(await namesOf(client)).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource('docs:///pilots/boarding.md')).rejects.toThrow('Resource not found.');
    await expect(client.call('kb.search', { query: 'ladder' })).rejects.toThrow('Unknown tool: kb.search.');
  });

  it('shows diagnostics to principals with the permission', async () => {
    expect(await namesOf(await connect(server, KEYS.ada))).toContain('diagnostics.get');
    expect(await namesOf(await connect(server, KEYS.pilot))).not.toContain('diagnostics.get');
  });

  it('matches policy rules by the name of the principal', async () => {
    expect(await namesOf(await connect(server, KEYS.office))).not.toContain('graph.describe');
    expect(await namesOf(await connect(server, KEYS.pilot))).toContain('graph.describe');
  });

  it('refuses a scope outside that of the principal', async () => {
    const client = await connect(server, KEYS.pilot);
    expect(
      failureOf(await client.call('kb.search', { query: 'pay', scope: { doc_tags: ['salaries'] } })),
    ).toEqual({ code: 'SCOPE_VIOLATION', reason: 'doc_tags_mismatch' });
  });

  it('answers a principal of another project with empty lists and refused calls', async () => {
    const client = await connect(server, KEYS.stray);
    expect((await client.listResources()).resources).toEqual([]);
    expect(await client.listPrompts()).toEqual([]);
    expect(JSON.stringify(await client.listTools())).not.toMatch(/payroll|pilots/);
    expect(failureOf(await client.call('scope.describe'))).toEqual({
      code: 'SCOPE_VIOLATION',
      reason: 'project_mismatch',
    });
  });

  it('keeps the passages of principals apart', async () => {
    const [one, two] = await Promise.all([connect(server, KEYS.ada), connect(server, KEYS.pilot)]);
    const found = await one.call('kb.search', { query: 'ladder' });
    const [{ passage_id }] = Object(found.structuredContent)['results'];
    expect((await one.call('kb.read_excerpt', { passage_id })).isError).toBeUndefined();
    expect(failureOf(await two.call('kb.read_excerpt', { passage_id })).reason).toBe('passage_not_found');
  });

  it('lets operators sign in on /admin with their keys, within their scope', async () => {
    const admin = (key: string) =>
      httpRequest(new URL('/admin/index', server.url).href, {
        method: 'GET',
        headers: { authorization: `Bearer ${key}` },
      });
    const indexSeenBy = async (key: string): Promise<unknown> => JSON.parse((await admin(key)).body);
    expect(await indexSeenBy(KEYS.ada)).toMatchObject({ documents: 29 });
    expect(await indexSeenBy(KEYS.eve)).toMatchObject({
      ...{ documents: 2, bytes: 0 },
      doc_tags: [{ value: 'salaries' }],
    });
    expect(await admin(KEYS.pilot)).toMatchObject({ status: 403 });
    expect(await admin(`${KEYS.ada}x`)).toMatchObject({ status: 401 });
  });
});

// Not among the tests above: a retry of one of them needs the server.
describe('a server with an access file, at its end', () => {
  it('has recorded the names of principals, and written no key anywhere', async () => {
    await server.stop();
    const ledger = await startPith(['ledger', 'export', '--format', 'jsonl', '--index', BOTH]).finished;
    expect(ledger.stdout).toContain('"principal":"pilot"');
    expect(ledger.stdout).toContain('"what":"access.yaml"');
    const written = [ledger.stdout, stderr, readFileSync(folder.file('access.yaml'), 'utf8')].join('\n');
    expect(Object.values(KEYS).filter((key) => written.includes(key.slice(0, 20)))).toEqual([]);
  });
});

describe('the command line', () => {
  it('makes a key that the file accepts by its hash, and explains it', async () => {
    const made = await startPith(['access', 'key', '--json']).finished;
    const { key, hash } = JSON.parse(made.stdout);
    const file = folder.file('made.yaml');
    writeFiles(folder.path, {
      'made.yaml': `version: 1\nprincipals:\n  bot:\n    keys: ['${hash}']\n    scope: { doc_tags: [pilots] }\n`,
    });
    const checking = startPith(['access', 'check', file, '--key-stdin', '--index', BOTH]);
    checking.child.stdin.end(`${key}\n`);
    const { code, stdout } = await checking.finished;
    expect({ code, lines: stdout.split('\n').slice(0, 4) }).toEqual({
      code: 0,
      lines: ['principal: bot', 'agent: default', 'permissions: read', 'scope: doc_tags pilots'],
    });
  });

  it('starts no server with a file that is not valid, and names the lines', async () => {
    writeFiles(folder.path, {
      'wrong.yaml': `version: 1\nprincipals:\n  bot:\n    keys: [${KEYS.pilot}]\n    agent: nobody\n`,
    });
    const { code, stderr: told } = await startPith(['http', '--index', BOTH, '--port', '0'], {
      env: { PITH_ACCESS_FILE: folder.file('wrong.yaml') },
    }).finished;
    expect(code).toBe(2);
    expect(told).toContain('wrong.yaml:4: principals.bot.keys.0: this is a key in plain text');
    expect(told).not.toContain(KEYS.pilot.slice(0, 20));
  });
});
