import { runIndex } from '../../src/cli/running/run-index.js';
import { parseConfig } from '../../src/config/config.js';
import { COMMAND_ENGINES } from '../../src/engines/command-engines.js';
import { accessText, keysOf } from './access.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from './mcp-clients.js';
import { testFolder } from './test-folder.js';
import { writeFiles } from './write-files.js';

const KEYS = keysOf('member', 'stranger', 'nobody', 'eve');
const OPERATOR = ['read' as const, 'operator' as const];
const PRINCIPALS = {
  member: { keys: [KEYS.member], permissions: OPERATOR, groups: ['hr'] },
  stranger: { keys: [KEYS.stranger], groups: ['eng'] },
  nobody: { keys: [KEYS.nobody] },
  eve: { keys: [KEYS.eve], permissions: OPERATOR, scope: { doc_tags: ['docs'] } },
};
type Who = keyof typeof KEYS;
const OTHERS: readonly Who[] = ['stranger', 'nobody', 'eve'];

const PATH = 'secret/salaries.md';
const HEADING = 'secret/salaries.md#pay-of-zorblax';
const DOCS = {
  '.pith.yaml':
    'repository: harbour\ntaxonomy: { topic: { resource: true } }\ndocuments: [{ match: ["**"], doc_tag: docs }, { match: ["secret/**"], allow: [hr] }]\n',
  'lunch.md':
    '---\ntopic: food\n---\n# Lunch\n\nThe canteen opens at noon. See [more](./secret/salaries.md).\n',
  'rota.md': '---\ntopic: work\n---\n# Rota\n\n1. Ask for a shift.\n2. Wait for `ShiftPlan`.\n',
};
const SECRET = {
  [PATH]:
    '---\ntopic: money\n---\n# Salaries\n\n## Pay of Zorblax\n\nThe `ZorblaxLedger` pays 7000 crowns. See [lunch](../lunch.md).\n',
};

/** Tools and arguments that name the document, its words, or nothing. */
const READERS: readonly (readonly [tool: string, args: object])[] = [
  ['kb.search', { query: 'zorblaxledger crowns' }],
  ['kb.search', { query: 'zorblaxledgr' }],
  ['kb.search', { query: 'canteen', filters: { path_prefix: 'secret/' } }],
  ['kb.search', { query: 'canteen noon' }],
  ['kb.search', { query: 'canteen', scope: { doc_tags: ['hr'] } }],
  ['kb.retrieve_evidence', { question: 'What does the ZorblaxLedger pay?' }],
  ['kb.retrieve_evidence', { question: 'When does the canteen open?' }],
  ['kb.verify', { quotes: [{ path: PATH, quote: 'pays 7000 crowns' }] }],
  ['kb.verify', { quotes: [{ section_id: HEADING, quote: 'pays 7000 crowns' }] }],
  ['get_doc', { chunk_id: PATH }],
  ['get_doc', { chunk_id: HEADING }],
  ['search_docs', { query: 'zorblaxledger', topic: 'money' }],
  ['search_docs', { query: 'canteen', topic: 'money' }],
  ['search_docs', { query: 'canteen' }],
  ['scope.describe', {}],
  ['scope.describe', { documents: 50 }],
  ['scratch.list', {}],
  ['graph.describe', { node_ids: [PATH, HEADING, 'entity:zorblaxledger'] }],
  ['graph.describe', { node_ids: ['Salaries', 'ZorblaxLedger'], include_snippet: true }],
  ['graph.expand', { node_ids: [PATH] }],
  ['graph.expand', { node_ids: ['lunch.md'], max_hops: 3 }],
  ['graph.expand', { node_ids: ['ZorblaxLedger', 'Pay of Zorblax'] }],
  ['graph.paths', { a_ids: ['lunch.md'], b_ids: [PATH] }],
  ['graph.paths', { a_ids: ['lunch.md'], b_ids: ['rota.md'], max_hops: 5 }],
  ['graph.parents', { section_ids: [HEADING] }],
  ['graph.children', { parent_id: PATH }],
  ['graph.entities_for_sections', { section_ids: [HEADING, 'lunch.md'] }],
  ['graph.sections_for_entities', { entity_ids: ['entity:zorblaxledger'] }],
  ['get_section_text', { section_ids: [HEADING] }],
  ['claim.list', {}],
  ['run.list', {}],
  ['claim.create', { statement: 'x', evidence: [{ section_id: HEADING, quote: 'pays 7000 crowns' }] }],
];

/** Lists of documents outside of tools. */
const LISTS = {
  tools: (client: TestClient) => client.listTools(),
  instructions: async (client: TestClient) => client.instructions() ?? '',
  resources: (client: TestClient) => client.listResources(),
  prompts: (client: TestClient) => client.listPrompts(),
  resource: (client: TestClient) =>
    client.readResource(`docs:///${PATH}`).catch((error: unknown) => String(error)),
};

/** Without what tells one call or index from another. The digits of a time count as tokens. */
const plain = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\\?"tokens\\?":\d+/g, 'TOKENS')
    .replaceAll(/[\w-]{22,}/g, 'ID')
    .replaceAll(/\b(scratch\/|session_id\\?":\\?")[\w-]{16}(?![\w-])/g, '$1SESSION')
    .replaceAll(/-(?:kept|gone)\b/g, '')
    .replaceAll(/(\\?"(?:score|relevance|confidence|bm25|lexical|vector|cosine)\\?":)-?[\d.]+/g, '$1N');

