import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { buildIndex, testFolder } from '../../support/build-index.js';
import { outcomeOf } from '../../support/call-results.js';
import { describeEngines } from '../../support/engine.js';
import {
  type CallResult,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../../support/mcp-clients.js';
import { type OwnPostgres, ownPostgres } from '../../support/own-postgres.js';
import { poll } from '../../support/processes.js';
import { suiteClients } from '../../support/suite-clients.js';
import { writeFiles } from '../../support/write-files.js';

const RULES = `
version: 1
policy:
  rules:
    - { name: work, tools: [run.*, substrate.*, claim.*, schema.*, knowledge.*], effect: allow }
`;
const TOKEN = 'the-token-of-the-agents';
const QUOTE = 'Sails are set in calm air.';
const SCHEMA = '{"type":"object","required":["n"]}';

type Json = Record<string, unknown>;
const outputOf = ({ structuredContent }: CallResult): Json => structuredContent ?? {};

describeEngines(['postgres'], 'the work of agents at two replicas on one PostgreSQL', () => {
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  let database: OwnPostgres;
  let env: Record<string, string>;
  let one: HttpProcess;
  let two: HttpProcess;
  const open = suiteClients(() => ({ index, headers: { Authorization: `Bearer ${TOKEN}` } }));
  const clientOf = ({ url }: HttpProcess): Promise<TestClient> => open('v2', 'http', { url });
  const ask = async (server: HttpProcess, tool: string, args: Json): Promise<Json> => {
    const result = await (await clientOf(server)).call(tool, args);
    expect([tool, outcomeOf(result)]).toEqual([tool, 'ok']);
    return outputOf(result);
  };

  beforeAll(async () => {
    database = await ownPostgres();
    writeFiles(folder.path, {
      'governance.yaml': RULES,
      'docs/sailing.md': `# Sailing\n\n${QUOTE} Reefs wait for wind.\n`,
    });
    await buildIndex(folder.file('docs'), index);
    env = {
      PITH_SECRET: `a secret of all replicas ${randomUUID()}`,
      PITH_HTTP_TOKEN: TOKEN,
      PITH_DATABASE: database.url,
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
      PITH_INGEST_ROOTS: folder.file('docs'),
      MCP_DOMAINS: 'run,substrate,claim,schema,knowledge',
      MCP_TOOL_NAMES: 'dotted',
      // A start that shares the machine with other suites is slow.
      PITH_BACKEND_TIMEOUT_MS: '30000',
    };
    // Nothing local is shared but the index.
    const other = { ...env, PITH_WORK_FILE: folder.file('two/work.sqlite') };
    [one, two] = await Promise.all([startHttpProcess(index, env), startHttpProcess(index, other)]);
  }, 180_000);

  afterAll(async () => {
    for (const server of [one, two]) await server.stop();
    await database.remove();
    folder.remove();
  });

  it('is stored in no file of theirs', async () => {
    await ask(one, 'run.create', { run_type: 'test' });
    const stores = /(?:work|ledger|governance)\.sqlite$/;
    expect(readdirSync(folder.path).filter((name) => stores.test(name))).toEqual([]);
  });

  it('has artifacts, manifests, pointers and schemas of one that the other reads', async () => {
    const { sha256 } = await ask(one, 'substrate.artifact.upload', { text: 'Ä 😀\n' });
    const entries = [{ path: 'a.md', artifact_sha256: sha256 }];
    const made = await ask(two, 'substrate.manifest.create', { entries });
    const pointer = { name: 'handbook', type: 'corpus', manifest_sha256: made['sha256'] };
    await ask(one, 'substrate.pointer.create', pointer);
    expect(await ask(two, 'substrate.artifact.get', { sha256 })).toMatchObject({ text: 'Ä 😀\n' });
    expect(await ask(two, 'substrate.pointer.resolve', { name: 'handbook' })).toMatchObject({
      manifest_sha256: made['sha256'],
    });
    await ask(two, 'schema.register', { name: 'fact', schema_json: SCHEMA });
    expect(await ask(one, 'schema.get', { name: 'fact' })).toMatchObject({ version: 1 });
  });

  it('has claims of one that the other verifies', async () => {
    const evidence = [{ section_id: 'sailing.md', quote: QUOTE }];
    const { claim_id } = await ask(one, 'claim.create', { statement: 'Sails need calm air.', evidence });
    expect(await ask(two, 'claim.verify', { claim_id })).toMatchObject({
      evidence: [expect.objectContaining({ state: 'holds' })],
    });
    const { claims } = await ask(two, 'claim.list', {});
    expect(claims).toEqual([expect.objectContaining({ claim_id })]);
  });

  it('has named corpora of one that the other answers from, without a folder in common', async () => {
    await ask(one, 'knowledge.kb_create', { name: 'sails', source: { folder: folder.file('docs') } });
    const query = { name: 'sails', question: 'When are sails set?' };
    const other = await clientOf(two);
    const answers = [1, 2, 3].map(() => other.call('knowledge.kb_query', query));
    for (const answer of await Promise.all(answers)) expect(JSON.stringify(answer)).toContain(QUOTE);
    expect(await ask(two, 'knowledge.kb_list', {})).toMatchObject({ corpora: [{ name: 'sails' }] });
    const again = { name: 'sails', source: { folder: folder.file('docs') }, replace: true };
    await ask(two, 'knowledge.kb_create', again);
    expect(JSON.stringify(await ask(one, 'knowledge.kb_query', query))).toContain(QUOTE);
  });

  it('goes on at the other when one is killed, and nothing is lost', async () => {
    const { run_id } = await ask(one, 'run.create', { run_type: 'nightly' });
    await ask(two, 'run.start', { run_id });
    await ask(one, 'run.checkpoint', { run_id, state: '{"n":1}', expected_version: 0 });
    one.child.kill('SIGKILL');
    await once(one.child, 'close');
    expect(await ask(two, 'run.get', { run_id, checkpoint: 0 })).toMatchObject({
      status: 'started',
      checkpoint: { version: 1, state: { n: 1 } },
    });
    await ask(two, 'run.complete', { run_id });
    one = await startHttpProcess(index, env);
    const { events } = await ask(one, 'run.events', { run_id, limit: 100 });
    expect((events as Json[]).flatMap(({ number }) => number ?? [])).toEqual([1, 2, 3, 4]);
  });

  it('is unavailable while the database is down, unlike answers from documents, and is back with it', async () => {
    const { run_id } = await ask(two, 'run.create', { run_type: 'kept' });
    const client = await clientOf(two);
    await database.crash();
    expect(outcomeOf(await client.call('run.get', { run_id }))).toBe('postgres');
    expect(outcomeOf(await client.call('kb.search', { query: 'sails' }))).toBe('ok');
    await database.restart();
    const back = await poll('the run', async () => {
      const found = await client.call('run.get', { run_id });
      return outcomeOf(found) === 'ok' ? outputOf(found) : undefined;
    });
    expect(back).toMatchObject({ run_id, status: 'created' });
  });
});
