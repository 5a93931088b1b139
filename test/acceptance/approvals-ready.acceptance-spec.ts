import { UNKNOWN_SHA256 } from '../support/a-substrate.js';
import { approveCall } from '../support/approve-call.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { detailsOf, outcomeOf } from '../support/call-results.js';
import { approvalsIn } from '../support/governance-stores.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = {
  MCP_DOMAINS: 'run,substrate,claim,index,knowledge',
  MCP_TOOL_NAMES: 'dotted',
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_INGEST_ROOTS: folder.file('docs'),
  PITH_LEDGER: 'auto',
  PITH_SECRET: SECRET,
};
const TOOLS = 'run.*, substrate.*, claim.*, index.ingest, knowledge.kb_create';
const approvals = approvalsIn({
  ...{ file: folder.file('index.governance.sqlite'), creates: true, now: Date.now },
});
const made = { first: '', second: '', claim: '' };

let worker: TestClient;
let asker: TestClient;

beforeAll(async () => {
  writeFiles(folder.path, {
    'docs/sailing.md': '# Sailing\n\nSet the sails before you raise the anchor.\n',
    'governance.yaml': `
version: 1
agents: { worker: { capabilities: ['*'] }, asker: { capabilities: ['*'] } }
policy:
  rules:
    - { name: work, tools: [${TOOLS}], agents: [worker], effect: allow }
    - { name: ask, tools: [${TOOLS}], agents: [asker], effect: approve }
`,
  });
  await buildIndex(folder.file('docs'), index);
  const connect = (agent: string) =>
    connectClient({ era: 'v2', transport: 'stdio', index, env: { ...ENV, PITH_AGENT: agent } });
  [worker, asker] = await Promise.all([connect('worker'), connect('asker')]);
  const create = async (tool: string, args: object) =>
    Object((await worker.call(tool, { ...args })).structuredContent);
  made.first = (await create('substrate.manifest.create', { message: 'first' })).sha256;
  made.second = (await create('substrate.manifest.create', { message: 'second' })).sha256;
  await create('substrate.pointer.create', { name: 'guides', type: 'corpus', manifest_sha256: made.first });
  made.claim = (await create('claim.create', { statement: 'Sails come first.' })).claim_id;
});

afterAll(async () => {
  await Promise.all([worker.close(), asker.close(), approvals.close()]);
  folder.remove();
});

const name = 'guides';
const decision = { decision: 'accept', reason: 'Read.', statement: 'x' };
const PIECE = { section_id: 'sailing.md', quote: 'Set the sails' };
const advance = (more: object) => ({
  ...{ name, expected_sha256: made.first, manifest_sha256: made.second, reason: 'x', ...more },
});

describe('a call that needs approval', () => {
  it.each<[string, string, () => object]>([
    ['substrate.pointer.advance', 'manifest_not_found', () => advance({ manifest_sha256: UNKNOWN_SHA256 })],
    ['substrate.pointer.advance', 'pointer_not_found', () => advance({ name: 'none' })],
    ['substrate.pointer.advance', 'conflict', () => advance({ expected_sha256: UNKNOWN_SHA256 })],
    [
      'substrate.pointer.create',
      'pointer_exists',
      () => ({ name, type: 'corpus', manifest_sha256: made.first }),
    ],
    ['substrate.manifest.create', 'manifest_not_found', () => ({ base: UNKNOWN_SHA256 })],
    [
      'substrate.manifest.create',
      'artifacts_missing',
      () => ({ entries: [{ path: 'a', artifact_sha256: UNKNOWN_SHA256 }] }),
    ],
    ['claim.decide', 'claim_not_found', () => ({ ...decision, claim_id: 'none' })],
    ['claim.decide', 'statement_differs', () => ({ ...decision, claim_id: made.claim })],
    ['claim.link_evidence', 'claim_not_found', () => ({ claim_id: 'none', evidence: [PIECE] })],
    ['index.ingest', 'pointer_not_found', () => ({ source: { pointer: { name: 'none' } } })],
    ['index.ingest', 'manifest_not_found', () => ({ source: { manifest_sha256: UNKNOWN_SHA256 } })],
    ['index.ingest', 'folder_not_allowed', () => ({ source: { folder: folder.path } })],
    ['knowledge.kb_create', 'folder_not_allowed', () => ({ name: 'b', source: { folder: '/' } })],
    ['run.start', 'run_not_found', () => ({ run_id: 'run_0' })],
    ['run.complete', 'run_not_found', () => ({ run_id: 'run_0' })],
  ])('of %s is refused with %s, and nobody is asked', async (tool, reason, args) => {
    expect(outcomeOf(await asker.call(tool, { ...args() }))).toBe(reason);
    expect(await approvals.list({ limit: 9 })).toEqual([]);
  });

  it('is checked again when it is approved, and uses no approval if it can no longer succeed', async () => {
    const ids: string[] = [];
    for (const reason of ['one', 'two']) {
      const asked = await asker.call('substrate.pointer.advance', advance({ reason }));
      expect(outcomeOf(asked)).toBe('approval_required');
      ids.push(detailsOf(asked).approval_id);
      await approveCall(folder.file('index.governance.sqlite'), asked);
    }
    expect(outcomeOf(await asker.call('substrate.pointer.advance', advance({ reason: 'one' })))).toBe('ok');
    expect(outcomeOf(await asker.call('substrate.pointer.advance', advance({ reason: 'two' })))).toBe(
      'conflict',
    );
    const states = await Promise.all(ids.map(async (id) => (await approvals.get(id))?.state));
    expect(states).toEqual(['used', 'approved']);
  });
});
