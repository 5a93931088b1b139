import { refusalOf } from '../support/failures.js';
import type { CallResult, TestClient } from '../support/mcp-clients.js';
import { pithIndex, poll } from '../support/processes.js';
import { passageUri } from '../support/quote-laws.js';
import { ONE_OF_EACH, openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const TEXT =
  'A ship leaves the waiting list when it gets a berth, when it cancels, or after twelve hours without a sign of life.';

let plain: Site;
let vscode: Site;
let renamed: Site;
let shortLived: Site;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  const clientName = 'Visual Studio Code';
  [plain, vscode] = await Promise.all([
    openSite(index),
    openSite(index, { clientName, transports: ONE_OF_EACH }),
  ]);
  [renamed, shortLived] = await Promise.all([
    openSite(index, { env: { PITH_URI_SCHEME: 'harbour' }, transports: ONE_OF_EACH }),
    openSite(index, { env: { PITH_SCRATCH_TTL_S: '1' }, transports: ONE_OF_EACH }),
  ]);
});

afterAll(async () => {
  await Promise.all([plain, vscode, renamed, shortLived].map((site) => site.stop()));
  folder.remove();
});

const uriIn = (result: CallResult): string =>
  String((result.structuredContent?.['results'] as { scratch_uri: string }[])[0]?.scratch_uri);

const search = (client: TestClient) => client.call('kb.search', { query: 'leave the waiting list' });

/** The middle of a URI: scheme://scratch/SESSION/passage. */
const sessionIn = (uri: string): string => String(uri.split('/')[3]);
const passageIn = (uri: string): string => String(uri.split('/')[4]);

/** The error of a rejected read, without the requested URI. */
async function refused(client: TestClient, uri: string): Promise<unknown> {
  const { code, message, data } = await refusalOf(client.readResource(uri));
  return { code, message, data: { ...(data as object), uri: undefined } };
}

describe.each(TRANSPORTS)('scratch resources, for a %s client over %s', (era, transport) => {
  let client: TestClient;

  beforeAll(() => {
    client = plain.client(era, transport);
  });

  it('lists the template with its MIME type and annotations', async () => {
    expect(await client.listResourceTemplates()).toEqual([
      expect.objectContaining({ uriTemplate: 'docs:///{+path}' }),
      expect.objectContaining({
        uriTemplate: 'wekadocs://scratch/{session_id}/{passage_id}',
        name: expect.stringMatching(/\S/),
        mimeType: 'text/plain',
        annotations: expect.objectContaining({ audience: ['assistant'], priority: 0.1 }),
      }),
    ]);
  });

  it('reads a whole section by its URI from kb.search, with metadata for the host', async () => {
    const uri = uriIn(await search(client));
    expect(await client.readResource(uri)).toMatchObject({
      contents: [
        {
          uri,
          mimeType: 'text/plain',
          text: TEXT,
          _meta: {
            size: Buffer.byteLength(TEXT),
            annotations: {
              audience: ['assistant'],
              priority: 0.1,
              lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
            },
          },
        },
      ],
    });
  });

  it('reads the URIs of quotes and citations', async () => {
    const evidence = await client.call('kb.retrieve_evidence', {
      question: 'When does a ship leave the list?',
    });
    const quotes = evidence.structuredContent?.['quotes'] as { passage_id: string; quote: string }[];
    const [quote = { passage_id: '', quote: 'none' }] = quotes;
    const { contents } = await client.readResource(passageUri(evidence.structuredContent ?? {}, quote));
    expect(contents[0]?.text).toContain(quote.quote);
  });

  it('returns no resource_link to a host that is not known to use them', async () => {
    const { content } = await search(client);
    expect(content.map(({ type }) => type)).toEqual(['text']);
  });

  it.each([
    ['another scheme', (uri: string) => uri.replace('wekadocs:', 'file:')],
    ['no scheme', (uri: string) => uri.replace('wekadocs://', '')],
    [
      'a scheme in capitals with another host',
      (uri: string) => uri.replace('wekadocs://scratch', 'WEKADOCS://files'),
    ],
    ['..', (uri: string) => `wekadocs://scratch/${sessionIn(uri)}/../${sessionIn(uri)}/${passageIn(uri)}`],
    ['.. at the end', (uri: string) => `${uri}/..`],
    ['a file behind ..', () => 'wekadocs://scratch/../../../../etc/passwd'],
    [
      '.. percent-encoded',
      (uri: string) => `wekadocs://scratch/${sessionIn(uri)}/%2e%2e%2f${passageIn(uri)}`,
    ],
    [
      'a percent-encoded passage',
      (uri: string) => uri.replace(/.$/, (c) => `%${c.charCodeAt(0).toString(16)}`),
    ],
    ['a percent-encoded session', (uri: string) => uri.replace('scratch/', 'scratch/%2F')],
    ['a doubly encoded slash', (uri: string) => uri.replace(/\/([^/]*)$/, '%252F$1')],
    ['broken percent-encoding', (uri: string) => `${uri}%`],
    ['an encoded null', (uri: string) => `${uri}%00`],
    ['a null', (uri: string) => `${uri}\u0000`],
    ['a second scheme', (uri: string) => `${uri}://x`],
    ['a query string', (uri: string) => `${uri}?x=1`],
    ['a fragment', (uri: string) => `${uri}#x`],
    ['a further segment', (uri: string) => `${uri}/more`],
    ['no passage', (uri: string) => uri.replace(/[^/]*$/, '')],
    ['no session', (uri: string) => `wekadocs://scratch//${passageIn(uri)}`],
    ['a session of a wildcard', (uri: string) => `wekadocs://scratch/*/${passageIn(uri)}`],
    ['an unknown passage', (uri: string) => `wekadocs://scratch/${sessionIn(uri)}/${'A'.repeat(24)}`],
    ['a changed session', (uri: string) => `wekadocs://scratch/${'A'.repeat(24)}/${passageIn(uri)}`],
    ['1,500 characters', (uri: string) => `${uri}${'a'.repeat(1_500)}`],
    ['nothing', () => ''],
  ])('rejects a URI with %s', async (_, change) => {
    const uri = change(uriIn(await search(client)));
    expect(await refused(client, uri)).toEqual({
      code: -32602,
      message: expect.stringMatching(/INVALID_ARGUMENT.*kb\.search/),
      data: {
        code: 'INVALID_ARGUMENT',
        message: expect.any(String),
        details: { reason: expect.any(String), hint: expect.stringContaining('kb.search') },
      },
    });
  });

  it('gives the same error for unknown passages and for passages of another session', async () => {
    const own = uriIn(await search(client));
    const foreign = uriIn(await search(vscode.client('v1', 'stdio')));
    const ofUnknown = await refused(client, own.replace(/[^/]*$/, 'A'.repeat(24)));
    expect(await refused(client, foreign)).toEqual(ofUnknown);
    expect(await refused(client, own.replace(/[^/]*$/, passageIn(foreign)))).toEqual(ofUnknown);
  });

  it('returns the rejected URI in the error data', async () => {
    const uri = 'wekadocs://scratch/nobody/nothing';
    expect(await refusalOf(client.readResource(uri))).toMatchObject({ data: { uri } });
  });
});

