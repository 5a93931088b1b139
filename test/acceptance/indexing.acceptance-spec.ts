import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessText, keysOf } from '../support/access.js';
import { approveCall } from '../support/approve-call.js';
import { SECRET } from '../support/builders.js';
import { errorOf, outcomeOf } from '../support/call-results.js';
import {
  type Era,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from '../support/mcp-clients.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const KEYS = keysOf('agent', 'trusted', 'plain');
const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
  MCP_DOMAINS: 'index',
  PITH_INGEST_ROOTS: folder.file('root'),
};
const GOVERNANCE = `
version: 1
agents:
  default: { capabilities: ['*'] }
  trusted: { capabilities: ['*', explain] }
policy:
  rules:
    - { name: trust, tools: [index.ingest], agents: [trusted], effect: allow }
    - { name: ask, tools: [index.ingest], effect: approve }
`;
const BIG_FILES = 1_300;
/** A run stages what it has parsed when it has this many sections. */
const STAGED_FILES = 500;

let http: HttpProcess;
const open = suiteClients(() => ({ index: '', url: http.url, env: ENV }));
const indexOf = (transport: TransportName): string => folder.file(`${transport}.sqlite`);

type Who = keyof typeof KEYS;

/** Over STDIO, whoever starts the server decides what the caller may do. */
const connect = (era: Era, transport: TransportName, who: Who): Promise<TestClient> =>
  open(era, transport, {
    index: indexOf(transport),
    env: {
      PITH_AGENT: who === 'trusted' ? 'trusted' : 'default',
      PITH_OPERATOR: who === 'agent' ? '0' : '1',
    },
    headers: { authorization: `Bearer ${KEYS[who]}` },
  });

