import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { generateKeyPair } from 'jose';
import { hashOfKey } from '../../src/governance/access/access-key.js';
import { keyOf } from '../support/access.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { TokenIssuer } from '../support/token-issuer.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const RESOURCE = 'https://docs.harbour.example/mcp';
const METADATA = 'https://docs.harbour.example/.well-known/oauth-protected-resource/mcp';
const KEY = keyOf('helpdesk');
const issuer = new TokenIssuer();
const other = new TokenIssuer();
let server: HttpProcess;
/** Wrong tokens make an address wait, so each test has its own. */
let address = 0;

const nowS = (): number => Math.floor(Date.now() / 1_000);

/** Claims of a good token. Its principal is offered `kb.*` only. */
const good = () => ({ aud: RESOURCE, sub: 'ada', exp: nowS() + 600, groups: ['harbour'], scope: 'docs' });
/** Claims of a token whose principal is offered all tools. */
const ofPeople = () => ({ ...good(), groups: ['people'] });

const CALL = { name: 'kb.search', arguments: { query: 'waiting list' } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ERAS = {
  '2025-11-25': (params: object, method: string) => ({
    headers: { 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }),
  '2026-07-28': (params: object & { name: string }) => ({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: META } }),
  }),
};
type Era = keyof typeof ERAS;
const eras = Object.keys(ERAS) as Era[];

const send = (token: string, era: Era = '2025-11-25', params = CALL, method = 'tools/call') => {
  const { headers, body } = ERAS[era](params, method);
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const sender = { 'x-forwarded-for': `10.0.0.${address}` };
  return httpRequest(server.url, {
    headers: { ...MCP_HEADERS, ...headers, ...authorization, ...sender },
    body,
  });
};

const accessFile = (): string =>
  JSON.stringify({
    version: 1,
    oauth: {
      resource: RESOURCE,
      issuers: [
        { issuer: issuer.url, introspection: { client_id: 'pith', client_secret: 'env:CLIENT_SECRET' } },
      ],
      scopes: { docs: ['*'], 'docs:sections': ['kb.read_excerpt'] },
    },
    principals: {
      sailors: { claims: { groups: 'harbour', sub: 'ada' }, tools: ['kb.*'] },
      people: { claims: { groups: 'people' }, each: 'sub' },
      machines: {
        claims: { client_id: ['robot', 'crane'] },
        keys: [hashOfKey(KEY)],
        permissions: ['read', 'operator'],
      },
    },
  });

async function start(): Promise<void> {
  writeFiles(folder.path, { 'access.yaml': accessFile() });
  server = await startHttpProcess(index, {
    PITH_ACCESS_FILE: folder.file('access.yaml'),
    CLIENT_SECRET: 'a secret: with + signs',
    MCP_DOMAINS: 'document',
    PITH_HTTP_TRUSTED_PROXIES: 'loopback',
    PITH_AUDIT_FILE: folder.file('audit.jsonl'),
  });
}

beforeAll(async () => {
  await Promise.all([buildIndex(FIXTURE_CORPUS, index), issuer.start(), other.start()]);
  await start();
});

beforeEach(() => {
  address++;
  issuer.isDown = false;
});

afterAll(async () => {
  await server.stop();
  for (const each of [issuer, other]) each.stop();
  folder.remove();
});

