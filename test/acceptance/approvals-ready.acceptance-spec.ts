import { SqliteApprovalStore } from '../../src/engines/sqlite/governance/sqlite-approval-store.js';
import { UNKNOWN_SHA256 } from '../support/a-substrate.js';
import { aDecision } from '../support/an-approval.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { outcomeOf } from '../support/call-results.js';
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
const approvals = new SqliteApprovalStore({
  ...{ file: folder.file('index.governance.sqlite'), creates: true, now: Date.now },
});
const made = { first: '', second: '', claim: '', run: '' };

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
    connectClient({
      ...{ era: 'v2', transport: 'stdio', index, url: '', env: { ...ENV, PITH_AGENT: agent } },
    });
  [worker, asker] = await Promise.all([connect('worker'), connect('asker')]);
  const create = async (tool: string, args: object) =>
    Object((await worker.call(tool, { ...args })).structuredContent);
  made.first = (await create('substrate.manifest.create', { message: 'first' })).sha256;
  made.second = (await create('substrate.manifest.create', { message: 'second' })).sha256;
  await create('substrate.pointer.create', { name: 'guides', type: 'corpus', manifest_sha256: made.first });
  made.claim = (await create('claim.create', { statement: 'Sails come first.' })).claim_id;
  made.run = (await create('run.create', { run_type: 'check' })).run_id;
});

afterAll(async () => {
  await Promise.all([worker.close(), asker.close(), approvals.close()]);
  folder.remove();
});

const name = 'guides';
const decision = { decision: 'accept', reason: 'Read.' };
const advance = (reason: string) => ({
  ...{ name, expected_sha256: made.first, manifest_sha256: made.second, reason },
});

describe('a call that needs approval', () => {
  it.each<[string, string, () => object, string]>([
    [
      'no manifest',
      'substrate.pointer.advance',
      () => ({ ...advance('x'), manifest_sha256: UNKNOWN_SHA256 }),
      'manifest_not_found',
    ],
    [
      'no pointer',
      'substrate.pointer.advance',
      () => ({ ...advance('x'), name: 'none' }),
      'pointer_not_found',
    ],
    [
      'a pointer that is elsewhere',
      'substrate.pointer.advance',
      () => ({ ...advance('x'), expected_sha256: UNKNOWN_SHA256 }),
      'conflict',
    ],
    [
      'a name that is taken',
      'substrate.pointer.create',
      () => ({ name, type: 'corpus', manifest_sha256: made.first }),
      'pointer_exists',
    ],
    ['no base', 'substrate.manifest.create', () => ({ base: UNKNOWN_SHA256 }), 'manifest_not_found'],
    [
      'no artifact',
      'substrate.manifest.create',
      () => ({ entries: [{ path: 'a', artifact_sha256: UNKNOWN_SHA256 }] }),
      'artifacts_missing',
    ],
    [
      'no claim',
      'claim.decide',
      () => ({ ...decision, claim_id: 'none', statement: 'x' }),
      'claim_not_found',
    ],
    [
      'another statement',
      'claim.decide',
      () => ({ ...decision, claim_id: made.claim, statement: 'x' }),
      'statement_differs',
    ],
    [
      'no claim',
      'claim.link_evidence',
      () => ({ claim_id: 'none', evidence: [{ section_id: 'sailing.md', quote: 'Set the sails' }] }),
      'claim_not_found',
    ],
    ['no pointer', 'index.ingest', () => ({ source: { pointer: { name: 'none' } } }), 'pointer_not_found'],
    [
      'no manifest',
      'index.ingest',
      () => ({ source: { manifest_sha256: UNKNOWN_SHA256 } }),
      'manifest_not_found',
    ],
    [
      'a folder that is not allowed',
      'index.ingest',
      () => ({ source: { folder: folder.path } }),
      'folder_not_allowed',
    ],
    [
      'a folder that is not allowed',
      'knowledge.kb_create',
      () => ({ name: 'b', source: { folder: '/' } }),
      'folder_not_allowed',
    ],
    ['no run', 'run.start', () => ({ run_id: 'run_0' }), 'run_not_found'],
    ['no run', 'run.complete', () => ({ run_id: 'run_0' }), 'run_not_found'],
  ])('and has %s is refused, and nobody is asked: %s', async (_, tool, args, reason) => {
    expect(outcomeOf(await asker.call(tool, { ...args() }))).toBe(reason);
    expect(await approvals.list({ limit: 9 })).toEqual([]);
  });

  it('is checked again when it is approved, and uses no approval if it can no longer succeed', async () => {
    const ids: string[] = [];
    for (const reason of ['one', 'two']) {
      const asked = await asker.call('substrate.pointer.advance', advance(reason));
      expect(outcomeOf(asked)).toBe('approval_required');
      const [pending] = await approvals.list({ limit: 1 });
      ids.push(pending?.id ?? '');
      await approvals.decide(pending?.id ?? '', aDecision({ by: 'ann' }));
    }
    expect(outcomeOf(await asker.call('substrate.pointer.advance', advance('one')))).toBe('ok');
    expect(outcomeOf(await asker.call('substrate.pointer.advance', advance('two')))).toBe('conflict');
    const states = await Promise.all(ids.map(async (id) => (await approvals.get(id))?.state));
    expect(states).toEqual(['used', 'approved']);
  });
});
