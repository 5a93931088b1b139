import { connect } from 'node:net';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex } from '../support/build-index.js';
import { httpRequest, type RawResponse } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const KEYS = keysOf('member', 'stranger');
const TOKEN = 'the-token-of-all-callers';
const OPERATOR = 'the-token-of-operators';
const SCRIPT = '<script>document.title="taken"</script>';
const IMAGE = '<img src=https://evil.example/x.png onerror="document.title=\'taken\'">';

/** What documents may try; each is a section that the word of its heading finds. */
const STORED: Readonly<Record<string, string>> = {
  alfa: SCRIPT,
  bravo: IMAGE,
  charlie: '[click](javascript:document.title=1) <a href="javascript:alert(1)">here</a>',
  delta: '</details></article></main></body></html><script>alert(1)</script>',
  echo: '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="x"></object><embed src="x">',
  foxtrot: '<svg><animate onbegin=alert(1) attributeName=x></svg><math href="javascript:alert(1)">x</math>',
  golf: '<form action="https://evil.example"><input name="password"><button>Sign in</button></form>',
  hotel:
    '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
  india: '<style>body{display:none}</style><link rel="stylesheet" href="https://evil.example/x.css">',
  juliett: '```html"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  kilo: '| <script>alert(1)</script> | b |\n|---|---|\n| "><img src=x onerror=alert(1)> | kilo |',
  lima: '![kilo](https://evil.example/pixel.png "onerror=alert(1)") &lt;script&gt;alert(1)&lt;/script&gt;',
  mike: '[data](data:text/html;base64,PHNjcmlwdD4=) [file](file:///etc/passwd) [out](../../../etc/passwd)',
  november:
    '<div id="main" class="skip" style="position:fixed;inset:0" onclick="alert(1)">november covers</div>',
  oscar: '<p title="</p><script>alert(1)</script>">oscar</p><!-- --><script>alert(1)</script -->',
  papa: '<a href="//evil.example" target="_blank" onmouseover=alert(1)>papa</a>',
};

const DOCS = {
  '.pith.yaml':
    'project: harbour\nrepository: harbour\ndocuments: [{ match: ["**"], doc_tag: docs }, { match: ["secret/**"], doc_tag: secret, allow: [hr] }]\n',
  'lunch.md': '# Lunch\n\nThe canteen opens at noon. See [pay](secret/pay.md).\n',
  'stored.md': `# Stored ${SCRIPT}\n\n${Object.entries(STORED)
    .map(([word, text]) => `## The ${word} case ${IMAGE}\n\nThe ${word} case: ${text}\n`)
    .join('\n')}`,
  'quo"te <b>.md': '# Odd name\n\nThe zulu page has an odd name.\n',
};
const HIDDEN = { 'secret/pay.md': '# Pay\n\nThe zorblax ledger pays 7000 crowns.\n' };

const folder = testFolder();
let open: HttpProcess;
let guarded: HttpProcess;
let empty: HttpProcess;

beforeAll(async () => {
  writeFiles(folder.file('docs'), { ...DOCS, ...HIDDEN });
  writeFiles(folder.file('visible'), DOCS);
  const principals = { member: { keys: [KEYS.member], groups: ['hr'] }, stranger: { keys: [KEYS.stranger] } };
  writeFiles(folder.path, { 'access.yaml': accessText(principals) });
  await buildIndex(folder.file('docs'), folder.file('docs.sqlite'));
  await buildIndex(folder.file('visible'), folder.file('visible.sqlite'));
  const access = { PITH_ACCESS_FILE: folder.file('access.yaml') };
  [open, guarded, empty] = await Promise.all([
    startHttpProcess(folder.file('docs.sqlite'), {
      ...{ PITH_SEARCH_PAGE: 'public', PITH_HTTP_TOKEN: TOKEN, PITH_PUBLIC_PER_MINUTE: '100000' },
      ...{ PITH_SECRET: 'x'.repeat(32), PITH_ADMIN_TOKEN: OPERATOR },
    }),
    startHttpProcess(folder.file('docs.sqlite'), access),
    startHttpProcess(folder.file('visible.sqlite'), access),
  ]);
});

afterAll(async () => {
  await Promise.all([open, guarded, empty].map((server) => server?.stop()));
  folder.remove();
});

const key = (name: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[name]}` });
const get = (server: HttpProcess, path: string, headers: Record<string, string> = {}): Promise<RawResponse> =>
  httpRequest(new URL(server.url).origin + path, { method: 'GET', headers });

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Everything in a page that could run, load, send or lead elsewhere, except what each page has. */
function dangersIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (!('tagName' in node)) return [];
    const { tagName: name, attrs } = node;
    const inner = dangersIn('content' in node ? [] : node.childNodes);
    const bad = attrs.filter(
      ({ name: attribute, value }) =>
        /^on|^style$|^src|^target$|^data$|^background$|^ping$|^formaction$/i.test(attribute) ||
        (attribute === 'href' &&
          !/^(?:\/(?!\/)|#|https?:\/\/evil\.example|data:image\/svg\+xml,)/.test(value)) ||
        (attribute === 'action' && value !== '/'),
    );
    const isStrange = /^(?:iframe|object|embed|base|img|svg:script|math|template|audio|video|portal)$/.test(
      name,
    );
    const hasRel =
      name !== 'a' ||
      attrs.every(({ name: attribute, value }) => attribute !== 'href' || !/^http/.test(value)) ||
      attrs.some(
        ({ name: attribute, value }) => attribute === 'rel' && value === 'noopener noreferrer nofollow',
      );
    return [
      ...bad.map((attribute) => `${name} ${attribute.name}=${attribute.value}`),
      ...(isStrange || !hasRel ? [name] : []),
      ...inner,
    ];
  });
}