describe.each(eras)('an access token, in %s', (era) => {
  it('of our issuer is answered', async () => {
    const reply = await send(await issuer.sign(good()), era);
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('guides/waiting-list.mdx#order');
  });

  it.each<readonly [string, () => Promise<string>, RegExp]>([
    ['another issuer', async () => issuer.sign({ ...good(), iss: 'https://evil.example' }), /not trust/],
    ['a foreign key', async () => other.sign({ ...good(), iss: issuer.url }, { kid: 'key-1' }), /signature/],
    ['an unknown key', async () => other.sign({ ...good(), iss: issuer.url }, { kid: 'nope' }), /signature/],
    [
      'another audience',
      async () => issuer.sign({ ...good(), aud: 'https://other.example/mcp' }),
      /audience/,
    ],
    ['no audience', async () => issuer.sign({ ...good(), aud: undefined }), /audience/],
    ['an audience with our prefix', async () => issuer.sign({ ...good(), aud: `${RESOURCE}/x` }), /audience/],
    ['a passed time', async () => issuer.sign({ ...good(), exp: nowS() - 60 }), /expired/],
    ['no time', async () => issuer.sign({ ...good(), exp: undefined }), /expires/],
    ['a later begin', async () => issuer.sign({ ...good(), nbf: nowS() + 120 }), /not valid yet/],
    ['no signature', () => unsigned(), /algorithm|signature/],
    ['HS256 with the public key', () => withPublicKey(), /algorithm/],
    ['an algorithm that is not listed', () => withAnotherAlgorithm(), /algorithm/],
    [
      'the type of an ID token',
      async () => issuer.sign(good(), { typ: 'logout+jwt' }),
      /not an access token/,
    ],
    ['a key of its client', async () => issuer.sign({ ...good(), cnf: { jkt: 'abc' } }), /bound/],
    ['changed claims', () => changed(), /signature/],
    ['nonsense', async () => 'nonsense', /not active/],
  ])('with %s is refused', async (_, token, why) => {
    const reply = await send(await token(), era);
    expect(reply.status).toBe(401);
    const header = String(reply.headers['www-authenticate']);
    expect(header).toMatch(
      new RegExp(
        `^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="${METADATA}", scope="docs"$`,
      ),
    );
    expect(header).toMatch(why);
  });

  it('is not needed to learn where one is issued', async () => {
    const reply = await send('', era);
    expect(reply).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata="${METADATA}", scope="docs"` },
    });
  });

  it('without a scope is asked for it', async () => {
    const none = await send(await issuer.sign({ ...good(), scope: 'other' }), era);
    expect(none.status).toBe(403);
    expect(none.headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(none.headers['www-authenticate']).toContain('scope="docs"');
    const section = { name: 'kb.read_excerpt', arguments: { passage_id: 'none' } };
    const more = await send(await issuer.sign(good()), era, section as never);
    expect(more.status).toBe(403);
    expect(more.headers['www-authenticate']).toContain('scope="docs docs:sections"');
    const enough = await issuer.sign({ ...good(), scope: 'docs docs:sections' });
    const answered = await send(enough, era, section as never);
    expect(answered.status).toBe(200);
    expect(answered.body).toContain('passage_not_found');
  });

  it.each([
    ['a parameter of another kind', { name: 'kb.read_excerpt', arguments: { passage_id: 'none' }, uri: 5 }],
    ['a name with underscores', { name: 'kb_read_excerpt', arguments: { passage_id: 'none' } }],
    ['a name in a list', { name: ['kb.read_excerpt'], arguments: { passage_id: 'none' } }],
  ])('without a scope does not get past it with %s', async (_, params) => {
    const reply = await send(await issuer.sign(good()), era, params as never);
    // A name that is no text is an invalid message, which JSON-RPC answers with status 200.
    expect(reply.status === 403 || reply.body.includes('-32602')).toBe(true);
    expect(reply.body).not.toContain('passage_not_found');
  });

  it.each([
    ['get_doc', { path: 'guides/waiting-list.mdx' }],
    ['document_parse', { document: 'guides/waiting-list.mdx' }],
    ['graph.describe', { node_ids: ['guides/waiting-list.mdx'], include_snippet: true }],
  ])('without a scope learns nothing about %s, which its principal is not offered', async (name, args) => {
    const token = await issuer.sign(good());
    const [reply, unknown] = await Promise.all(
      [name, 'no_such_tool'].map((each) => send(token, era, { name: each, arguments: args } as never)),
    );
    expect(reply?.status).toBe(unknown?.status);
    expect(reply?.headers['www-authenticate']).toBeUndefined();
    expect(reply?.body).toBe(unknown?.body.replaceAll('no_such_tool', name));
    expect(reply?.body).toContain('Unknown tool');
  });

  it('whose claims match nobody is refused without a challenge', async () => {
    const reply = await send(await issuer.sign({ ...good(), sub: 'eve' }), era);
    expect(reply).toMatchObject({ status: 403 });
    expect(reply.headers['www-authenticate']).toBeUndefined();
  });

  it('has the rights of its principal', async () => {
    const reply = await send(await issuer.sign({ ...good(), scope: 'docs docs:sections' }), era, {
      name: 'search_docs',
      arguments: { query: 'x' },
    });
    expect(reply.body).not.toContain('"sections"');
    expect(reply.body).toMatch(/unknown|not/i);
  });

  it('that is opaque is introspected, and refused once it is revoked', async () => {
    const token = `opaque-${randomUUID()}`;
    issuer.opaque.set(token, { active: true, aud: RESOURCE, client_id: 'robot', scope: 'docs' });
    expect((await send(token, era)).status).toBe(200);
    issuer.opaque.delete(token);
    expect((await send(token, era)).status).toBe(200);
    await server.stop();
    await start();
    expect((await send(token, era)).status).toBe(401);
  });

  it.each([
    ['has expired', { exp: 1_000_000_000 }],
    ['has a time as text', { exp: '1000000000' }],
    ['is a refresh token', { token_type: 'refresh_token' }],
    ['needs a proof', { token_type: 'DPoP' }],
    ['is from another issuer', { iss: 'https://evil.example' }],
    ['has an odd audience', { aud: { toString: 1 } }],
  ])('that is opaque and %s is refused', async (what, claims) => {
    const token = `odd-${what.replaceAll(' ', '-')}`;
    issuer.opaque.set(token, { active: true, aud: RESOURCE, client_id: 'robot', scope: 'docs', ...claims });
    const reply = await send(token, era);
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('that is opaque and for another server is refused', async () => {
    issuer.opaque.set('for-others', { active: true, aud: 'https://x.example', client_id: 'robot' });
    const reply = await send('for-others', era);
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toMatch(/audience/);
  });

  it('does not replace a key', async () => {
    expect((await send(KEY, era)).status).toBe(200);
    expect((await send(keyOf('nobody'), era)).status).toBe(401);
  });

  it('signed with a new key is accepted, and with the one before it no longer', async () => {
    const before = await issuer.sign(good());
    expect((await send(before, era)).status).toBe(200);
    await issuer.rotate();
    expect((await send(await issuer.sign(good()), era)).status).toBe(200);
    expect((await send(before, era)).status).toBe(401);
  });

  it('can be checked again after the issuer was down', async () => {
    await server.stop();
    issuer.isDown = true;
    await start();
    const token = await issuer.sign(good());
    const reply = await send(token, era);
    issuer.isDown = false;
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await send(token, era)).status).toBe(200);
  });
});

describe('principals', () => {
  const of = (sub: string) =>
    issuer.sign({ ...good(), groups: ['people'], sub, scope: 'docs docs:sections' });
  const uris = (body: string): string[] => body.match(/wekadocs:\/\/scratch\/[\w-]+\/[\w-]+/g) ?? [];
  const read = async (token: string, passageId: string) =>
    (
      await send(token, '2025-11-25', {
        name: 'kb.read_excerpt',
        arguments: { passage_id: passageId },
      } as never)
    ).body;

  it('have sessions, passages and cursors of their own, also when they share an entry of the file', async () => {
    const [eve, bob] = [await of('eve'), await of('bob')];
    const first = await send(eve, '2025-11-25', {
      name: 'kb.search',
      arguments: { query: 'waiting list', page_size: 1 },
    } as never);
    const passage = uris(first.body)[0]?.split('/').pop() ?? '';
    expect(await read(eve, passage)).toContain('"text"');
    const sailor = await issuer.sign({ ...good(), scope: 'docs docs:sections' });
    for (const other of [bob, sailor, KEY]) expect(await read(other, passage)).toContain('passage_not_found');
    const uri = uris(first.body)[0] ?? '';
    const resource = (token: string) => send(token, '2025-11-25', { uri } as never, 'resources/read');
    expect((await resource(eve)).body).toContain('"text"');
    expect((await resource(bob)).body).toContain('passage_not_found');
    const cursor = /"next_cursor":"([^"]+)"/.exec(first.body)?.[1];
    const next = { name: 'kb.search', arguments: { query: 'waiting list', page_size: 1, cursor } } as never;
    expect((await send(eve, '2025-11-25', next)).body).toContain('"rank":2');
    expect((await send(bob, '2025-11-25', next)).body).toContain('cursor_invalid');
    const again = await send(bob, '2025-11-25', CALL);
    expect(uris(again.body)[0]?.split('/')[3]).not.toBe(uris(first.body)[0]?.split('/')[3]);
  });
});

describe('an address that guesses tokens', () => {
  it('has to wait, and the issuer is not asked for it; tokens of others are answered', async () => {
    issuer.asked.clear();
    const statuses = [];
    for (let i = 0; i < 13; i++) statuses.push((await send(`guess-${i}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429]);
    expect(issuer.asked.get('/introspect')).toBe(10);
    expect((await send(await issuer.sign(good()))).status).toBe(200);
  });

  it('can not ask faster by sending all at once', async () => {
    issuer.asked.clear();
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => send(`at-once-${i}`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(issuer.asked.get('/introspect')).toBeLessThanOrEqual(14);
  });

  it('does not wait if its tokens have only expired', async () => {
    const token = await issuer.sign({ ...good(), exp: nowS() - 60 });
    for (let i = 0; i < 12; i++) expect((await send(token)).status).toBe(401);
  });
});

