import { writeFileSync } from 'node:fs';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const LONGEST = 65_536;
const TABLE = '|a|b|\n|-|-|\n|1|2|\n\n';
const KEYS = keysOf('ada', 'eve', 'mallory');
const folder = testFolder();
let server: HttpProcess;

beforeAll(async () => {
  writeFiles(folder.file('docs'), { 'tables.md': `# Tables\n\n${TABLE.repeat(30_000)}` });
  await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
  writeFileSync(
    folder.file('access.yaml'),
    accessText({ ada: { keys: [KEYS.ada] }, eve: { keys: [KEYS.eve] }, mallory: { keys: [KEYS.mallory] } }),
  );
  server = await startHttpProcess(folder.file('index.sqlite'), {
    MCP_DOMAINS: 'document',
    PITH_ACCESS_FILE: folder.file('access.yaml'),
  });
}, 60_000);

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const call = async (name: string, args: object, key = KEYS.ada) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const headers = { ...MCP_HEADERS, authorization: `Bearer ${key}` };
  return (await httpRequest(server.url, { headers, body })).body;
};

/** How long the server takes at most to answer something else before a call is answered, and how often it does. */
async function answeredMeanwhile(running: Promise<unknown>) {
  const { href } = new URL('/livez', server.url);
  let isOver = false;
  void running.then(() => (isOver = true));
  let [answered, slowestMs] = [0, 0];
  for (; !isOver; answered++) {
    const startedAt = performance.now();
    await httpRequest(href, { method: 'GET', headers: {} });
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  return { answered, slowestMs };
}

// Each takes about a second of the processor.
it.each([
  ['document.extract_tables', 'html', '<nobr><a>'],
  ['document.extract_tables', 'md', TABLE],
  ['document.parse', 'html', '<h1>a</h1>'],
  ['document.classify', 'md', '# a\n\nb\n\n'],
])('%s of hostile %s holds up nobody', async (name, format, unit) => {
  const text = unit.repeat(LONGEST / unit.length);
  await call('document.parse', { text: 'The thread has started.' });
  const running = call(name, {
    text,
    format,
    ...(name.endsWith('classify') && { labels: [{ label: 'a' }] }),
  });
  expect((await answeredMeanwhile(running)).answered).toBeGreaterThan(10);
  expect(await running).toMatch(/"document":|document_too_costly/);
});

// Each takes more than a second of the processor.
it.each([
  ['document.extract_tables', {}],
  ['document.classify', { labels: [{ label: 'a' }] }],
])('%s of a hostile document of the index holds up nobody', async (name, args) => {
  await call('document.parse', { text: 'The thread has started.' });
  const running = call(name, { document: 'tables.md', ...args });
  expect((await answeredMeanwhile(running)).slowestMs).toBeLessThan(800);
  expect(await running).toMatch(/"document":|document_too_costly/);
});

it('answers a caller while two others send as many hostile texts as they can', async () => {
  const hostile = { text: '<nobr><a>'.repeat(LONGEST / 9), format: 'html' };
  const sent = [KEYS.eve, KEYS.mallory].flatMap((key) =>
    Array.from({ length: 8 }, () => call('document.extract_tables', hostile, key)),
  );
  for (const text of ['One.', 'Two.', 'Three.']) {
    expect(await call('document.parse', { text })).toContain('"document":');
  }
  await Promise.all(sent);
}, 60_000);

it('says what is wrong with a document, and reads the next one', async () => {
  const nested = await call('document.parse', { text: '<div>'.repeat(10_000), format: 'html' });
  expect(nested).toContain('document_malformed');
  expect(await call('document.parse', { text: '# Title\n\nText.' })).toContain('"title":"Title"');
});