const count = (body: string, tag: string): number => body.split(`<${tag}`).length - 1;

/** A page of ours with one style, at most its one script, and nothing of what was tried. */
function expectHarmless({ status, headers, body }: RawResponse, scripts: number): void {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(dangersIn(parse(body).childNodes)).toEqual([]);
  expect({
    scripts: count(body, 'script'),
    styles: count(body, 'style'),
    forms: count(body, 'form') <= 1,
  }).toEqual({
    scripts,
    styles: 1,
    forms: true,
  });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(headers['cache-control']).toBe('no-store');
  expect(status).toBeLessThan(500);
}

describe('text of documents', () => {
  it.each(Object.keys(STORED))('is harmless in an answer: the %s case', async (word) => {
    const reply = await get(open, `/?q=${encodeURIComponent(`What is the ${word} case?`)}`);
    expect(reply.body).toContain(word);
    expect(reply.body).toContain('class="hit"');
    expectHarmless(reply, 1);
  });

  it('is harmless in the reader', async () => {
    const reply = await get(open, '/read/stored.md');
    for (const word of Object.keys(STORED)) expect(reply.body).toContain(word);
    expectHarmless(reply, 0);
  });

  it('is harmless in the part that the script fetches', async () => {
    const { body, headers } = await get(open, '/?q=the+delta+case', { 'x-pith-part': 'answer' });
    expect(dangersIn(parse(body).childNodes)).toEqual([]);
    expect([count(body, 'script'), count(body, 'style'), body.includes('class="hit"')]).toEqual([0, 0, true]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is harmless in names of files', async () => {
    const answer = await get(open, '/?q=the+zulu+page');
    expectHarmless(answer, 1);
    const link = /href="(\/read\/[^"]*)"/.exec(answer.body)?.[1] ?? '';
    expect(link).toMatch(/^\/read\/quo%22te%20%3Cb%3E\.md\?quote=/);
    const page = await get(open, link.replaceAll('&amp;', '&').replace(/#.*/, ''));
    expect(page.status).toBe(200);
    expectHarmless(page, 0);
  });
});

const REFLECTED = [
  SCRIPT,
  `"${IMAGE}`,
  `'><svg onload=alert(1)>`,
  '</title></style></script><script>alert(1)</script>',
  '" autofocus onfocus="alert(1)',
  '</textarea><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)}',
  '`-alert(1)-`',
  '\u202e<script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;&#60;script&#62;',
];

describe('what an address says', () => {
  it.each(REFLECTED)('is harmless as a question: %j', async (text) => {
    expectHarmless(await get(open, `/?q=${encodeURIComponent(text)}`), 1 - Number(text.includes('\u202e')));
  });

  it.each(['tag', 'repository', 'version'])('is harmless as a filter: %s', async (name) => {
    for (const text of REFLECTED.slice(0, 8)) {
      const reply = await get(open, `/?q=canteen&${name}=${encodeURIComponent(text)}`);
      expectHarmless(reply, count(reply.body, 'script'));
      expect(reply.body).not.toContain('<script>alert');
    }
  });

  it.each(REFLECTED)('is harmless as a quote: %j', async (text) => {
    expectHarmless(await get(open, `/read/lunch.md?quote=${encodeURIComponent(text)}`), 0);
  });

  it.each(REFLECTED.slice(0, 8))('is harmless as a path: %j', async (text) => {
    const reply = await get(open, `/read/${encodeURIComponent(text)}`);
    expect(reply.status).toBe(404);
    expectHarmless(reply, 0);
  });

  it.each([
    'q[]=x',
    'q=a&q=b',
    'q[__proto__]=x',
    '__proto__[q]=x',
    'q=%00',
    'q=%E0%A4%A',
    'q=%ff',
    'why=1&q=canteen',
    'q=canteen&why=2',
  ])('is no failure of the server: ?%s', async (query) => {
    const { status } = await get(open, `/?${query}`);
    expect([200, 400]).toContain(status);
  });

  it('may be very long', async () => {
    expect((await get(open, `/?q=${'a'.repeat(4_001)}`)).status).toBe(400);
    expect((await get(open, `/read/${'a/'.repeat(3_000)}`)).status).toBe(404);
    expect((await get(open, `/?q=${'a'.repeat(20_000)}`)).status).toBe(431);
  });
});

const PATHS = [
  '/read/../../etc/passwd',
  '/read/..%2f..%2fetc%2fpasswd',
  '/read/%2e%2e/%2e%2e/etc/passwd',
  '/read//etc/passwd',
  '/read/%2Fetc%2Fpasswd',
  '/read/..%5c..%5cwindows%5cwin.ini',
  '/read/lunch.md%00.html',
  '/read/lunch.md%0d%0aSet-Cookie:%20a=b',
  '/read/%E2%80%AElunch.md',
  '/read/%C0%AE%C0%AE/lunch.md',
  '/read/%',
  '/read/%zz',
  '/read/.pith.yaml',
  '/read/lunch.md%23x',
  '/read/file:///etc/passwd',
  '/read/http://evil.example/',
  '/read/%ED%A0%80.md',
  '/read/secret/pay.md',
  '/read/SECRET/pay.md',
  '/read/secret%2fpay.md',
  '/read/./secret/./pay.md',
  '/read/secret/pay',
  '/read/pay.md',
  '/read/',
  '/read',
];

describe('addresses of documents', () => {
  it.each(PATHS)('%s leads to no file and no hidden document', async (path) => {
    // A client would resolve dots, so the request is written as it is.
    const reply = await sendRaw(open, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 (?:404|400) /);
    expect(reply).not.toMatch(/root:|zorblax|7000|Set-Cookie/);
  });

  it.each([
    '/read/secret/pay.md',
    '/read/secret/pay.md?quote=crowns',
    '/read/secret/pay.md?from=secret/pay.md%23x',
    '/read/lunch.md?from=secret/pay.md%23pay',
    '/read/secret/pay',
    '/read/secret/',
    '/?q=zorblax+ledger',
    '/?q=crowns&tag=secret',
    '/?q=pay&tag=secret&repository=harbour',
    '/?q=What+does+the+zorblaxledgr+pay',
    '/',
  ])('%s: a hidden document is as an absent one, byte for byte', async (path) => {
    const [hidden, absent] = await Promise.all([
      get(guarded, path, key('stranger')),
      get(empty, path, key('stranger')),
    ]);
    const plain = ({ status, headers, body }: RawResponse) => ({
      status,
      body: body.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'),
      headers: Object.entries(headers).filter(([name]) => !['date', 'etag', 'content-length'].includes(name)),
    });
    expect(plain(hidden)).toEqual(plain(absent));
    expect(hidden.body).not.toMatch(/7000/);
  });

  it('shows it to those who may see it', async () => {
    expect((await get(guarded, '/read/secret/pay.md', key('member'))).body).toContain('7000 crowns');
    expect((await get(guarded, '/?q=zorblax+ledger', key('member'))).body).toContain('7000');
    expect((await get(open, '/?q=zorblax+ledger')).body).not.toContain('7000');
  });
});

/** Sends bytes as they are, and reads the reply to its end. */
function sendRaw(server: HttpProcess, bytes: string): Promise<string> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => (reply += data.toString()));
    socket.on('close', () => resolve(reply));
    socket.on('error', reject);
  });
}

