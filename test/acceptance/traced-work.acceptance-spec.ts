import { userInfo } from 'node:os';
import { SECRET } from '../support/builders.js';
import { errorOf } from '../support/call-results.js';
import {
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
  MCP_DOMAINS: 'run,index,substrate,claim',
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
    - { name: ask-to-index, tools: [index.ingest], effect: approve }
    - { name: work, tools: [run.*, substrate.*, claim.*], effect: allow }
`;
const DOCUMENTS = {
  'moorings.md': '# Moorings\n\nThe moorings are lifted in May. Visitors tie up at the north quay.\n',
  'fuel.md': '# Fuel\n\nThe fuel berth sells diesel until six in the evening.\n',
  'tides.md': '# Tides\n\nThe bar can be crossed two hours before high water.\n',
};
const CHANGED = DOCUMENTS['moorings.md'].replace('lifted in May', 'lifted in late April');
const LIFTED = 'The moorings are lifted in May.';
const BAR = 'The bar can be crossed two hours before high water.';

const indexOf = (transport: TransportName): string => folder.file(`${transport}.sqlite`);

let http: HttpProcess;

beforeAll(async () => {
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
  http = await startHttpProcess(indexOf('http'), ENV);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

describe.each(ONE_OF_EACH)('work that is traced to its bytes, for a %s client over %s', (era, transport) => {
  let client: TestClient;
  let runId = '';
  const manifests: string[] = [];
  const claims: string[] = [];
  const hashes = new Map<string, string>();

  const pith = (...args: readonly string[]) =>
    runPith([...args, '--index', indexOf(transport)], { env: ENV });
  /** A call within the run, which succeeds. */
  const inRun = async (tool: string, args: object, more: object = {}) => {
    const _meta = runId === '' ? {} : { 'pith/run_id': runId };
    const result = await client.call(tool, args as Record<string, unknown>, { _meta, ...more });
    if (result.isError) throw new Error(`${tool}: ${JSON.stringify(result.structuredContent)}`);
    return Object(result.structuredContent);
  };
  /** A call within the run that waits for an operator, who approves it. */
  const approved = async (tool: string, args: object, more: object = {}) => {
    const asked = await client.call(tool, args as Record<string, unknown>, {
      _meta: { 'pith/run_id': runId },
    });
    const { reason, approval_id } = errorOf(asked).details;
    expect(reason).toBe('approval_required');
    const { code, stderr } = await pith('approvals', 'approve', approval_id);
    expect([code, stderr]).toEqual([0, '']);
    return inRun(tool, args, more);
  };
  const upload = async (path: string, text: string): Promise<void> => {
    const { sha256 } = await inRun('substrate.artifact.upload', { text, media_type: 'text/markdown' });
    hashes.set(path, sha256);
  };
  const publish = async (base?: string): Promise<string> => {
    const entries = [...hashes].map(([path, artifact_sha256]) => ({ path, artifact_sha256 }));
    const message = base === undefined ? 'First edition' : 'Second edition';
    const parent = base === undefined ? {} : { base };
    const { sha256 } = await inRun('substrate.manifest.create', { entries, message, ...parent });
    manifests.push(sha256);
    return sha256;
  };
  const ingest = () => approved('index.ingest', { source: { pointer: { name: 'guides' } } });

  beforeAll(async () => {
    client = await connectClient({ era, transport, index: indexOf(transport), url: http.url, env: ENV });
  });

  afterAll(() => client.close());

  it('begins with a run', async () => {
    runId = (await inRun('run.create', { run_type: 'publishing', name: 'Guides' })).run_id;
    expect(await inRun('run.start', { run_id: runId })).toMatchObject({ status: 'started' });
  });

  it('stores three documents, and a pointer to their manifest', async () => {
    for (const [path, text] of Object.entries(DOCUMENTS)) await upload(path, text);
    const manifest_sha256 = await publish();
    const pointer = { name: 'guides', type: 'corpus', manifest_sha256 };
    expect(await inRun('substrate.pointer.create', pointer)).toMatchObject({ version: 1 });
  });

  it('indexes them when an operator has approved it, with progress', async () => {
    const seen: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }): void => void seen.push(progress);
    const source = { source: { pointer: { name: 'guides' } } };
    await approved('index.ingest', source, { onprogress });
    expect(seen.length).toBeGreaterThan(0);
    expect(await inRun('index.status', {})).toMatchObject({ documents: 3 });
  });

  it('answers a question from them', async () => {
    const { quotes } = await inRun('kb.retrieve_evidence', { question: 'When are the moorings lifted?' });
    expect(quotes[0]).toMatchObject({ section_id: 'moorings.md' });
    expect(quotes[0].quote).toContain(LIFTED);
  });

  it('claims two things with evidence', async () => {
    for (const [statement, section_id, quote] of [
      ['Moorings return in spring.', 'moorings.md', LIFTED],
      ['The bar is passable before high water.', 'tides.md', BAR],
    ]) {
      const { claim_id } = await inRun('claim.create', { statement, evidence: [{ section_id, quote }] });
      claims.push(claim_id);
      const { evidence } = await inRun('claim.verify', { claim_id });
      expect(evidence).toMatchObject([{ state: 'holds' }]);
    }
  });

  it('publishes a changed document under the same pointer', async () => {
    await upload('moorings.md', CHANGED);
    const [first] = manifests;
    const second = await publish(first);
    const advance = { name: 'guides', expected_sha256: first, manifest_sha256: second, reason: 'New season' };
    expect(await inRun('substrate.pointer.advance', advance)).toMatchObject({ version: 2 });
    const { structuredContent } = await client.call('substrate.pointer.advance', advance);
    expect(structuredContent).toMatchObject({
      error: { details: { reason: 'conflict', current_sha256: second } },
    });
    await ingest();
  });

  it('says which evidence holds and what has changed', async () => {
    const [changed, holds] = claims;
    expect((await inRun('claim.verify', { claim_id: holds })).evidence).toMatchObject([{ state: 'holds' }]);
    expect((await inRun('claim.verify', { claim_id: changed })).evidence).toMatchObject([
      { state: 'changed', change: { old_text: LIFTED, new_text: 'The moorings are lifted in late April.' } },
    ]);
  });

  it('is traced to the bytes that a quote came from', async () => {
    const { source } = await inRun('index.status', {});
    expect(JSON.stringify(source)).toContain(manifests[1]);
    const { entries } = await inRun('substrate.manifest.checkout', { manifest_sha256: manifests[1] });
    const [{ artifact_sha256 }] = entries.filter(({ path }: { path: string }) => path === 'moorings.md');
    expect(artifact_sha256).toBe(hashes.get('moorings.md'));
    const { text } = await inRun('substrate.artifact.get', { sha256: artifact_sha256 });
    expect(text).toBe(CHANGED);
  });

  it('is decided by an operator', async () => {
    const [claim_id] = claims;
    const decision = {
      ...{ claim_id, statement: 'Moorings return in spring.', decision: 'reject' },
      reason: 'The month has changed.',
    };
    await approved('claim.decide', decision);
    const { state, decisions } = await inRun('claim.get', { claim_id });
    expect([state, decisions]).toMatchObject(['rejected', [{ decided_by: [userInfo().username] }]]);
  });

  it('is one run of a ledger that verifies', async () => {
    await inRun('run.complete', { run_id: runId, result: JSON.stringify({ claims }) });
    const shown = await pith('ledger', 'show', runId);
    const calls = [
      ...[
        'run.create',
        'substrate.artifact.upload',
        'substrate.manifest.create',
        'substrate.pointer.advance',
      ],
      ...[
        'index.ingest',
        'kb.retrieve_evidence',
        'claim.create',
        'claim.verify',
        'claim.decide',
        'run.complete',
      ],
    ];
    expect(calls.filter((tool) => !shown.stdout.includes(tool))).toEqual([]);
    expect(await pith('ledger', 'verify')).toMatchObject({ code: 0 });
  });
});