describe('a scope', () => {
  const post = async (body: object, version: string) =>
    httpRequest(server.url, {
      headers: {
        ...MCP_HEADERS,
        'mcp-protocol-version': version,
        'x-forwarded-for': `10.0.0.${address}`,
        authorization: `Bearer ${await issuer.sign(ofPeople())}`,
      },
      body: JSON.stringify(body),
    });
  const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
  const EXCERPT = { name: 'kb.read_excerpt', arguments: { passage_id: 'none' } };

  it.each([
    ['a passage that is read as a resource', { uri: 'wekadocs://scratch/a/b' }],
    ['the same with another parameter', { uri: 'wekadocs://scratch/a/b', name: 5 }],
    ['the same in capitals', { uri: 'WEKADOCS://SCRATCH/a/b' }],
  ])('is needed for %s', async (_, params) => {
    const reply = await post(request(1, 'resources/read', params), '2025-11-25');
    expect(reply).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': expect.stringContaining('scope="docs docs:sections"') },
    });
  });

  const PATH = { argument: { name: 'path', value: '' } };
  it.each([
    ['resources/list', {}],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'docs:///{+path}' }, ...PATH }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'any' }, ...PATH }],
  ])('is needed for %s, which names documents: %j', async (method, params) => {
    const reply = await post(request(1, method, params), '2025-11-25');
    expect(reply).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': expect.stringContaining('scope="docs docs:sections"') },
    });
  });

  it.each(['tools/list', 'prompts/list', 'resources/templates/list'])(
    'is not needed for %s, which names no documents',
    async (method) => {
      expect((await post(request(1, method, {}), '2025-11-25')).status).toBe(200);
    },
  );

  it.each([
    ['resources/read', { uri: 'docs:///guides/waiting-list.mdx' }, 'Resource not found.'],
    ['resources/list', {}, '"resources":[]'],
    ['prompts/get', { name: 'any' }, "There is no prompt 'any'."],
  ])('is not asked for by %s if its principal is not offered get_doc', async (method, params, answer) => {
    const reply = await send(await issuer.sign(good()), '2025-11-25', params as never, method);
    expect(reply.status).toBe(200);
    expect(reply.body).toContain(answer);
  });

  it.each([
    ['get_doc', { path: 'guides/waiting-list.mdx' }],
    ['document.parse', { document: 'guides/waiting-list.mdx' }],
    ['graph.describe', { node_ids: ['guides/waiting-list.mdx'], include_snippet: true }],
  ])('is needed for %s, which returns the same content', async (name, args) => {
    const reply = await post(request(1, 'tools/call', { name, arguments: args }), '2025-11-25');
    expect(reply).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': expect.stringContaining('scope="docs docs:sections"') },
    });
  });

  it('is needed for every request of a batch', async () => {
    const ping = request(1, 'ping', {});
    expect((await post([ping, request(2, 'tools/call', EXCERPT)], '2025-03-26')).status).toBe(403);
    expect((await post([ping, request(2, 'tools/call', CALL)], '2025-03-26')).status).toBe(200);
  });
});

