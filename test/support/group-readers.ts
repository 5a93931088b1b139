import type { CallResult, TestClient } from './mcp-clients.js';
import { poll } from './processes.js';

/** Callers: a member of the group, one of another group, one of none, and operators without the group. */
export const CALLERS = ['member', 'stranger', 'nobody', 'eve', 'ops'] as const;
export type Who = (typeof CALLERS)[number];

/** The document with a group. It is in one of two servers, which are equal otherwise. */
export const PATH = 'secret/salaries.md';
export const HEADING = 'secret/salaries.md#pay-of-zorblax';

/** What a member has stored about the document, by id; in the other server, ids that nothing has. */
export interface StoredIds {
  readonly claim: string;
  readonly run: string;
  readonly passage: string;
  readonly passageUri: string;
  readonly call: string;
  /** A call that ended before its scope was known. */
  readonly refused: string;
  readonly day: string;
  readonly gap: string;
}

/** One of the two servers. */
export interface GroupWorld {
  readonly ask: (who: Who, tool: string, args: object) => Promise<CallResult>;
  readonly as: (who: Who) => Promise<TestClient>;
  /** Status, headers and body of a page. */
  readonly get: (who: Who, path: string, headers?: Readonly<Record<string, string>>) => Promise<object>;
  readonly ids: () => StoredIds;
}

/** A way to read what is stored, and how its reply is compared. */
export interface GroupReader {
  readonly name: string;
  readonly read: (world: GroupWorld, who: Who) => Promise<unknown>;
  /** What differs between the servers for another reason than the document alone, with the reason. */
  readonly differs?: readonly (readonly [part: RegExp, reason: string])[];
  /** True if a member gets another reply where the document is. */
  readonly isShown: boolean;
}

type Rest = Partial<Pick<GroupReader, 'differs' | 'isShown'>>;

const reader = (name: string, read: GroupReader['read'], rest: Rest = {}): GroupReader => ({
  ...{ name, read, isShown: true },
  ...rest,
});
const SAME: Rest = { isShown: false };

/** The reply of a request, or its failure. */
const tried = (reply: Promise<unknown>): Promise<unknown> =>
  reply.catch((error: unknown) => ({ ...Object(error), message: String(error) }) as unknown);

/** A text with the ids of a server. */
const filled = (text: string, world: GroupWorld): string =>
  text.replace(/\{(\w+)\}/g, (_, id: keyof StoredIds) => world.ids()[id]);

const tool = (name: string, args: object, rest: Rest = {}): GroupReader =>
  reader(`${name} ${JSON.stringify(args)}`, (world, who) => world.ask(who, name, args), rest);
const stored = (name: string, args: (ids: StoredIds) => object, rest: Rest = {}): GroupReader =>
  reader(`${name} of a member's`, (world, who) => world.ask(who, name, args(world.ids())), rest);
const page = (path: string, rest: Rest = {}, headers: Readonly<Record<string, string>> = {}): GroupReader =>
  reader(
    `GET ${path}${headers['x-pith-part'] === undefined ? '' : ', the answer alone'}`,
    (world, who) => world.get(who, filled(path, world), headers),
    rest,
  );
const request = (method: string, params: Record<string, unknown>, rest: Rest = {}): GroupReader =>
  reader(
    `${method} ${JSON.stringify(params)}`,
    async (world, who) => tried((await world.as(who)).request(method, params)),
    rest,
  );
const completion = (ref: object, name: string, value: string, rest: Rest = {}): GroupReader =>
  request('completion/complete', { ref, argument: { name, value } }, rest);
const resource = (uri: string, rest: Rest = {}): GroupReader =>
  reader(
    `resources/read ${uri}`,
    async (world, who) => tried((await world.as(who)).readResource(filled(uri, world))),
    rest,
  );

const SEARCHES: readonly GroupReader[] = [
  tool('kb.search', { query: 'zorblaxledger crowns' }),
  tool('kb.search', { query: 'zorblaxledgr' }),
  tool('kb.search', { query: 'canteen', filters: { path_prefix: 'secret/' } }, SAME),
  tool('kb.search', { query: 'canteen noon' }, SAME),
  tool('kb.search', { query: 'canteen', scope: { doc_tags: ['hr'] } }, SAME),
  tool('kb.search', { query: 'zorblaxledger', options: { include_debug: true } }),
  tool('kb.retrieve_evidence', { question: 'What does the ZorblaxLedger pay?' }),
  tool('kb.retrieve_evidence', { question: 'When does the canteen open?' }, SAME),
  tool('kb.retrieve_evidence', { question: 'Pay of Zorblax', options: { include_debug: true } }),
  tool('kb.verify', { quotes: [{ path: PATH, quote: 'pays 7000 crowns' }] }),
  tool('kb.verify', { quotes: [{ section_id: HEADING, quote: 'pays 7000 crowns' }] }),
  tool('kb.verify', { quotes: [{ path: 'lunch.md', quote: 'pays 7000 crowns' }] }),
  tool('search_docs', { query: 'zorblaxledger', topic: 'money' }),
  tool('search_docs', { query: 'canteen', topic: 'money' }),
  tool('search_docs', { query: 'canteen' }, SAME),
  tool('search', { query: 'zorblaxledger' }),
  tool('search', { query: 'canteen' }, SAME),
];

