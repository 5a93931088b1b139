import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/sqlite/driver.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { detailsOf, outcomeOf } from '../support/call-results.js';
import {
  type CallResult,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const RULES = '{ name: work, tools: [run.*, schema.*, claim.*], effect: allow }';
const ENV = {
  MCP_DOMAINS: 'run,schema,claim',
  MCP_TOOL_NAMES: 'dotted',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  PITH_RATE_PER_MINUTE: '0',
};
type Json = Record<string, unknown>;

let http: HttpProcess;
const connect = suiteClients(() => ({ index, url: http.url, env: ENV }));

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, {
    'g.yaml': `version: 1\npolicy: { rules: [${RULES}] }\n`,
    'careful.yaml': `version: 1\npolicy: { rules: [{ name: no, tools: [schema.*], effect: deny }, ${RULES}] }\n`,
  });
  http = await startHttpProcess(index, ENV);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

const outputOf = ({ structuredContent }: CallResult): Json => structuredContent ?? {};

const STEP = { type: 'object', properties: { files: { type: 'integer' } }, required: ['files'] };
const register = (client: TestClient, name: string, schema: unknown): Promise<CallResult> =>
  client.call('schema.register', { name, schema_json: JSON.stringify(schema), compatibility: 'none' });

describe.each(ONE_OF_EACH)('runs that are held to a schema, %s over %s', (era, transport) => {
  let client: TestClient;
  const name = `step-${era}-${transport}`;
  beforeAll(async () => {
    client = await connect(era, transport);
    await register(client, name, STEP);
  });
  const started = async (step_schema: Json): Promise<string> => {
    const made = await client.call('run.create', { run_type: 'test', step_schema });
    const { run_id } = outputOf(made);
    await client.call('run.start', { run_id });
    return String(run_id);
  };
  const step = (run_id: string, more: Json): Promise<CallResult> =>
    client.call('run.log_step', { run_id, step_name: 'read', event: 'complete', ...more });
  const steps = async (run_id: string): Promise<unknown[]> =>
    outputOf(await client.call('run.events', { run_id, types: ['run.step'] }))['events'] as unknown[];

  it('refuse a step whose data does not fit, and record nothing', async () => {
    const run_id = await started({ name });
    const refused = await step(run_id, { data: '{"files":"many"}' });
    expect(detailsOf(refused)).toMatchObject({
      reason: 'schema_violation',
      schema: { name, version: 1 },
      problems: [{ path: '/files', message: 'must be integer' }],
    });
    expect(refused.content[0]?.text).toMatch(/\/files must be integer.*Send the step again.*schema\.get/);
    expect(await steps(run_id)).toEqual([]);
    expect(outcomeOf(await step(run_id, { data: { files: 3 } }))).toBe('ok');
    expect(await steps(run_id)).toMatchObject([{ data: '{"files":3}' }]);
  });

  it('take a step without data only if the schema takes null', async () => {
    const strict = await started({ name });
    expect(outcomeOf(await step(strict, {}))).toBe('schema_violation');
    await register(client, `${name}-or-null`, { type: ['object', 'null'] });
    const loose = await started({ name: `${name}-or-null` });
    expect(outcomeOf(await step(loose, {}))).toBe('ok');
  });

  it('keep the version that was the latest when they were created', async () => {
    const run_id = await started({ name });
    await register(client, name, { type: 'string' });
    expect(outputOf(await client.call('run.get', { run_id }))['step_schema']).toEqual({ name, version: 1 });
    expect(outcomeOf(await step(run_id, { data: { files: 3 } }))).toBe('ok');
    expect(outcomeOf(await step(run_id, { data: '"a text"' }))).toBe('schema_violation');
    const older = await started({ name, version: 1 });
    expect(outputOf(await client.call('run.get', { run_id: older }))['step_schema']).toEqual({
      ...{ name, version: 1 },
    });
    const free = outputOf(await client.call('run.create', { run_type: 'test' }));
    expect(outputOf(await client.call('run.get', { run_id: free['run_id'] }))['step_schema']).toBeNull();
  });

  it('need a schema that exists, and name the tool that lists them', async () => {
    const refused = await client.call('run.create', { run_type: 'test', step_schema: { name: 'none' } });
    expect(outcomeOf(refused)).toBe('schema_not_found');
    expect(refused.content[0]?.text).toMatch(/schema\.list/);
  });

  it('say first that the run has not started', async () => {
    const made = await client.call('run.create', { run_type: 'test', step_schema: { name, version: 1 } });
    expect(outcomeOf(await step(String(outputOf(made)['run_id']), { data: '1' }))).toBe('wrong_status');
  });

  it('answer after a check that was ended because it took a second', async () => {
    await register(client, `${name}-costly`, { pattern: '^(a+)+$' });
    const run_id = await started({ name: `${name}-costly` });
    expect(outcomeOf(await step(run_id, { data: JSON.stringify(`${'a'.repeat(40)}!`) }))).toBe(
      'schema_too_costly',
    );
    expect(await steps(run_id)).toEqual([]);
    expect(outcomeOf(await step(run_id, { data: '"aaa"' }))).toBe('ok');
  });
});