interface Served {
  readonly root: string;
  /** Indexes the folder again. */
  readonly index: () => Promise<unknown>;
  readonly ask: (who: Who, tool: string, args: object) => Promise<CallResult>;
  readonly as: (who: Who) => Promise<TestClient>;
}

/**
 * To callers without its groups, a document is as absent.
 * @param env  settings of engines
 * @param projects  start of the names of projects
 */
export function groupsSuite(env: Record<string, string>, projects: string): void {
  const index = (root: string, project: string): Promise<unknown> => {
    const config = parseConfig({ ...env, PITH_INDEX: `${root}.sqlite`, PITH_PROJECT: project });
    return runIndex(config, { folder: root, project }, { engines: COMMAND_ENGINES });
  };
  const folder = testFolder();
  const servers: HttpProcess[] = [];
  const clients: TestClient[] = [];

  async function serve(name: string, docs: Readonly<Record<string, string>>): Promise<Served> {
    const root = folder.file(name);
    const project = `${projects}-${name}`;
    writeFiles(root, docs);
    await index(root, project);
    const server = await startHttpProcess(`${root}.sqlite`, {
      ...env,
      MCP_DOMAINS: 'run,claim',
      PITH_PROJECT: project,
      PITH_SECRET: 's'.repeat(32),
      PITH_WORK_FILE: `${root}.work`,
      PITH_ACCESS_FILE: folder.file('access.yaml'),
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
    });
    servers.push(server);
    const known = new Map<Who, TestClient>();
    const as = async (who: Who): Promise<TestClient> => {
      const headers = { authorization: `Bearer ${KEYS[who]}` };
      const client =
        known.get(who) ??
        (await connectClient({ era: 'v2', transport: 'http', index: '', url: server.url, headers }));
      if (!known.has(who)) clients.push(client);
      known.set(who, client);
      return client;
    };
    return {
      index: () => index(root, project),
      root,
      as,
      ask: async (who, tool, args) => (await as(who)).call(tool, { ...args }),
    };
  }

  let having: Served;
  let lacking: Served;

  beforeAll(async () => {
    const rules = '[{ name: writes, tools: [run.*, claim.*], effect: allow }]';
    writeFiles(folder.path, {
      'governance.yaml': `version: 1\npolicy: { rules: ${rules} }\n`,
      'access.yaml': accessText(PRINCIPALS),
    });
    having = await serve('kept', { ...DOCS, ...SECRET });
    lacking = await serve('gone', DOCS);
  }, 120_000);

  afterAll(async () => {
    for (const client of clients) await client.close();
    for (const server of servers) await server.stop();
    folder.remove();
  });

  it.each(Object.keys(KEYS) as Who[])('%s reads what is for everybody', async (who) => {
    const found = JSON.stringify(await having.ask(who, 'kb.search', { query: 'canteen' }));
    expect(found).toContain('lunch.md');
  });

  it('a member reads the document', async () => {
    expect(JSON.stringify(await having.ask('member', 'get_doc', { chunk_id: PATH }))).toContain(
      '7000 crowns',
    );
    const found = JSON.stringify(await having.ask('member', 'kb.search', { query: 'zorblaxledger' }));
    expect(found).toContain('pay-of-zorblax');
    const resources = JSON.stringify(await (await having.as('member')).listResources());
    expect(resources).toContain('salaries');
  });

  describe.each(OTHERS)('to %s, a document of another group is as absent', (who) => {
    it.each(READERS)('%s %j', async (tool, args) => {
      const [seen, absent] = [await having.ask(who, tool, args), await lacking.ask(who, tool, args)];
      expect(plain(seen)).toBe(plain(absent));
      expect(plain(seen)).not.toContain('invalid_input');
    });

    it.each(Object.entries(LISTS))('the list of %s', async (_, list) => {
      expect(plain(await list(await having.as(who)))).toBe(plain(await list(await lacking.as(who))));
    });
  });

  it('claims with evidence of the document, and those of a caller with more groups, are seen by its groups alone', async () => {
    const evidence = [{ section_id: HEADING, quote: 'pays 7000 crowns' }];
    const made = await having.ask('member', 'claim.create', { statement: 'Zorblax is paid.', evidence });
    const bare = await having.ask('member', 'claim.create', { statement: 'Zorblax is rich.' });
    const run = await having.ask('member', 'run.create', { run_type: 'check', name: 'zorblax' });
    expect(JSON.stringify([made, bare, run])).not.toContain('isError":true');
    for (const who of OTHERS)
      for (const tool of ['claim.list', 'run.list'])
        expect(JSON.stringify(await having.ask(who, tool, {})).toLowerCase()).not.toContain('zorblax');
    expect(JSON.stringify(await having.ask('member', 'claim.list', {}))).toContain('Zorblax is rich');
  });

  it('a document that gets groups is hidden after the next run, and is shown when it has none again', async () => {
    const find = async (): Promise<string> =>
      JSON.stringify(await having.ask('nobody', 'kb.search', { query: 'shiftplan' }));
    expect(await find()).toContain('rota.md');
    const rules = DOCS['.pith.yaml'];
    writeFiles(having.root, { '.pith.yaml': rules.replace('secret/**"]', 'secret/**", "rota.md"]') });
    await having.index();
    expect(await find()).not.toContain('rota.md');
    expect(JSON.stringify(await having.ask('member', 'kb.search', { query: 'shiftplan' }))).toContain(
      'rota.md',
    );
    writeFiles(having.root, { '.pith.yaml': rules });
    await having.index();
    expect(await find()).toContain('rota.md');
  });
}
