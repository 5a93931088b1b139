import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET } from '../support/builders.js';
import {
  type CallResult,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { pithIndex, poll, runPith } from '../support/processes.js';
import { suiteClients } from '../support/suite-clients.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const RULES = `
version: 1
policy:
  rules:
    - { name: work, tools: [run.*, claim.*, substrate.*], effect: allow }
    - { name: ask-first, tools: [schema.register], effect: approve }
`;
const QUESTIONS = ['harbour', 'token of the database', 'ship berth'];

/** What a call returned, without ids that differ between calls. */
const contentOf = ({ structuredContent }: CallResult): string =>
  JSON.stringify(structuredContent, (key, value: unknown) =>
    /^(?:diagnostic_id|passage_id|scratch_uri|generation)$/u.test(key) ? undefined : value,
  );

describe('a server that is saved while it writes, lost and restored', () => {
  const folder = testFolder();
  const place = folder.file('server');
  const index = join(place, 'index.sqlite');
  const archive = folder.file('saved.tar.gz');
  const env = {
    MCP_DOMAINS: 'run,claim,substrate,schema',
    MCP_TOOL_NAMES: 'dotted',
    PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
    PITH_LEDGER: 'on',
    PITH_SECRET: SECRET,
  };
  const open = suiteClients(() => ({ index }));
  let server: HttpProcess | null = null;

  const start = async (): Promise<TestClient> => {
    server = await startHttpProcess(index, env);
    return open('v2', 'http', { url: server.url });
  };
  const command = (...args: readonly string[]) => runPith([...args, '--index', index], { env });
  const called = async (client: TestClient, name: string, args: Record<string, unknown>) => {
    const result = await client.call(name, args);
    if (result.isError === true) throw new Error(contentOf(result));
    return result.structuredContent ?? {};
  };
  const answers = async (client: TestClient): Promise<string[]> => {
    const results: string[] = [];
    for (const query of QUESTIONS) results.push(contentOf(await client.call('kb.search', { query })));
    return results;
  };

  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  it('has the work of one moment, an intact ledger, and the same answers', async () => {
    writeFileSync(folder.file('governance.yaml'), RULES);
    await pithIndex(FIXTURE_CORPUS, index);
    writeFileSync(
      folder.file('notes.jsonl'),
      '{"table":"thoughts","id":"t","text":"Berths are booked by phone."}\n',
    );
    expect((await command('memory', 'import', folder.file('notes.jsonl'))).code).toBe(0);
    const client = await start();
    const claim = await called(client, 'claim.create', { statement: 'Sails come before the anchor.' });
    const artifact = await called(client, 'substrate.artifact.upload', {
      text: '# Returns\n',
      media_type: 'text/markdown',
    });
    const { run_id } = await called(client, 'run.create', { run_type: 'backup' });
    await called(client, 'run.start', { run_id });
    const waiting = await client.call('schema.register', { name: 'severity', schema_json: '{}' });
    expect(contentOf(waiting)).toContain('approval_required');
    const before = await answers(client);

    let written = 0;
    let isSaved = false;
    const writing = (async () => {
      while (!isSaved) {
        await called(client, 'run.checkpoint', { run_id, state: `{"at":${written}}` });
        written++;
      }
    })();
    const saved = await command('backup', archive);
    isSaved = true;
    await writing;
    expect([saved.code, saved.stderr]).toEqual([0, '']);
    expect(written).toBeGreaterThan(2);

    const early = await command('restore', archive, '--replace');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('open')]);
    await server?.stop();
    rmSync(place, { recursive: true });
    const restored = await command('restore', archive);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect((await command('ledger', 'verify')).stdout).toContain('is intact');
    await pithIndex(FIXTURE_CORPUS, index);

    const again = await start();
    expect(await answers(again)).toEqual(before);
    expect(await called(again, 'claim.get', { claim_id: claim['claim_id'] })).toMatchObject({
      statement: 'Sails come before the anchor.',
    });
    expect(await called(again, 'substrate.artifact.get', { sha256: artifact['sha256'] })).toMatchObject({
      text: '# Returns\n',
    });
    expect((await command('approvals', 'list')).stdout).toContain('schema.register');
    expect((await command('memory', 'status')).stdout).toContain('1 row');
    // The run and its events are of one moment: the next checkpoint has the next number in both.
    const run = await called(again, 'run.get', { run_id });
    const version = Number(run['checkpoint_version']);
    expect(run).toMatchObject({ status: 'started' });
    const events = async () => {
      const { stdout } = await command('ledger', 'show', String(run_id), '--json');
      return stdout.split('\n').filter((line) => line.includes('"type":"run.checkpoint"')).length;
    };
    // The server may still record the last one, which waited in the work file.
    await poll('the last event', async () => (await events()) === version || undefined);
    await called(again, 'run.checkpoint', { run_id, state: '{}', expected_version: version });
    expect(await events()).toBe(version + 1);
  });
});
