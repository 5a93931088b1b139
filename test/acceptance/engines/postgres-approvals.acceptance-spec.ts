import type { LedgerEvent } from '../../../src/governance/ledger/ledger-event.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../../support/build-index.js';
import { describeEngines } from '../../support/engine.js';
import { type CallResult, connectClient, startHttpProcess } from '../../support/mcp-clients.js';
import { type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { type Finished, runPith } from '../../support/processes.js';
import { writeFiles } from '../../support/write-files.js';

const RULES = `
version: 1
policy:
  rules:
    - { name: ask-first, tools: [kb.search], effect: approve }
`;
const SEARCH = { query: 'harbour' };

interface Refusal {
  readonly code: string;
  readonly details: { readonly reason: string; readonly approval_id: string };
}
const refusalOf = ({ structuredContent }: CallResult): Refusal | undefined =>
  structuredContent?.['error'] as Refusal | undefined;

describeEngines(['postgres'], 'an approval in PostgreSQL', () => {
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  let database: TestDatabase;
  let env: Record<string, string>;

  const pith = (...args: readonly string[]): Promise<Finished> =>
    runPith([...args, '--index', index], { env });
  /** Calls of one server, which starts and stops. */
  async function served(args: readonly object[]): Promise<CallResult[]> {
    const server = await startHttpProcess(index, env);
    const client = await connectClient({ era: 'v2', transport: 'http', index, url: server.url });
    const results = [];
    for (const each of args) results.push(await client.call('kb.search', { ...each }));
    await client.close();
    await server.stop();
    expect(server.child.exitCode).toBe(0);
    return results;
  }
  const events = async (): Promise<LedgerEvent[]> => {
    const rows = await database.sql('SELECT event FROM pith.ledger_line ORDER BY seq');
    return rows.map(({ event }) => JSON.parse(String(event)) as LedgerEvent);
  };

  beforeAll(async () => {
    database = await testDatabase();
    await buildIndex(FIXTURE_CORPUS, index);
    writeFiles(folder.path, { 'governance.yaml': RULES });
    env = {
      PITH_SECRET: 's'.repeat(32),
      PITH_LEDGER: 'on',
      PITH_GOVERNANCE_DATABASE: database.url,
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
    };
  }, 60_000);

  afterAll(async () => {
    await database.remove();
    folder.remove();
  });

  it('outlives its server, is decided without one, is used once by the next one, and never again', async () => {
    const [asked] = await served([SEARCH]);
    const { details } = refusalOf(asked as CallResult) as Refusal;
    expect(details.reason).toBe('approval_required');
    expect(await pith('approvals', 'approve', details.approval_id)).toMatchObject({ code: 0 });

    const [other, used, replayed] = await served([{ query: 'berth' }, SEARCH, SEARCH]);
    expect(refusalOf(other as CallResult)?.details.reason).toBe('approval_required');
    expect(used).toMatchObject({ structuredContent: { results: expect.anything() } });
    const again = refusalOf(replayed as CallResult);
    expect(again?.details.reason).toBe('approval_required');
    expect(again?.details.approval_id).not.toBe(details.approval_id);
    const [afterRestart] = await served([SEARCH]);
    expect(refusalOf(afterRestart as CallResult)?.details.approval_id).toBe(again?.details.approval_id);

    const ofApproval = (await events()).filter(
      (event) => 'approval_id' in event && event.approval_id === details.approval_id,
    );
    expect(ofApproval.map(({ type }) => type)).toEqual([
      'approval.requested',
      'tool.call.completed',
      'approval.decided',
      'approval.used',
      'tool.call.completed',
    ]);
    expect(await pith('ledger', 'verify')).toMatchObject({ code: 0 });
  }, 60_000);
});