describe.each(ONE_OF_EACH)('claims that are held to a schema, %s over %s', (era, transport) => {
  let client: TestClient;
  const name = `fact-${era}-${transport}`;
  const FACT = {
    type: 'object',
    properties: { subject: { type: 'string' }, value: { type: 'number' } },
    required: ['subject', 'value'],
  };
  beforeAll(async () => {
    client = await connect(era, transport);
    await register(client, name, FACT);
  });
  const make = (more: Json): Promise<CallResult> =>
    client.call('claim.create', { statement: `Moorings are 5 m wide (${name}).`, ...more });

  it('keep their data and the version of the schema', async () => {
    const data = '{"value": 5, "subject": "moorings"}';
    const made = await make({ schema: { name }, data });
    const { claim_id } = outputOf(made);
    await register(client, name, { type: 'string' });
    const got = await client.call('claim.get', { claim_id });
    for (const result of [made, got])
      expect(outputOf(result)).toMatchObject({
        ...{ schema: { name, version: 1 }, data: { subject: 'moorings', value: 5 } },
      });
    const plain = outputOf(
      await client.call('claim.get', { claim_id: outputOf(await make({}))['claim_id'] }),
    );
    expect([plain['schema'], plain['data']]).toEqual([null, null]);
  });

  it.each<[string, Json, string]>([
    ['data that does not fit', { schema: { name, version: 1 }, data: '{"value":"5"}' }, 'schema_violation'],
    ['an unknown schema', { schema: { name: 'none' }, data: '1' }, 'schema_not_found'],
    ['data without a schema', { data: '1' }, 'invalid_input'],
    ['a schema without data', { schema: { name } }, 'invalid_input'],
    [
      'data that is too large',
      { schema: { name }, data: JSON.stringify('é'.repeat(1_100)) },
      'json_too_large',
    ],
  ])('refuse %s, and store nothing', async (_, more, reason) => {
    const before = outputOf(await client.call('claim.list'))['claims'];
    const refused = await make(more);
    expect(outcomeOf(refused)).toBe(reason);
    if (reason === 'schema_violation')
      expect(detailsOf(refused).problems).toEqual([
        { path: '', message: "must have required property 'subject'" },
        { path: '/value', message: 'must be number' },
      ]);
    expect(outputOf(await client.call('claim.list'))['claims']).toEqual(before);
  });
});

describe('a work file of the version before', () => {
  it('is opened by a server, with its claims and schemas', async () => {
    // Another one if the test is repeated.
    const old = folder.file(`old-${randomUUID()}`);
    writeFiles(old, {
      'guide.md': '# Guide\n\nUse it.\n',
      '.pith.yaml': 'project: docs\nenvironment: prod\n',
    });
    await buildIndex(old, `${old}.sqlite`);
    const database = openDatabase(`${old}.work.sqlite`, {});
    database.exec(readFileSync(join(__dirname, '..', 'support', 'work-file-1.sql'), 'utf8'));
    database.close();
    const client = await connect('v2', 'stdio', { index: `${old}.sqlite` });
    const kept = outputOf(await client.call('claim.get', { claim_id: 'c1' }));
    expect(kept).toMatchObject({
      ...{ state: 'accepted', data: null, evidence_total: 2, evidence_added_after_decision: 1 },
    });
    const made = { statement: 'It is new.', schema: { name: 'fact' }, data: '{}' };
    expect(outcomeOf(await client.call('claim.create', made))).toBe('ok');
    const run = await client.call('run.create', { run_type: 'test', step_schema: { name: 'fact' } });
    expect(outcomeOf(run)).toBe('ok');
  });
});

describe('callers that may not use schemas', () => {
  it('make runs and claims, but hold them to no schema', async () => {
    const env = { PITH_GOVERNANCE_FILE: folder.file('careful.yaml') };
    const client = await connect('v2', 'stdio', { env });
    const make = async (more: Json): Promise<unknown> =>
      outcomeOf(await client.call('run.create', { run_type: 'test', ...more }));
    expect(await make({})).toBe('ok');
    expect(await make({ step_schema: { name: 'step-v2-http' } })).toBe('permission_denied');
    const claim = { statement: 'It is.', schema: { name: 'fact-v2-http' }, data: '1' };
    expect(outcomeOf(await client.call('claim.create', claim))).toBe('permission_denied');
  });
});