describe('requests of others', () => {
  it.each(['/', '/?q=canteen', '/read/lunch.md', '/sign-in'])(
    '%s needs a key where tools need one',
    async (path) => {
      const { status, body, headers } = await get(guarded, path, { accept: 'text/html' });
      expect({ status, asked: headers['www-authenticate'] }).toEqual({
        status: 401,
        asked: 'Basic realm="Pith", charset="UTF-8"',
      });
      expect(body).not.toMatch(/canteen|lunch\.md|noon/);
    },
  );

  it.each([
    ['a foreign Host', { host: 'evil.example' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a page on another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ])('%s is refused', async (_, headers: Record<string, string>) => {
    for (const path of ['/?q=canteen', '/read/lunch.md']) {
      const reply = await get(open, path, headers);
      expect(reply.status).toBe(403);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      expect(reply.body).not.toContain('noon');
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s changes nothing', async (method) => {
    for (const path of ['/', '/?q=canteen', '/read/lunch.md', '/sign-in']) {
      const body = method === 'POST' ? { body: 'q=canteen' } : {};
      const { status, headers } = await httpRequest(new URL(open.url).origin + path, {
        method,
        headers: {},
        ...body,
      });
      expect(path === '/sign-in' ? [401, 204] : [405, 204]).toContain(status);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('can neither frame, nor cache, nor index a page', async () => {
    for (const path of ['/', '/?q=canteen', '/read/lunch.md', '/read/none.md']) {
      const { headers } = await get(open, path);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it.each([
    '/?q=x%0d%0aSet-Cookie:%20a=b',
    '/sign-in?to=https://evil.example',
    '/sign-in?%0d%0aLocation:%20https://evil.example',
    '/read/lunch?%0d%0aSet-Cookie:a=b',
    '//evil.example/%2f..',
    '/read/%0d%0aLocation:https://evil.example/lunch',
  ])('%s adds no header and leads nowhere else', async (path) => {
    const { headers } = await get(open, path, { authorization: `Bearer ${TOKEN}` });
    expect(headers['set-cookie']).toBeUndefined();
    expect(String(headers.location ?? '/')).toMatch(/^\/(?!\/)/);
  });

  it('makes no operator record anything by a link on another site', async () => {
    const operator = { authorization: `Bearer ${OPERATOR}`, 'sec-fetch-mode': 'navigate' };
    const from = async (site: string) =>
      (await get(open, '/?q=canteen&why=1', { ...operator, 'sec-fetch-site': site })).status;
    expect(await from('cross-site')).toBe(200);
    expect(await from('same-origin')).toBe(303);
  });

  it('does not show operators’ facts to visitors', async () => {
    const { status, body, headers } = await get(open, '/?q=canteen&why=1');
    expect({ status, location: headers.location }).toEqual({ status: 200, location: undefined });
    expect(body).not.toContain('why=1');
  });
});