const DOCUMENTS: readonly GroupReader[] = [
  tool('get_doc', { chunk_id: PATH }),
  tool('get_doc', { chunk_id: HEADING }),
  tool('get_doc', { chunk_id: 'secret/salary.md' }),
  tool('get_doc', { chunk_id: 'lunch.md' }, SAME),
  tool('fetch', { id: PATH }),
  tool('fetch', { id: HEADING }),
  tool('fetch', { id: 'lunch.md' }, SAME),
  tool('get_section_text', { section_ids: [HEADING] }),
  tool('scope.describe', {}),
  tool('scope.describe', { documents: 50 }),
  reader('tools/list', async (world, who) => (await world.as(who)).listTools()),
  reader('instructions', async (world, who) => (await world.as(who)).instructions() ?? '', SAME),
  reader('resources/list', async (world, who) => (await world.as(who)).listResources()),
  reader(
    'resources/templates/list',
    async (world, who) => (await world.as(who)).listResourceTemplates(),
    SAME,
  ),
  reader('prompts/list', async (world, who) => (await world.as(who)).listPrompts(), SAME),
  request('prompts/get', { name: 'topics', arguments: { topic: 'money' } }, SAME),
  resource(`docs:///${PATH}`),
  resource('docs:///lunch.md', SAME),
  completion({ type: 'ref/resource', uri: 'docs:///{+path}' }, 'path', 's'),
  completion({ type: 'ref/resource', uri: 'docs:///{+path}' }, 'path', PATH, SAME),
  completion({ type: 'ref/prompt', name: 'topics' }, 'topic', 'm'),
  request('skills/list', {}, SAME),
  request('skills/get', { uri: 'skill://pith/SKILL.md' }, SAME),
  resource('ui://pith/evidence', SAME),
];

const GRAPH: readonly GroupReader[] = [
  tool('graph.describe', { node_ids: [PATH, HEADING, 'entity:zorblaxledger'] }),
  tool('graph.describe', { node_ids: ['Salaries', 'ZorblaxLedger'], include_snippet: true }),
  tool('graph.describe', { node_ids: ['lunch.md', 'entity:shiftplan'] }, SAME),
  tool('graph.expand', { node_ids: [PATH] }),
  tool('graph.expand', { node_ids: ['lunch.md'], max_hops: 3 }),
  tool('graph.expand', { node_ids: ['ZorblaxLedger', 'Pay of Zorblax'] }),
  tool('graph.paths', { a_ids: ['lunch.md'], b_ids: [PATH] }),
  tool('graph.paths', { a_ids: ['lunch.md'], b_ids: ['rota.md'], max_hops: 5 }, SAME),
  tool('graph.parents', { section_ids: [HEADING] }),
  tool('graph.children', { parent_id: PATH }),
  tool('graph.entities_for_sections', { section_ids: [HEADING, 'lunch.md'] }),
  tool('graph.sections_for_entities', { entity_ids: ['entity:zorblaxledger'] }),
];

/** What a member has stored. */
const STORED: readonly GroupReader[] = [
  stored('kb.read_excerpt', ({ passage }) => ({ passage_id: passage })),
  stored('kb.expand_excerpt', ({ passage }) => ({ passage_id: passage })),
  stored('kb.extract_evidence', ({ passage }) => ({ passage_ids: [passage], question: 'What does it pay?' })),
  resource('{passageUri}'),
  tool('scratch.list', {}),
  tool('claim.list', {}),
  stored('claim.get', ({ claim }) => ({ claim_id: claim })),
  stored('claim.verify', ({ claim }) => ({ claim_id: claim })),
  stored('claim.link_evidence', ({ claim }) => ({
    claim_id: claim,
    evidence: [{ section_id: 'lunch.md', quote: 'opens at noon' }],
  })),
  tool('claim.create', { statement: 'x', evidence: [{ section_id: HEADING, quote: 'pays 7000 crowns' }] }),
  stored('claim.create', ({ passage }) => ({
    statement: 'x',
    evidence: [{ passage_id: passage, quote: 'pays 7000 crowns' }],
  })),
  tool('run.list', {}),
  stored('run.get', ({ run }) => ({ run_id: run })),
  stored('run.events', ({ run }) => ({ run_id: run })),
  stored('diagnostics.get', ({ call }) => ({ diagnostic_id: call })),
  reader(
    'diagnostics.get of a refused call',
    (world, who) => world.ask(who, 'diagnostics.get', { diagnostic_id: world.ids().refused }),
    SAME,
  ),
  resource('wekadocs://diagnostics/{day}/{call}'),
];

