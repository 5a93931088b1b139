import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { UNKNOWN_SHA256 } from '../support/a-substrate.js';
import { approveCall } from '../support/approve-call.js';
import { SECRET } from '../support/builders.js';
import { dataOf, errorOf, reasonOf } from '../support/call-results.js';
import { inspectIndex } from '../support/check-index.js';
import {
  type CallResult,
  cleanEnv,
  type HttpProcess,
  PROGRAM,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { suiteClients } from '../support/suite-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const ENV = {
  MCP_DOMAINS: 'index,substrate',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_WORK_FILE: folder.file('work.sqlite'),
  PITH_ENVIRONMENT: 'prod',
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
};
const CHECKOUTS = folder.file('.work.sqlite.checkouts');
const MANY_FILES = 600;

let http: HttpProcess;
const open = suiteClients(() => ({ index: '', url: http.url, env: ENV }));
const indexOf = (name: string): string => folder.file(`${name}.sqlite`);

const connect = (transport: TransportName, env: Record<string, string>, index: string): Promise<TestClient> =>
  open(transport === 'stdio' ? 'v1' : 'v2', transport, { index, env });

beforeAll(async () => {
  writeFiles(folder.path, {
    'g.yaml': `
version: 1
agents:
  default: { capabilities: ['*'] }
  trusted: { capabilities: ['*'] }
policy:
  rules:
    - { name: publish, tools: [substrate.*], effect: allow }
    - { name: trust, tools: [index.ingest], agents: [trusted], effect: allow }
    - { name: ask, tools: [index.ingest], effect: approve }
`,
  });
  http = await startHttpProcess(indexOf('http'), { ...ENV, PITH_PROJECT: 'http' });
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

/** @returns the SHA-256 of a manifest with these files */
async function publish(client: TestClient, files: Record<string, string>): Promise<string> {
  const entries = [];
  for (const [path, text] of Object.entries(files)) {
    const { sha256 } = dataOf(await client.call('substrate.artifact.upload', { text }));
    entries.push({ path, artifact_sha256: sha256 });
  }
  return dataOf(await client.call('substrate.manifest.create', { entries })).sha256;
}

/** @returns the SHA-256 of a manifest with many files, all with one text */
async function publishMany(client: TestClient): Promise<string> {
  const text = '# Buoy\n\nThe buoy is green.\n';
  const { sha256: artifact_sha256 } = dataOf(await client.call('substrate.artifact.upload', { text }));
  const entries = Array.from({ length: MANY_FILES }, (_, i) => ({ path: `page-${i}.md`, artifact_sha256 }));
  return dataOf(await client.call('substrate.manifest.create', { entries })).sha256;
}

const approve = (transport: TransportName, asked: CallResult): Promise<void> =>
  approveCall(folder.file(`${transport}.governance.sqlite`), asked);

const FILES = {
  'guides/osprey.md': '# Osprey\n\nThe osprey dives for trout. See [the plover](plover.md).\n',
  'guides/plover.md': '# Plover\n\nThe plover runs on the sand.\n',
  'index.md': '# Birds\n\nAll birds of the bay.\n',
};

/** Everything in the index but its own id, its time and what the next run compares files with. */
function contentOf(file: string): unknown {
  const database = openDatabase(file, { timeout: 5_000 });
  const all = (sql: string): unknown[] => database.prepare(sql).all();
  try {
    return [
      all("SELECT * FROM meta WHERE key NOT IN ('index_id', 'indexed_at', 'generation') ORDER BY key"),
      all('SELECT * FROM document ORDER BY path'),
      all('SELECT * FROM section ORDER BY section_id'),
      all('SELECT * FROM graph_place ORDER BY node_id'),
      all('SELECT * FROM graph_link ORDER BY place_id, href'),
    ];
  } finally {
    database.close();
  }
}

/** The last example of this section of the documentation. */
function documented(): Record<string, unknown> {
  const text = readFileSync(join(PACKAGE_ROOT, 'docs', 'domains.md'), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith('Indexes')) ?? '';
  const blocks = [...section.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) => block);
  return JSON.parse(blocks.find((block) => block.includes('"pointer"')) ?? '');
}

describe.each<TransportName>(['stdio', 'http'])('index.ingest of a manifest over %s', (transport) => {
  let agent: TestClient;
  let first = '';
  const search = async (query: string): Promise<unknown> =>
    dataOf(await agent.call('index.search', { query })).results.map(
      ({ section_id }: { section_id: string }) => section_id,
    );

  beforeAll(async () => {
    agent = await connect(transport, { PITH_PROJECT: transport }, indexOf(transport));
    first = await publish(agent, FILES);
    const pointer = { name: 'policies', type: 'corpus', manifest_sha256: first };
    dataOf(await agent.call('substrate.pointer.create', pointer));
  });

  it('waits for an approval, then indexes where the pointer is, with progress, and says so', async () => {
    const asked = await agent.call('index.ingest', documented());
    expect(reasonOf(asked)).toBe('approval_required');
    await approve(transport, asked);
    const seen: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void seen.push(progress);
    const done = await agent.call('index.ingest', documented(), { onprogress });
    const pointer = { namespace: 'default', name: 'policies', version: 1 };
    expect(dataOf(done)).toMatchObject({ documents: 3, parsed: 3, manifest_sha256: first, pointer });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(await search('osprey')).toEqual(['guides/osprey.md']);
    const found = await agent.call('index.search', { query: 'osprey' });
    expect(found._meta?.['pith/untrusted']).toEqual({ repositories: [transport] });
    const { source } = dataOf(await agent.call('index.status'));
    expect(source).toEqual({ kind: 'manifest', manifest_sha256: first, pointer });
  });

  it('leaves no copy behind, and nothing in the index depends on where it was', async () => {
    expect(readdirSync(CHECKOUTS)).toEqual([]);
    expect(readFileSync(indexOf(transport)).includes('.checkouts')).toBe(false);
    const { results } = dataOf(await agent.call('kb.search', { query: 'trout' }));
    expect(JSON.stringify(results)).not.toContain('checkouts');
  });

  it('takes the next manifest when the pointer has moved, and indexes only what changed', async () => {
    const next = await publish(agent, { ...FILES, 'index.md': '# Birds\n\nThe avocet is new.\n' });
    const move = { name: 'policies', expected_sha256: first, manifest_sha256: next, reason: 'avocet' };
    dataOf(await agent.call('substrate.pointer.advance', move));
    const asked = await agent.call('index.ingest', documented());
    await approve(transport, asked);
    const done = await agent.call('index.ingest', documented());
    expect(dataOf(done)).toMatchObject({ parsed: 1, unchanged: 2, removed: 0, manifest_sha256: next });
    expect(dataOf(done).pointer.version).toBe(2);
    expect(await search('avocet')).toEqual(['index.md']);
  });
});

describe('index.ingest of a manifest', () => {
  let trusted: TestClient;
  const ingest = (source: object, more?: Record<string, unknown>): Promise<CallResult> =>
    trusted.call('index.ingest', { source }, more);

  beforeAll(async () => {
    trusted = await connect('stdio', { PITH_AGENT: 'trusted', PITH_PROJECT: 'docs' }, indexOf('one'));
  });

  afterEach(() => rmSync(join(CHECKOUTS, 'not-a-copy'), { recursive: true, force: true }));

  it('makes the same index of the same manifest, at any time and in any index file', async () => {
    const manifest_sha256 = await publish(trusted, { ...FILES, '.gitignore': '*.md\n' });
    const made = dataOf(await ingest({ manifest_sha256 }));
    const other = await connect('stdio', { PITH_AGENT: 'trusted', PITH_PROJECT: 'docs' }, indexOf('two'));
    dataOf(await other.call('index.ingest', { source: { manifest_sha256 } }));
    expect(contentOf(indexOf('two'))).toEqual(contentOf(indexOf('one')));
    expect(dataOf(await ingest({ manifest_sha256 }))).toMatchObject({
      generation: made.generation,
      unchanged: 3,
      ignored: 0,
    });
  });

  it('indexes a pointer only where it was approved, if the manifest is sent with it', async () => {
    const [approved, moved] = [
      await publish(trusted, FILES),
      await publish(trusted, { 'a.md': '# A\n\nA text.\n' }),
    ];
    const pointer = { name: 'pinned' };
    const created = { ...pointer, type: 'corpus', manifest_sha256: approved };
    dataOf(await trusted.call('substrate.pointer.create', created));
    expect(dataOf(await ingest({ pointer, manifest_sha256: approved }))).toMatchObject({ documents: 3 });
    const advance = { ...pointer, expected_sha256: approved, manifest_sha256: moved, reason: 'Moved' };
    dataOf(await trusted.call('substrate.pointer.advance', advance));
    const refused = await ingest({ pointer, manifest_sha256: approved });
    expect(errorOf(refused).details).toMatchObject({ reason: 'conflict', current_sha256: moved });
    expect(dataOf(await trusted.call('index.status')).documents).toBe(3);
  });

  it('refuses several sources, none, unknown ones and a manifest without documents', async () => {
    const images = await publish(trusted, { 'a.bin': 'A' });
    const refused: [unknown, string][] = [];
    for (const source of [
      {},
      { manifest_sha256: images, folder: folder.path },
      { manifest_sha256: UNKNOWN_SHA256 },
      { pointer: { name: 'nowhere' } },
      { manifest_sha256: images },
    ]) {
      const result = await ingest(source);
      refused.push([reasonOf(result), errorOf(result).message]);
    }
    expect(refused.map(([reason]) => reason)).toEqual([
      'invalid_input',
      'invalid_input',
      'manifest_not_found',
      'pointer_not_found',
      'no_documents',
    ]);
    expect(refused.at(-1)?.[1]).toContain('No documents to index in the manifest');
    expect(readdirSync(CHECKOUTS)).toEqual([]);
  });

  it('has removed the copy when a call was cancelled', async () => {
    const manifest_sha256 = await publishMany(trusted);
    const cancel = new AbortController();
    const onprogress = (): void => cancel.abort();
    const running = ingest({ manifest_sha256 }, { signal: cancel.signal, onprogress }).catch(String);
    expect(await running).toMatch(/abort/i);
    await poll('the copy is gone', async () => readdirSync(CHECKOUTS).length === 0 || undefined);
    const { source } = dataOf(await trusted.call('index.status'));
    expect(source.manifest_sha256).not.toBe(manifest_sha256);
  });

  it('publishes nothing when the server is killed, and the next run removes what was left', async () => {
    const project = `killed-${randomUUID()}`;
    const env = { PITH_AGENT: 'trusted', PITH_PROJECT: project };
    const killed = await connect('stdio', env, indexOf(project));
    const manifest_sha256 = await publishMany(killed);
    const running = killed.call('index.ingest', { source: { manifest_sha256 } }).catch(String);
    const copied = (): boolean =>
      readdirSync(CHECKOUTS).some((name) => existsSync(join(CHECKOUTS, name, 'page-300.md')));
    await poll('a half copy', async () => copied() || undefined);
    process.kill(killed.pid() ?? 0, 'SIGKILL');
    await running;
    expect(readdirSync(CHECKOUTS)).toHaveLength(1);
    mkdirSync(join(CHECKOUTS, 'not-a-copy'));
    const again = await connect('stdio', env, indexOf(project));
    expect(dataOf(await again.call('index.status')).generation).toBeNull();
    const done = await again.call('index.ingest', { source: { manifest_sha256 } });
    expect(dataOf(done)).toMatchObject({ documents: MANY_FILES });
    expect(readdirSync(CHECKOUTS)).toEqual(['not-a-copy']);
  });

  it('ends the process that indexes a copy when its server has ended, and publishes nothing', async () => {
    const pages = Array.from({ length: MANY_FILES }, (_, i) => [`${i}.md`, `# Page ${i}\n\nGate ${i}.\n`]);
    writeFiles(folder.file('copy'), Object.fromEntries(pages));
    const args = ['index', folder.file('copy'), '--index', indexOf('orphan'), '--origin', 'manifest:0'];
    const child = fork(PROGRAM, args, { silent: true, env: cleanEnv() });
    await once(child, 'message');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(inspectIndex(indexOf('orphan'))).toBeNull();
  });
});
