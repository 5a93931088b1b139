import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import {
  Client as ClientV2,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { OAuthUser, type Registration, signIn } from '../support/oauth-user.js';
import { writeFiles } from '../support/write-files.js';

const SERVER = join(__dirname, '..', 'support', 'authorization-server.mjs');
const SEARCH = { name: 'kb.search', arguments: { query: 'waiting list' } };
const folder = testFolder();
const index = folder.file('index.sqlite');

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

interface Site {
  readonly server: HttpProcess;
  readonly issuer: string;
  readonly stop: () => Promise<void>;
}

/** Starts an authorization server and Pith. @param format  of access tokens */
async function startSite(format: 'jwt' | 'opaque'): Promise<Site> {
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const child: ChildProcess = spawn(process.execPath, [SERVER, resource, format]);
  const issuer = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      const found = /^http:\S+/m.exec(data.toString())?.[0];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the authorization server ended with ${code}`)));
  });
  const introspection = { client_id: 'pith', client_secret: 'env:CLIENT_SECRET' };
  const access = {
    version: 1,
    oauth: {
      resource,
      issuers: [{ issuer, ...(format === 'opaque' && { introspection }) }],
      scopes: { docs: ['*'], 'docs:sections': ['kb.read_excerpt'] },
    },
    principals: {
      robots: { claims: { client_id: 'robot' } },
      sailors: { claims: { sub: 'ada' } },
    },
  };
  writeFiles(folder.path, { 'access.yaml': JSON.stringify(access) });
  const server = await startHttpProcess(index, {
    PITH_HTTP_PORT: String(port),
    PITH_ACCESS_FILE: folder.file('access.yaml'),
    CLIENT_SECRET: 'piths-secret',
  });
  const stop = async () => {
    await server.stop();
    child.kill();
  };
  return { server, issuer, stop };
}

interface Connected {
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<object>;
  readonly close: () => Promise<void>;
}

const ERAS = {
  'the SDK of 2025': async (url: string, user: OAuthUser): Promise<Connected> => {
    const open = () => new HttpV1(new URL(url), { authProvider: user.provider as never });
    const client = new ClientV1({ name: 'desk', version: '1' });
    const first = open();
    await expect(client.connect(first)).rejects.toThrow(/unauthorized/i);
    await first.finishAuth((await signIn(last(user))).get('code') ?? '');
    const again = new ClientV1({ name: 'desk', version: '1' });
    await again.connect(open());
    return again;
  },
  'the SDK of 2026': async (url: string, user: OAuthUser): Promise<Connected> => {
    const open = () => new HttpV2(new URL(url), { authProvider: user.provider });
    const client = new ClientV2({ name: 'desk', version: '1' });
    const first = open();
    await expect(client.connect(first)).rejects.toThrow(/unauthorized/i);
    await first.finishAuth(await signIn(last(user)));
    const again = new ClientV2({ name: 'desk', version: '1' });
    await again.connect(open());
    return again;
  },
};

function last({ visited }: OAuthUser): URL {
  const url = visited.at(-1);
  if (!url) throw new Error('the user was sent nowhere');
  return url;
}

const registrations: Registration[] = ['registered before', 'registers itself', 'named by its address'];
const kinds = (Object.keys(ERAS) as (keyof typeof ERAS)[]).flatMap((sdk) =>
  registrations.map((registration) => ({ sdk, registration })),
);

beforeAll(() => buildIndex(FIXTURE_CORPUS, index));
afterAll(() => folder.remove());

describe.each(['jwt', 'opaque'] as const)('with %s tokens of a real authorization server', (format) => {
  let site: Site;
  beforeAll(async () => void (site = await startSite(format)));
  afterAll(() => site.stop());

  it.each(kinds)('a user of $sdk signs in; the client is $registration', async ({ sdk, registration }) => {
    const user = new OAuthUser(registration);
    const client = await ERAS[sdk](site.server.url, user);
    const reply = await client.callTool(SEARCH);
    await client.close();
    expect(JSON.stringify(reply)).toContain('guides/waiting-list.mdx#order');
    const { searchParams } = last(user);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      resource: site.server.url,
      code_challenge_method: 'S256',
      scope: expect.stringMatching(/\bdocs\b/),
    });
  });

  it('citations have no address that nobody can open', async () => {
    const client = await ERAS['the SDK of 2026'](site.server.url, new OAuthUser('registered before'));
    const question = { name: 'kb.retrieve_evidence', arguments: { question: 'waiting list' } };
    const reply = JSON.stringify(await client.callTool(question));
    await client.close();
    expect(reply).toContain('guides/waiting-list.mdx#order');
    expect(reply).not.toContain(new URL('/read/', site.server.url).href);
    expect((await httpRequest(new URL('/', site.server.url).href, { method: 'GET' })).status).toBe(403);
  });

  it('a user of the SDK of 2026 is asked for a scope that a tool needs', async () => {
    const user = new OAuthUser('registered before');
    const client = await ERAS['the SDK of 2026'](site.server.url, user);
    const excerpt = { name: 'kb.read_excerpt', arguments: { passage_id: 'none' } };
    await expect(client.callTool(excerpt as never)).rejects.toThrow(/scope|unauthorized/i);
    await client.close();
    const wanted = (last(user).searchParams.get('scope') ?? '').split(' ');
    expect(wanted).toEqual(expect.arrayContaining(['docs', 'docs:sections']));
    const again = new HttpV2(new URL(site.server.url), { authProvider: user.provider });
    await again.finishAuth(await signIn(last(user)));
    const better = new ClientV2({ name: 'desk', version: '1' });
    await better.connect(again);
    expect(JSON.stringify(await better.callTool(excerpt as never))).toContain('passage_not_found');
    await better.close();
  });

  it('a program calls with its own name', async () => {
    const provider = new ClientCredentialsProvider({
      clientId: 'robot',
      clientSecret: 'robots-secret',
      scope: 'docs',
      expectedIssuer: site.issuer,
    } as never);
    const client = new ClientV2({ name: 'robot', version: '1' });
    await client.connect(new HttpV2(new URL(site.server.url), { authProvider: provider }));
    const reply = await client.callTool(SEARCH);
    await client.close();
    expect(JSON.stringify(reply)).toContain('guides/waiting-list.mdx#order');
  });
});

describe('a token that was revoked', () => {
  it('is refused after ten seconds', async () => {
    const site = await startSite('opaque');
    const user = new OAuthUser('registered before');
    const client = await ERAS['the SDK of 2026'](site.server.url, user);
    await client.close();
    const send = () =>
      httpRequest(site.server.url, {
        headers: { ...MCP_HEADERS, authorization: `Bearer ${user.accessToken}` },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
    expect((await send()).status).toBe(200);
    const revoked = await fetch(`${site.issuer}/token/revocation`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('registered:secret')}` },
      body: new URLSearchParams({ token: user.accessToken }),
    });
    expect(revoked.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 10_500));
    expect((await send()).status).toBe(401);
    await site.stop();
  });
});
