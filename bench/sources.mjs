// npm run build && node bench/sources.mjs [--pages 5000] [--site-pages 1000]: what it costs to keep sources up to date.
//   push   time from a signed push of one changed page, to a repository of so many pages, until a server answers from it
//   site   requests of a sync with nothing new of a site with a sitemap, and whether a byte of the index file has changed
// Repository and site are made of generated pages, in a folder that is removed at the end.
import { createHash, createHmac } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    'site-pages': { type: 'string', default: '1000' },
    pith: { type: 'string', default: fileURLToPath(new URL('../bin/pith.js', import.meta.url)) },
  },
});
const root = mkdtempSync(join(tmpdir(), 'pith-sources-'));
const env = { ...process.env, XDG_DATA_HOME: join(root, 'data'), PUSH_SECRET: 'a-secret-of-the-bench' };
const BODY = '{"ref":"refs/heads/main"}';
const POLL_MS = 100;
const MAX_MS = 600_000;

const words = (n) => ['harbour', 'crane', 'berth', 'tug', 'rope', 'pilot', 'anchor'][n % 7];
const pageText = (n, load) =>
  `# Crane ${n}\n\nCrane number ${n} lifts ${load} at the ${words(n)}.\n\n## Rules\n\nThe ${words(n + 1)} of crane ${n} closes at ${n % 24}.\n`;

async function until(what, test) {
  for (const startedAt = performance.now(); ; await sleep(POLL_MS)) {
    const found = await test();
    if (found) return performance.now() - startedAt;
    if (performance.now() - startedAt > MAX_MS) throw new Error(`${what} did not come`);
  }
}

function git(folder, ...args) {
  const run = spawnSync('git', [
    '-C',
    folder,
    '-c',
    'user.name=b',
    '-c',
    'user.email=b@example.com',
    ...args,
  ]);
  if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr}`);
}

async function answer(url, question) {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'kb_retrieve_evidence', arguments: { question } },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await globalThis.fetch(`${url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  });
  return response.text();
}

async function measurePush(pages) {
  const [repository, list] = [join(root, 'handbook'), join(root, 'list')];
  mkdirSync(join(repository, 'docs'), { recursive: true });
  mkdirSync(list);
  for (let n = 0; n < pages; n++)
    writeFileSync(join(repository, 'docs', `crane-${n}.md`), pageText(n, 'timber'));
  git(root, 'init', '-q', '-b', 'main', repository);
  git(repository, 'add', '-A');
  git(repository, 'commit', '-qm', 'first');
  writeFileSync(
    join(list, '.pith.yaml'),
    `include: []\nsources:\n  - { address: "file://${repository}/.git", name: handbook, hook_secret: PUSH_SECRET }\n`,
  );
  const server = spawn(
    process.execPath,
    [values.pith, 'http', '--docs', list, '--index', join(root, 'i.sqlite'), '--port', '0'],
    {
      env,
      cwd: root,
    },
  );
  let log = '';
  server.stderr.on('data', (text) => (log += text));
  try {
    await until('the first index', () => log.includes('Indexed '));
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(log);
    const question = 'What does crane number 77 lift?';
    await until('the first answer', async () => (await answer(url, question)).includes('lifts timber'));
    writeFileSync(join(repository, 'docs', 'crane-77.md'), pageText(77, 'feathers'));
    git(repository, 'commit', '-qam', 'second');
    const signature = createHmac('sha256', env.PUSH_SECRET).update(BODY).digest('hex');
    const startedAt = performance.now();
    const { status } = await globalThis.fetch(`${url}/hooks/sources/handbook`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': `sha256=${signature}` },
      body: BODY,
    });
    let slowest = 0;
    await until('the update', async () => {
      const askedAt = performance.now();
      const text = await answer(url, question);
      slowest = Math.max(slowest, performance.now() - askedAt);
      return text.includes('feathers');
    });
    return {
      pages,
      status,
      seconds: (performance.now() - startedAt) / 1000,
      slowestAnswerMs: Math.round(slowest),
    };
  } finally {
    server.kill('SIGTERM');
    await until('the end of the server', () => server.exitCode !== null || server.signalCode !== null);
  }
}

async function measureSite(pages) {
  let requests = [];
  const site = createServer(({ url = '' }, response) => {
    requests.push(url);
    const [, n] = /^\/docs\/page-(\d+)\.html$/.exec(url) ?? [];
    const { port } = site.address();
    const at = (path) => `http://127.0.0.1:${port}/docs/${path}`;
    if (url === '/sitemap.xml') {
      const entries = Array.from(
        { length: pages },
        (_, i) => `<url><loc>${at(`page-${i}.html`)}</loc><lastmod>2026-01-02</lastmod></url>`,
      );
      response.setHeader('content-type', 'application/xml');
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`,
      );
    } else if (n !== undefined && Number(n) < pages) {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<html><title>Page ${n}</title><main><h1>Page ${n}</h1><p>Berth ${n} is ${words(Number(n))}.</p></main></html>`,
      );
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => void site.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${site.address().port}`;
  const list = join(root, 'site');
  mkdirSync(list);
  const text = `include: []\nsources:\n  - { address: "http://${host}/docs/", name: docs, kind: site, allowed_hosts: ["${host}"] }\n`;
  writeFileSync(join(list, '.pith.yaml'), text);
  const sync = async () => {
    requests = [];
    const run = spawn(
      process.execPath,
      [values.pith, 'sync', '--folder', list, '--index', join(root, 's.sqlite'), '--json'],
      { env },
    );
    let out = '';
    run.stdout.on('data', (part) => (out += part));
    await new Promise((done) => run.on('close', done));
    return { ...JSON.parse(out), requests: requests.length };
  };
  const files = () =>
    readdirSync(root)
      .filter((name) => name === 's.sqlite')
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(root, name)))
          .digest('hex'),
      ]);
  try {
    const first = await sync();
    const before = JSON.stringify(files());
    const again = await sync();
    return {
      ...{ pages: first.documents, firstRequests: first.requests, requests: again.requests },
      state: again.sources[0].state,
      isIndexWritten: again.generation !== first.generation || JSON.stringify(files()) !== before,
    };
  } finally {
    site.close();
  }
}

try {
  console.log('push', JSON.stringify(await measurePush(Number(values.pages))));
  console.log('site', JSON.stringify(await measureSite(Number(values['site-pages']))));
} finally {
  rmSync(root, { recursive: true, force: true });
}