describe('an access token', () => {
  it('without the claim that names its owner belongs to nobody', async () => {
    const reply = await send(await issuer.sign({ ...good(), groups: ['people'], sub: undefined }));
    expect(reply.status).toBe(403);
  });

  it('does not open the console, not even for an operator', async () => {
    const token = await issuer.sign({ ...good(), client_id: 'robot' });
    const reply = await httpRequest(new URL('/admin', server.url).href, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `10.0.0.${address}` },
    });
    expect([401, 403]).toContain(reply.status);
  });

  it('that is refused is in the audit file with the reason, and without the token', async () => {
    const tokens = [
      await issuer.sign({ ...good(), exp: nowS() - 60 }),
      await issuer.sign({ ...good(), sub: 'eve' }),
      await issuer.sign({ ...good(), scope: 'other' }),
    ];
    // The file takes twenty refusals a second, and the tests before this one made more.
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));
    for (const token of tokens) await send(token);
    const read = (): string => readFileSync(folder.file('audit.jsonl'), 'utf8');
    const ownIn = (text: string): string[] =>
      text.split('\n').filter((line) => line.includes(`"10.0.0.${address}"`));
    // A line is written when its reply is sent, which the client may see first.
    await poll('three lines', () => (ownIn(read()).length >= tokens.length ? true : undefined));
    const text = read();
    const reasons = ownIn(text).map((line) => JSON.parse(line).reason);
    expect(reasons).toEqual(['expired', 'no_principal', 'missing_scope']);
    for (const token of tokens) expect(text).not.toContain(token.slice(0, 40));
  });

  it('of an issuer that is no longer in the file is refused after SIGHUP, without a restart', async () => {
    const token = await issuer.sign(good());
    expect((await send(token)).status).toBe(200);
    const file = JSON.parse(accessFile());
    file.oauth.issuers = [{ issuer: other.url }];
    writeFiles(folder.path, { 'access.yaml': JSON.stringify(file) });
    server.child.kill('SIGHUP');
    await poll('the new file', async () => ((await send(token)).status === 401 ? true : undefined));
    expect((await send(await other.sign({ ...good() }))).status).toBe(200);
    writeFiles(folder.path, { 'access.yaml': accessFile() });
    server.child.kill('SIGHUP');
    await poll('the old file', async () => ((await send(token)).status === 200 ? true : undefined));
  });
});

