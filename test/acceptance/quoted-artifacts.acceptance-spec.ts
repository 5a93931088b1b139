import { SECRET } from '../support/builders.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from '../support/mcp-clients.js';
import { runPith } from '../support/run-pith.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const ENV = {
  MCP_DOMAINS: 'index,substrate,knowledge,document,claim',
  MCP_RESPONSE_ENVELOPE: 'on',
  MCP_TOOL_NAMES: 'dotted',
  PITH_ENVIRONMENT: 'prod',
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_LEDGER: 'on',
  PITH_PROJECT: 'harbour',
  PITH_SECRET: SECRET,
};
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: work, tools: [index.ingest, substrate.*, knowledge.*, claim.*], effect: allow }
`;
const MOORINGS = '# Moorings\n\nThe moorings are lifted in May. Visitors tie up at the north quay.\n';
/** Its bytes differ from the text that is quoted. */
const FUEL = '\uFEFF# Fuel\r\n\r\nThe fuel berth sells diesel until six in the evening.\r\n';
const LIFTED = 'The moorings are lifted in May.';
const QUESTION = 'When are the moorings lifted?';

const indexOf = (transport: TransportName): string => folder.file(`${transport}.sqlite`);

let http: HttpProcess;

beforeAll(async () => {
  writeFiles(folder.path, {
    'governance.yaml': GOVERNANCE,
    'docs/moorings.md': MOORINGS,
    'docs/fuel.md': FUEL,
  });
  http = await startHttpProcess(indexOf('http'), ENV);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

interface Envelope {
  readonly status: string;
  readonly refs: readonly { readonly type: string; readonly id?: string; readonly sha256?: string }[];
}

const envelopeOf = ({ _meta, structuredContent }: CallResult): Envelope =>
  Object(_meta?.['pith/envelope'] ?? structuredContent);

/** The hashes of the artifacts that a reply refers to. */
const artifactsOf = (result: CallResult): (string | undefined)[] =>
  envelopeOf(result)
    .refs.filter(({ type }) => type === 'artifact')
    .map(({ sha256 }) => sha256);

describe.each(ONE_OF_EACH)('the artifacts behind quotes, for a %s client over %s', (era, transport) => {
  let client: TestClient;
  let moorings = '';
  let fuel = '';
  let manifest_sha256 = '';

  const call = async (tool: string, args: object): Promise<CallResult> => {
    const result = await client.call(tool, args as Record<string, unknown>);
    if (envelopeOf(result).status !== 'success') throw new Error(`${tool}: ${JSON.stringify(result)}`);
    return result;
  };
  const dataOf = async (tool: string, args: object) => {
    const { structuredContent } = await call(tool, args);
    return Object(structuredContent?.['data'] ?? structuredContent);
  };

  beforeAll(async () => {
    client = await connectClient({ era, transport, index: indexOf(transport), url: http.url, env: ENV });
    const base64 = Buffer.from(FUEL).toString('base64');
    moorings = (await dataOf('substrate.artifact.upload', { text: MOORINGS })).sha256;
    fuel = (await dataOf('substrate.artifact.upload', { base64, media_type: 'text/markdown' })).sha256;
    const entries = [
      { path: 'moorings.md', artifact_sha256: moorings },
      { path: 'fuel.md', artifact_sha256: fuel },
    ];
    manifest_sha256 = (await dataOf('substrate.manifest.create', { entries })).sha256;
    await call('substrate.pointer.create', { name: `guides-${transport}`, type: 'corpus', manifest_sha256 });
    await call('index.ingest', { source: { pointer: { name: `guides-${transport}` } } });
  });

  afterAll(() => client.close());

  it.each<[string, object]>([
    ['kb.retrieve_evidence', { question: QUESTION }],
    ['kb.search', { query: 'moorings lifted' }],
    ['index.search', { query: 'moorings lifted' }],
    ['search_docs', { query: 'moorings lifted' }],
    ['get_doc', { chunk_id: 'moorings.md' }],
    ['document.parse', { document: 'moorings.md' }],
    ['kb.verify', { quotes: [{ quote: LIFTED, path: 'moorings.md' }] }],
    [
      'claim.create',
      { statement: 'Lifted in May.', evidence: [{ section_id: 'moorings.md', quote: LIFTED }] },
    ],
  ])('are in the refs of %s, and those of no other document', async (tool, args) => {
    expect(artifactsOf(await call(tool, args))).toEqual([moorings]);
  });

  it('are in the refs of a claim that is read later', async () => {
    const evidence = [{ section_id: 'moorings.md', quote: LIFTED }];
    const { claim_id } = await dataOf('claim.create', { statement: 'In May.', evidence });
    expect(artifactsOf(await call('claim.get', { claim_id }))).toEqual([moorings]);
  });

  it('are in the refs of a passage that is read later', async () => {
    const { quotes } = await dataOf('kb.retrieve_evidence', { question: QUESTION });
    const passage_id = quotes[0]?.passage_id;
    expect(artifactsOf(await call('kb.read_excerpt', { passage_id }))).toEqual([moorings]);
  });

  it('have the hash of the uploaded bytes, with their byte order mark and line ends', async () => {
    const found = await call('kb.retrieve_evidence', { question: 'Until when is diesel sold?' });
    expect(artifactsOf(found)).toEqual([fuel]);
    expect(await dataOf('substrate.artifact.info', { sha256: fuel })).toMatchObject({
      size_bytes: Buffer.byteLength(FUEL),
    });
  });

  it('are in the refs of a named corpus', async () => {
    const name = `guides-${transport}`;
    await call('knowledge.kb_create', { name, source: { manifest_sha256 } });
    const asked = await call('knowledge.kb_query', { name, question: QUESTION });
    expect(artifactsOf(asked)).toEqual([moorings]);
  });

  it('are in the run ledger', async () => {
    const { stdout } = await runPith(['ledger', 'export', '--index', indexOf(transport)], { env: ENV });
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => Object(JSON.parse(line)).event)
      .filter(({ type, tool }) => type === 'tool.call.completed' && tool === 'kb.search');
    expect(events.map(({ refs }) => refs)).toContainEqual(
      expect.arrayContaining([
        { type: 'section', id: 'moorings.md' },
        { type: 'artifact', id: moorings },
      ]),
    );
  });

  it('are absent when the same files are indexed from a folder', async () => {
    const { code } = await runPith(
      ['index', folder.file('docs'), '--index', indexOf(transport), '--project', 'harbour', '--rebuild'],
      { env: ENV },
    );
    expect(code).toBe(0);
    const found = await call('kb.retrieve_evidence', { question: QUESTION });
    expect(envelopeOf(found).refs).toContainEqual({ type: 'section', id: 'moorings.md' });
    expect(artifactsOf(found)).toEqual([]);
  });
});
