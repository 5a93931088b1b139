import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { accessText, keysOf } from '../support/access.js';
import { approveCall } from '../support/approve-call.js';
import { SECRET } from '../support/builders.js';
import { dataOf, errorOf, reasonOf } from '../support/call-results.js';
import {
  type CallResult,
  type ConnectOptions,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { runPith } from '../support/run-pith.js';
import { suiteClients } from '../support/suite-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const KEYS = keysOf('agent', 'asker', 'limited');
const ENV = {
  MCP_DOMAINS: 'knowledge,substrate,claim',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_INGEST_ROOTS: folder.file('root'),
  PITH_ENVIRONMENT: 'prod',
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
};
const MANY_FILES = 500;
const MILL = '# Mill\n\nThe mill grinds rye.\n';

let http: HttpProcess;
const open = suiteClients(() => ({ index: '', url: http.url, env: { ...ENV, PITH_AGENT: 'trusted' } }));

const connect = (transport: TransportName, more: Partial<ConnectOptions> = {}): Promise<TestClient> =>
  open(transport === 'stdio' ? 'v1' : 'v2', transport, {
    ...{ index: folder.file(`${transport}.sqlite`), ...more },
    env: { PITH_PROJECT: transport, ...more.env },
    headers: { authorization: `Bearer ${KEYS.agent}`, ...more.headers },
  });

beforeAll(async () => {
  writeFiles(folder.path, {
    'g.yaml': `
version: 1
agents:
  default: { capabilities: ['*'] }
  trusted: { capabilities: ['*'] }
policy:
  rules:
    - { name: publish, tools: [substrate.*, claim.*], effect: allow }
    - { name: create, tools: [knowledge.kb_create], agents: [trusted], effect: allow }
    - { name: ask, tools: [knowledge.kb_create], effect: approve }
`,
    'access.yaml': accessText({
      agent: { keys: [KEYS.agent], agent: 'trusted' },
      asker: { keys: [KEYS.asker] },
      limited: { keys: [KEYS.limited], agent: 'trusted', scope: { doc_tags: ['public'] } },
    }),
    'root/birds/osprey.md': '---\ndoc_tag: public\n---\n# Osprey\n\nThe osprey dives for trout at dawn.\n',
    'root/birds/plover.md':
      '---\ndoc_tag: secret\n---\n# Plover\n\nThe plover hides its nest behind the mill.\n',
    'root/fish/trout.md': '# Trout\n\nThe trout hides under the stone bridge.\n',
    'own/mill.md': MILL,
    'root/mills/mill.md': MILL,
    'outside/heron.md': '# Heron\n\nThe heron keeps a diary.\n',
    ...Object.fromEntries(
      Array.from({ length: MANY_FILES }, (_, i) => [
        `root/many/${i}.md`,
        `# Gate ${i}\n\nA gate, number ${i}.\n`,
      ]),
    ),
  });
  for (const transport of ['stdio', 'http']) {
    const run = await runPith([
      'index',
      folder.file('own'),
      '--project',
      transport,
      '--index',
      folder.file(`${transport}.sqlite`),
    ]);
    expect(run.code).toBe(0);
  }
  const own = { ...ENV, PITH_PROJECT: 'http', PITH_ACCESS_FILE: folder.file('access.yaml') };
  http = await startHttpProcess(folder.file('http.sqlite'), own);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

const source = (name: string) => ({ folder: folder.file(name) });
const quotesOf = (result: CallResult): string[] =>
  dataOf(result).quotes.map(({ quote }: { quote: string }) => quote);
const corporaOf = (transport: TransportName): string => folder.file(`${transport}.work.sqlite.corpora`);
const indexesOf = (transport: TransportName): string[] =>
  readdirSync(corporaOf(transport)).filter((name) => name.endsWith('.sqlite'));

/** The examples of this section of the documentation, for a folder of this test. */
function examples(): { tool: string; arguments: Record<string, unknown> }[] {
  const text = readFileSync(join(PACKAGE_ROOT, 'docs', 'domains.md'), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith('Named corpora')) ?? '';
  return [...section.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) =>
    JSON.parse(block.replace('/srv/birds', folder.file('root/birds'))),
  );
}

describe.each<TransportName>(['stdio', 'http'])('knowledge.* over %s', (transport) => {
  let agent: TestClient;
  const ask = (name: string, question: string, more: object = {}): Promise<CallResult> =>
    agent.call('knowledge.kb_query', { name, question, ...more });

  beforeAll(async () => {
    agent = await connect(transport);
  });

  it('does what the documentation shows: waits for approval, builds with progress, answers, lists', async () => {
    const [create, query, list] = examples();
    if (!create || !query || !list) throw new Error('examples are missing');
    const as = { env: { PITH_AGENT: 'default' }, headers: { authorization: `Bearer ${KEYS.asker}` } };
    const asker = await connect(transport, as);
    const asked = await asker.call(create.tool, create.arguments);
    expect(reasonOf(asked)).toBe('approval_required');
    await approveCall(folder.file(`${transport}.governance.sqlite`), asked);
    const seen: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void seen.push(progress);
    const made = dataOf(await asker.call(create.tool, create.arguments, { onprogress }));
    expect(made).toMatchObject({ name: 'birds', folder: 'birds', documents: 2, partial: false });
    expect(seen.length).toBeGreaterThan(0);
    expect(quotesOf(await agent.call(query.tool, query.arguments))).toEqual([
      'The osprey dives for trout at dawn.',
    ]);
    const { corpora } = dataOf(await agent.call(list.tool, list.arguments));
    expect(corpora).toMatchObject([{ name: 'birds', documents: 2, sections: 2 }]);
  });

  it('keeps corpora apart, and apart from the index of the server', async () => {
    dataOf(await agent.call('knowledge.kb_create', { name: 'fish', source: source('root/fish') }));
    const question = 'Who hides under the bridge?';
    expect(quotesOf(await ask('fish', question))).toEqual(['The trout hides under the stone bridge.']);
    expect(JSON.stringify(quotesOf(await ask('birds', question)))).not.toContain('bridge');
    expect(dataOf(await agent.call('kb.search', { query: 'trout' })).results).toEqual([]);
    expect(reasonOf(await ask('birdss', question))).toBe('corpus_not_found');
  });

  it('reads on where a quote was', async () => {
    const { quotes } = dataOf(await ask('fish', 'Where does the trout hide?'));
    const read = dataOf(await agent.call('kb.read_excerpt', { passage_id: quotes[0].passage_id }));
    expect(JSON.stringify(read)).toContain('stone bridge');
  });

  it('has no quotes for claims, which rest on the index of the server, even if the text is there too', async () => {
    dataOf(await agent.call('knowledge.kb_create', { name: 'mills', source: source('root/mills') }));
    const [ofCorpus] = dataOf(await ask('mills', 'What does the mill grind?')).quotes;
    const evidenceOf = (more: object) => [{ quote: 'The mill grinds rye.', ...more }];
    const claim = (evidence: object): Promise<CallResult> =>
      agent.call('claim.create', { statement: 'Mills grind rye.', evidence });
    await agent.call('kb.read_excerpt', { passage_id: ofCorpus.passage_id });
    const refused = await claim(evidenceOf({ passage_id: ofCorpus.passage_id }));
    expect(Object(errorOf(refused).details)).toMatchObject({
      ...{ reason: 'passage_of_corpus', corpus: 'mills', quote: 1 },
    });
    expect(refused.content[0]?.text).toMatch(/Quote 1 is of the corpus mills.*kb\.retrieve_evidence/);
    const [ofServer] = dataOf(
      await agent.call('kb.retrieve_evidence', { question: 'What does the mill grind?' }),
    ).quotes;
    for (const place of [{ passage_id: ofServer.passage_id }, { section_id: 'mill.md' }])
      expect(dataOf(await claim(evidenceOf(place)))).toMatchObject({ evidence_total: 1 });
  });

  it('narrows to the scope of a call', async () => {
    const question = 'What hides behind the mill?';
    expect(quotesOf(await ask('birds', question))).toHaveLength(1);
    const hidden = await ask('birds', question, { scope: { doc_tags: ['public'] } });
    expect(JSON.stringify(dataOf(hidden))).not.toContain('mill');
    const other = await ask('birds', question, { scope: { project_id: 'other' } });
    expect(reasonOf(other)).toBe('project_mismatch');
  });

  it('builds again only if asked to, from a manifest too, and names it; the old index is gone', async () => {
    const text = '# Eel\n\nThe eel swims to the sea.\n';
    const { sha256 } = dataOf(await agent.call('substrate.artifact.upload', { text }));
    const entries = [{ path: 'eel.md', artifact_sha256: sha256 }];
    const manifest = dataOf(await agent.call('substrate.manifest.create', { entries })).sha256;
    const again = { name: 'fish', source: { manifest_sha256: manifest } };
    expect(reasonOf(await agent.call('knowledge.kb_create', again))).toBe('corpus_exists');
    const count = indexesOf(transport).length;
    const made = dataOf(await agent.call('knowledge.kb_create', { ...again, replace: true }));
    expect(made).toMatchObject({ documents: 1, manifest_sha256: manifest });
    expect(indexesOf(transport)).toHaveLength(count);
    expect(quotesOf(await ask('fish', 'Where does the eel swim?'))).toEqual(['The eel swims to the sea.']);
  });

  it('builds from a pointer, and names the pointer and its manifest', async () => {
    const text = '# Tench\n\nThe tench sleeps in the mud.\n';
    const { sha256 } = dataOf(await agent.call('substrate.artifact.upload', { text }));
    const entries = [{ path: 'tench.md', artifact_sha256: sha256 }];
    const manifest_sha256 = dataOf(await agent.call('substrate.manifest.create', { entries })).sha256;
    const name = 'pond';
    await agent.call('substrate.pointer.create', { name, type: 'corpus', manifest_sha256 });
    const make = (more: object): Promise<CallResult> =>
      agent.call('knowledge.kb_create', { name, source: { pointer: { name, ...more } } });
    expect(reasonOf(await make({ namespace: 'other' }))).toBe('pointer_not_found');
    expect(dataOf(await make({}))).toMatchObject({
      ...{ documents: 1, manifest_sha256, pointer: { namespace: 'default', name, version: 1 } },
    });
    expect(quotesOf(await ask(name, 'Where does the tench sleep?'))).toEqual([
      'The tench sleeps in the mud.',
    ]);
  });

  it('applies settings, and fences text of a repository that they do not trust, also when it is read on', async () => {
    const settings_json = JSON.stringify({ repository: 'wild', trusted: false, ignore: ['plover.md'] });
    const made = { name: 'wild', source: source('root/birds'), settings_json };
    expect(dataOf(await agent.call('knowledge.kb_create', made)).documents).toBe(1);
    const found = await ask('wild', 'What does the osprey dive for?');
    expect(found._meta?.['pith/untrusted']).toEqual({ repositories: ['wild'] });
    const [{ passage_id }] = dataOf(found).quotes;
    const read = await agent.call('kb.read_excerpt', { passage_id });
    expect(read._meta?.['pith/untrusted']).toEqual({ repositories: ['wild'] });
    const wrong = await agent.call('knowledge.kb_create', {
      ...made,
      name: 'x',
      settings_json: '{"nope":1}',
    });
    expect(errorOf(wrong).message).toMatch(/nope/);
    expect(errorOf(wrong).message).not.toContain('checkouts');
  });

  it('leaves nothing after a refusal or a cancellation, and builds one at a time', async () => {
    const before = readdirSync(corporaOf(transport));
    const outside = await agent.call('knowledge.kb_create', { name: 'heron', source: source('outside') });
    expect(reasonOf(outside)).toBe('folder_not_allowed');
    const cancel = new AbortController();
    const begun = new Promise<void>((resolve) => {
      const many = { name: 'many', source: source('root/many') };
      const more = { signal: cancel.signal, onprogress: () => resolve() };
      void agent.call('knowledge.kb_create', many, more).catch(() => undefined);
    });
    await begun;
    const second = await agent.call('knowledge.kb_create', { name: 'two', source: source('root/fish') });
    expect(reasonOf(second)).toBe('index_busy');
    cancel.abort();
    await poll(
      'nothing is left',
      async () => readdirSync(corporaOf(transport)).length === before.length || undefined,
    );
    expect(reasonOf(await ask('many', 'A gate?'))).toBe('corpus_not_found');
  });

  it('reads more corpora than are open at once', async () => {
    for (const name of ['k1', 'k2', 'k3', 'k4'])
      dataOf(await agent.call('knowledge.kb_create', { name, source: source('root/fish') }));
    for (const name of ['k1', 'k2', 'k3', 'k4', 'birds', 'k1'])
      expect(dataOf(await ask(name, 'Where does the trout hide?')).answerable).toBeDefined();
  });
});

describe('corpora', () => {
  it('show a caller who may see only some documents only these, no counts, and let it build none', async () => {
    const limited = await connect('http', { headers: { authorization: `Bearer ${KEYS.limited}` } });
    const asking = { name: 'birds', question: 'What hides behind the mill?' };
    expect(JSON.stringify(dataOf(await limited.call('knowledge.kb_query', asking)))).not.toContain('mill');
    const { corpora } = dataOf(await limited.call('knowledge.kb_list'));
    expect(corpora[0]).toMatchObject({ name: 'birds', documents: null, sections: null });
    const made = { name: 'mine', source: source('root/fish') };
    expect(reasonOf(await limited.call('knowledge.kb_create', made))).toBe('documents_limited');
  });

  it('of another project do not exist', async () => {
    const env = { PITH_PROJECT: 'other', PITH_WORK_FILE: folder.file('stdio.work.sqlite') };
    const other = await connect('stdio', { env, index: folder.file('other.sqlite') });
    expect(dataOf(await other.call('knowledge.kb_list')).corpora).toEqual([]);
    const asked = await other.call('knowledge.kb_query', { name: 'birds', question: 'Who dives?' });
    expect(reasonOf(asked)).toBe('corpus_not_found');
  });

  it('are whole or absent after a kill, and the next build removes what was left', async () => {
    const index = folder.file('killed.sqlite');
    const killed = await connect('stdio', { index });
    const making = killed
      .call('knowledge.kb_create', { name: 'many', source: source('root/many') })
      .catch(String);
    const place = folder.file('killed.work.sqlite.corpora');
    const started = (): boolean => readdirSync(folder.path).includes('killed.work.sqlite.corpora');
    await poll('a build', async () => (started() && readdirSync(place).length > 0) || undefined);
    process.kill(killed.pid() ?? 0, 'SIGKILL');
    await making;
    writeFileSync(join(place, 'note.txt'), 'not an index');
    const again = await connect('stdio', { index });
    expect(dataOf(await again.call('knowledge.kb_list')).corpora).toEqual([]);
    dataOf(await again.call('knowledge.kb_create', { name: 'many', source: source('root/many') }));
    const asked = await again.call('knowledge.kb_query', {
      name: 'many',
      question: 'Which gate has number 7?',
    });
    expect(dataOf(asked).quotes.length).toBeGreaterThan(0);
  });
});