describe('the metadata', () => {
  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'is at %s',
    async (path) => {
      const reply = await httpRequest(new URL(path, server.url).href, { method: 'GET', headers: {} });
      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.body)).toEqual({
        resource: RESOURCE,
        authorization_servers: [issuer.url],
        scopes_supported: ['docs', 'docs:sections'],
        bearer_methods_supported: ['header'],
        resource_name: 'Pith',
      });
    },
  );

  it('is at no other path', async () => {
    const url = new URL('/.well-known/oauth-protected-resource/other', server.url).href;
    expect((await httpRequest(url, { method: 'GET', headers: {} })).status).toBe(404);
  });
});

async function unsigned(): Promise<string> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ iss: issuer.url, ...good() })}.`;
}

/** The classic confusion: the public key, as text, is used as the secret of HS256. */
async function withPublicKey(): Promise<string> {
  const key = Buffer.from(JSON.stringify(await issuer.publicJwk()));
  return issuer.sign(good(), { alg: 'HS256', key });
}

async function withAnotherAlgorithm(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS512');
  return issuer.sign(good(), { alg: 'RS512', key: privateKey });
}

async function changed(): Promise<string> {
  const [header, , signature] = (await issuer.sign({ ...good(), sub: 'eve' })).split('.');
  const claims = Buffer.from(JSON.stringify({ iss: issuer.url, ...good() })).toString('base64url');
  return [header, claims, signature].join('.');
}