/** Pages for people. */
const PAGES: readonly GroupReader[] = [
  page('/', SAME),
  page('/?q=zorblaxledger'),
  page('/?q=canteen', SAME),
  page('/?q=zorblaxledger', {}, { 'x-pith-part': 'answer' }),
  page('/read/secret/salaries.md'),
  page('/read/secret/salaries'),
  page('/read/secret/salaries.md?from=secret%2Fsalaries.md%23pay-of-zorblax'),
  page('/read/secret/', SAME),
  page('/read/lunch.md', SAME),
  page('/sitemap.xml', SAME),
];

/** The diagnostic of a search for words of the document, as JSON, or as a page with what became of a section. */
async function ownDiagnostic(world: GroupWorld, who: Who, section = ''): Promise<object> {
  const { _meta } = await world.ask(who, 'kb.search', {
    query: 'zorblaxledger canteen',
    diagnostic_debug: true,
  });
  const id = String(_meta?.['pith/tool_call_id']);
  const path = `/admin/${section === '' ? 'diagnostics' : 'retrievals'}/${id}${section}`;
  // It is written after the answer.
  return poll('a diagnostic', async () => {
    const found = await world.get(who, path);
    return Object(found).status === 404 ? undefined : found;
  });
}

/** Groups that were asked equally often are ordered by their ids, which are random. */
const anyOrder = ({ read, ...rest }: GroupReader): GroupReader => ({
  ...rest,
  read: async (world, who) => {
    const reply = Object(await read(world, who)) as { readonly body: string };
    return { ...reply, body: reply.body.split(/,?\n/).sort() };
  },
});

const CURSOR = [/cursor(?:=|\\":\\")[\w-]+/, 'a place in a file with the records of all callers'] as const;
const SCORES = 'docs/access.md: scores are computed from all documents';

/** Pages of the console, which only operators may read. */
const CONSOLE: readonly GroupReader[] = [
  page('/admin', {
    differs: [[/^[^]*(?=id=\\"retrievals\\")/, 'docs/access.md: totals cover all callers'], CURSOR],
  }),
  page('/admin/retrievals/{call}'),
  page('/admin/diagnostics', { differs: [CURSOR] }),
  page('/admin/diagnostics/{call}'),
  page('/admin/diagnostics/{call}.md'),
  page('/admin/diagnostics/{refused}', SAME),
  reader('GET the own diagnostic', ownDiagnostic, { differs: [[/(?<="bm25\\":)[\d.]+/g, SCORES]] }),
  reader(
    'GET the page of the own diagnostic, for a section',
    (world, who) => ownDiagnostic(world, who, `?section=${encodeURIComponent(HEADING)}`),
    {
      differs: [
        [/(?<=data-name=\\"BM25\\">\n<span class=\\"cell\\">)[\d.]+/g, SCORES],
        [/id=\\"timeline\\"[^]*?(?=id=\\"candidates\\")/, 'times of stages'],
      ],
    },
  ),
  page('/admin/corpus'),
  page('/admin/index'),
  page('/admin/claims'),
  page('/admin/claims/{claim}'),
  page('/admin/runs'),
  page('/admin/runs?principal=member'),
  page('/admin/runs/run?id={run}'),
  anyOrder(page('/admin/gaps')),
  page('/admin/gaps/{gap}'),
  page('/admin/gaps/usage'),
  anyOrder(page('/admin/gaps/export/json')),
  anyOrder(page('/admin/gaps/export/csv')),
  anyOrder(page('/admin/gaps/export/markdown')),
  page('/admin/approvals', SAME),
  page('/admin/corpora', SAME),
  page('/admin/pointers', SAME),
  page('/admin/tools', SAME),
  page('/admin/ready', SAME),
  page(`/admin/policy?tool=get_doc&args=${encodeURIComponent(JSON.stringify({ chunk_id: PATH }))}`, SAME),
];

/** All ways to read documents and what is stored about them. */
export const GROUP_READERS = [...SEARCHES, ...DOCUMENTS, ...GRAPH, ...STORED, ...PAGES, ...CONSOLE];