beforeAll(async () => {
  writeFiles(folder.path, {
    'g.yaml': GOVERNANCE,
    'access.yaml': accessText({
      agent: { keys: [KEYS.agent] },
      trusted: { keys: [KEYS.trusted], permissions: ['read', 'operator'], agent: 'trusted' },
      plain: { keys: [KEYS.plain], permissions: ['read', 'operator'] },
    }),
    'outside/secret.md': '# Secret\n\nThe heron keeps a diary.\n',
    'rooted/secret.md': '# Beside\n\nThe heron lives next to it.\n',
    ...Object.fromEntries(
      Array.from({ length: BIG_FILES }, (_, i) => [
        `root/big/page-${i}.md`,
        `# Page ${i}\n\nThe harbour keeps gate number ${i}, and a keeper of that gate.\n`,
      ]),
    ),
  });
  for (const transport of ['stdio', 'http'])
    writeFiles(folder.file(`root/${transport}`), {
      'a.md': '# Osprey\n\nThe osprey dives for trout.\n',
      'b.md': '# Plover\n\nThe plover runs on the sand.\n',
    });
  symlinkSync(folder.file('outside'), folder.file('root/link'));
  http = await startHttpProcess(indexOf('http'), { ...ENV, PITH_ACCESS_FILE: folder.file('access.yaml') });
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

/** The examples of this section of the documentation, for a folder of this test. */
function examples(docs: string): Record<string, unknown>[] {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', 'domains.md'), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith('Indexes')) ?? '';
  const blocks = [...section.matchAll(/^```json\n(.*?)^```/gms)];
  return blocks.map(
    ([, block = '']) => JSON.parse(block.replace('/srv/docs', docs)) as Record<string, unknown>,
  );
}

const ingest = (name: string) => ({ source: { folder: folder.file(name) } });

describe.each(ONE_OF_EACH)('index.* of a client %s over %s', (era, transport) => {
  let agent: TestClient;
  let trusted: TestClient;
  const search = async (query: string): Promise<unknown> => {
    const { structuredContent } = await agent.call('index.search', { query });
    return Object(structuredContent)['results'].map(({ section_id }: { section_id: string }) => section_id);
  };

  beforeAll(async () => {
    [agent, trusted] = [await connect(era, transport, 'agent'), await connect(era, transport, 'trusted')];
  });

  it('says that nothing is indexed yet', async () => {
    const { structuredContent } = await agent.call('index.status');
    expect(structuredContent).toMatchObject({
      generation: null,
      documents: 0,
      is_running: false,
      source: null,
    });
  });

  it('waits for an approval, then indexes with progress and returns the report', async () => {
    const first = await agent.call('index.ingest', ingest(`root/${transport}`));
    expect(outcomeOf(first)).toBe('approval_required');
    await approveCall(folder.file(`${transport}.governance.sqlite`), first);
    const seen: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void seen.push(progress);
    const done = await agent.call('index.ingest', ingest(`root/${transport}`), { onprogress });
    expect(done.structuredContent).toMatchObject({ documents: 2, parsed: 2, removed: 0, partial: false });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(await search('osprey')).toEqual(['a.md']);
  });

  it('shows a changed document afterwards, and says that the index has changed', async () => {
    const { structuredContent: before } = await agent.call('index.status');
    writeFileSync(
      folder.file(`root/${transport}/b.md`),
      '# Plover\n\nThe plover now wades with the avocet.\n',
    );
    const done = await trusted.call('index.ingest', ingest(`root/${transport}`));
    expect(done.structuredContent).toMatchObject({ documents: 2, parsed: 1, unchanged: 1 });
    expect(await search('avocet')).toEqual(['b.md']);
    const { generation } = Object(before);
    const { structuredContent } = await agent.call('index.status', { known_generation: generation });
    const path = transport === 'stdio' ? { path: folder.file(`root/${transport}`) } : {};
    expect(structuredContent).toMatchObject({ changed: true, engines: ['sqlite'], documents: 2 });
    expect(structuredContent?.['source']).toEqual({ kind: 'folder', name: transport, ...path });
  });

  it('answers alike for folders outside the roots, missing ones, files and symlinks that lead out', async () => {
    const names = [
      'outside',
      'nowhere',
      'rooted',
      'root/link',
      'root/missing',
      `root/${transport}/a.md`,
      'root/../outside',
    ];
    const refused: unknown[] = [];
    for (const name of names) {
      const { message, details } = errorOf(await trusted.call('index.ingest', ingest(name)));
      refused.push([message, Object(details)['reason']]);
    }
    expect(new Set(refused.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(Object(refused[0])[1]).toBe('folder_not_allowed');
    expect(await search('heron')).toEqual([]);
  });

  it('runs one at a time, answers meanwhile, stops when cancelled, and continues', async () => {
    const cancel = new AbortController();
    const listeners = new Map<number, () => void>();
    const reached = (files: number) => new Promise<void>((resolve) => void listeners.set(files, resolve));
    const [begun, staged] = [reached(0), reached(STAGED_FILES)];
    const onprogress = ({ progress }: { readonly progress: number }): void => {
      for (const [files, tell] of listeners) if (progress > files) tell();
    };
    const more = { signal: cancel.signal, onprogress };
    const running = trusted.call('index.ingest', ingest('root/big'), more).catch(String);
    await begun;
    const [status, found, second] = await Promise.all([
      trusted.call('index.status'),
      search('osprey'),
      trusted.call('index.ingest', ingest(`root/${transport}`)),
    ]);
    await staged;
    expect(status.structuredContent).toMatchObject({ is_running: true, documents: 2 });
    expect([found, outcomeOf(second)]).toEqual([['a.md'], 'index_busy']);
    cancel.abort();
    expect(await running).toMatch(/abort/i);
    const again = await trusted.call('index.ingest', ingest('root/big'));
    expect(again.structuredContent).toMatchObject({ documents: BIG_FILES, removed: 2 });
    expect(Object(again.structuredContent)['resumed']).toBeGreaterThan(0);
  });

  it('explains a missing section to operators whose agent has the capability, within the scope', async () => {
    const question = 'Who keeps the gate number 7?';
    const [asked, other] = ['page-7.md', 'page-8.md'].map((section_id) => ({ section_id, question }));
    const found = await trusted.call('index.explain', asked);
    expect(found.structuredContent).toMatchObject({
      section_id: 'page-7.md',
      causes: [{ cause: 'returned' }],
    });
    const missed = await trusted.call('index.explain', { ...other, tool: 'kb.search', top_k: 1 });
    expect(Object(missed.structuredContent)['causes'][0]).toMatchObject({ listed: 1 });
    const hidden = await trusted.call('index.explain', { ...asked, scope: { doc_tags: [] } });
    expect(hidden.structuredContent).toMatchObject({ causes: [{ cause: 'not_indexed', others: [] }] });
    const plain = await connect(era, transport, 'plain');
    const listed = (await plain.listTools()).map(({ name }) => name);
    expect([listed.includes('index.status'), listed.includes('index.explain')]).toEqual([true, false]);
  });

  it('accepts the examples of the documentation', async () => {
    const [asIngest, , asStatus, asExplain] = examples(folder.file(`root/${transport}`));
    const done = await trusted.call('index.ingest', asIngest);
    expect(done.structuredContent).toMatchObject({ documents: 2, removed: BIG_FILES });
    const { structuredContent: status } = await trusted.call('index.status', asStatus);
    expect(status).toMatchObject({ changed: true });
    const { structuredContent: why } = await trusted.call('index.explain', asExplain);
    expect(why).toMatchObject({ causes: [{ cause: 'not_indexed' }] });
  });
});