describe('two STDIO processes that share an index', () => {
  it("cannot read each other's passages", async () => {
    const [one, other] = [plain.client('v1', 'stdio'), plain.client('v2', 'stdio')];
    const uri = uriIn(await search(one));
    const uriOfOther = uriIn(await search(other));
    expect(sessionIn(uri)).not.toBe(sessionIn(uriOfOther));
    expect(passageIn(uri)).not.toBe(passageIn(uriOfOther));
    expect((await one.readResource(uri)).contents[0]?.text).toBe(TEXT);
    expect(await refused(other, uri)).toMatchObject({ code: -32602, data: { code: 'INVALID_ARGUMENT' } });
  });
});

describe.each(ONE_OF_EACH)('a host that takes resource links, as a %s client over %s', (era, transport) => {
  it('gets one for each result, with size, MIME type and annotations', async () => {
    const { content, structuredContent } = await search(vscode.client(era, transport));
    const results = structuredContent?.['results'] as { scratch_uri: string; size_bytes: number }[];
    expect(content.filter(({ type }) => type === 'resource_link')).toEqual(
      results.map(({ scratch_uri, size_bytes }) => ({
        type: 'resource_link',
        uri: scratch_uri,
        name: expect.stringMatching(/\S/),
        title: expect.stringMatching(/\S/),
        mimeType: 'text/plain',
        size: size_bytes,
        annotations: {
          audience: ['assistant'],
          priority: 0.1,
          lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      })),
    );
  });

  it('can follow it', async () => {
    const client = vscode.client(era, transport);
    const link = (await search(client)).content.find(({ type }) => type === 'resource_link');
    expect((await client.readResource(String(link?.['uri']))).contents[0]?.text).toBe(TEXT);
  });
});

describe.each(ONE_OF_EACH)('PITH_URI_SCHEME, for a %s client over %s', (era, transport) => {
  it('names the template, the URIs, and the only scheme that is read', async () => {
    const client = renamed.client(era, transport);
    const [, template] = await client.listResourceTemplates();
    const uri = uriIn(await search(client));
    expect(template?.uriTemplate).toBe('harbour://scratch/{session_id}/{passage_id}');
    expect(uri).toMatch(/^harbour:\/\/scratch\//);
    expect((await client.readResource(uri)).contents[0]?.text).toBe(TEXT);
    expect(await refused(client, uri.replace('harbour:', 'wekadocs:'))).toMatchObject({ code: -32602 });
  });
});

describe.each(ONE_OF_EACH)('PITH_SCRATCH_TTL_S, for a %s client over %s', (era, transport) => {
  it('expires a passage, which then gets the error of an unknown one', async () => {
    const client = shortLived.client(era, transport);
    const uri = uriIn(await search(client));
    await poll('the end of the passage', async () => {
      const { passages } = (await client.call('scratch.list')).structuredContent as { passages: unknown[] };
      return passages.length === 0 ? true : undefined;
    });
    const unknown = uri.replace(/[^/]*$/, 'A'.repeat(24));
    expect(await refused(client, uri)).toEqual(await refused(client, unknown));
    const read = await client.call('kb.read_excerpt', { passage_id: passageIn(uri) });
    expect(read.structuredContent).toMatchObject({ error: { details: { reason: 'passage_not_found' } } });
  });
});
