import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { reasonOf } from '../support/call-results.js';
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
const ENV = {
  MCP_DOMAINS: 'schema,run,claim',
  MCP_TOOL_NAMES: 'dotted',
  PITH_GOVERNANCE_FILE: folder.file('g.yaml'),
  PITH_SECRET: SECRET,
  PITH_RATE_PER_MINUTE: '0',
};
const GOVERNANCE = `
version: 1
policy: { rules: [{ name: schemas, tools: [schema.register, run.create, claim.create], effect: allow }] }
`;

let http: HttpProcess;
const connect = suiteClients(() => ({ index, url: http.url, env: ENV }));

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'g.yaml': GOVERNANCE });
  http = await startHttpProcess(index, ENV);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

const outputOf = ({ structuredContent, isError }: CallResult): Record<string, unknown> => {
  expect(isError ? structuredContent : null).toBeNull();
  return Object(structuredContent);
};
const registering = (name: string, schema: unknown, more: object = {}) =>
  ['schema.register', { name, schema_json: JSON.stringify(schema), ...more }] as const;
const checking = (name: string, value: unknown, more: object = {}) =>
  ['schema.validate', { name, value_json: JSON.stringify(value), ...more }] as const;

const TICKET = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
/** In another order. */
const SAME = { required: TICKET.required, properties: TICKET.properties, type: TICKET.type };
const NARROWER = { ...TICKET, required: ['id', 'title'] };

describe.each(ONE_OF_EACH)('schemas, for a %s client over %s', (era, transport) => {
  const name = `ticket-${transport}`;
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(era, transport);
  });

  it('are registered once, in versions that stay', async () => {
    const first = outputOf(await client.call(...registering(name, TICKET)));
    expect(first).toMatchObject({ name, version: 1, is_new: true });
    const again = outputOf(await client.call(...registering(name, SAME)));
    expect(again).toEqual({ ...first, is_new: false });
    const wider = { ...TICKET, required: [] };
    expect(outputOf(await client.call(...registering(name, wider)))).toMatchObject({ version: 2 });
    const got = outputOf(await client.call('schema.get', { name, version: 1 }));
    expect(got).toMatchObject({ version: 1, latest_version: 2, hash: first['hash'] });
    expect(JSON.parse(String(got['schema_json']))).toEqual(TICKET);
  });

  it('are not made narrower, unless this is asked for', async () => {
    const refused = await client.call(...registering(name, NARROWER));
    expect(reasonOf(refused)).toBe('schema_incompatible');
    expect(JSON.stringify(refused.structuredContent)).toContain('#/required');
    const forced = await client.call(...registering(name, NARROWER, { compatibility: 'none' }));
    expect(outputOf(forced)).toMatchObject({ version: 3, is_new: true });
  });

  it('say where a value does not fit', async () => {
    expect(outputOf(await client.call(...checking(name, { id: 7 }, { version: 1 })))).toMatchObject({
      is_valid: true,
      problems: [],
    });
    const wrong = outputOf(await client.call(...checking(name, { id: 'seven' })));
    expect(wrong).toMatchObject({ is_valid: false, version: 3 });
    expect(wrong['problems']).toEqual([
      { path: '', message: "must have required property 'title'" },
      { path: '/id', message: 'must be integer' },
    ]);
  });

  it('are taken with line breaks', async () => {
    const schema_json = JSON.stringify({ type: 'string', title: 'A\tB' }, null, 2);
    const pretty = outputOf(
      await client.call('schema.register', { name: `pretty-${transport}`, schema_json }),
    );
    expect(pretty).toMatchObject({ version: 1 });
    const value_json = '\n"text"\n';
    expect(
      outputOf(await client.call('schema.validate', { name: `pretty-${transport}`, value_json })),
    ).toMatchObject({ is_valid: true });
  });

  it('get a version each when several are registered at once', async () => {
    const all = Array.from({ length: 5 }, (_, i) =>
      registering(`race-${transport}`, { const: i }, { compatibility: 'none' }),
    );
    const registered = await Promise.all(all.map((each) => client.call(...each)));
    const versions = registered.map((each) => outputOf(each)['version']);
    expect(versions.toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  it('are listed in their latest version', async () => {
    const { schemas } = outputOf(await client.call('schema.list', {}));
    expect(schemas).toContainEqual(expect.objectContaining({ name, version: 3 }));
  });

  it.each([
    ['an unknown name', 'schema.get', { name: 'unknown' }, 'schema_not_found'],
    ['an unknown version', 'schema.get', { name, version: 99 }, 'schema_not_found'],
    ['a value that is no JSON', 'schema.validate', { name, value_json: '{' }, 'json_invalid'],
    [
      'a value that is nested too deep',
      'schema.validate',
      { name, value_json: `${'['.repeat(30_000)}${']'.repeat(30_000)}` },
      'json_too_deep',
    ],
    [
      'a number that JSON has not',
      'schema.register',
      { name: 'huge', schema_json: '{"maximum":1e999}' },
      'json_invalid',
    ],
    ['a schema with a wrong keyword value', ...registering('wrong', { type: 'strnig' }), 'schema_invalid'],
    [
      'a schema of another draft',
      ...registering('old', { $schema: 'http://json-schema.org/draft-04/schema#' }),
      'schema_invalid',
    ],
    ['a reference that leads nowhere', ...registering('lost', { $ref: '#/$defs/a' }), 'schema_invalid'],
  ])('refuse %s', async (_, tool, args, reason) => {
    expect(reasonOf(await client.call(tool, args))).toBe(reason);
  });
});

describe('a schema that explodes', () => {
  it.each([
    ['by a pattern', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`],
    ['by references to itself', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }, 1],
    [
      'by references that double',
      {
        $ref: '#/$defs/a30',
        $defs: Object.fromEntries(
          Array.from({ length: 31 }, (_, i) => [
            `a${i}`,
            i === 0
              ? { const: 0 }
              : { allOf: [{ $ref: `#/$defs/a${i - 1}` }, { $ref: `#/$defs/a${i - 1}` }] },
          ]),
        ),
      },
      1,
    ],
  ])('%s ends its own call, and the next one is answered', async (how, schema, value) => {
    const client = await connect('v2', 'http');
    const name = how.replaceAll(' ', '-');
    const registered = await client.call(...registering(name, schema));
    const checked = await client.call(...checking(name, value));
    const reasons = [registered, checked].map(reasonOf).filter(Boolean);
    expect(reasons.length).toBeGreaterThan(0);
    expect(['schema_too_costly', 'schema_invalid']).toContain(reasons[0]);
    expect(outputOf(await client.call(...registering('simple', TICKET)))).toMatchObject({
      name: 'simple',
      version: 1,
    });
    expect(outputOf(await client.call(...checking('simple', { id: 1 })))).toMatchObject({ is_valid: true });
  });
});

describe('the tools of schemas', () => {
  it('are not there by default, and without a rule they only read', async () => {
    const plain = await connect('v1', 'stdio', { env: { MCP_DOMAINS: '', PITH_GOVERNANCE_FILE: '' } });
    expect((await plain.listTools()).filter(({ name }) => String(name).startsWith('schema'))).toEqual([]);
    const offered = await connect('v1', 'stdio', { env: { PITH_GOVERNANCE_FILE: '' } });
    await expect(offered.call(...registering('denied', TICKET))).rejects.toThrow(
      'Unknown tool: schema.register',
    );
    expect(reasonOf(await offered.call('schema.get', { name: 'denied' }))).toBe('schema_not_found');
  });
});

describe('docs/domains.md', () => {
  it('has an example that works', async () => {
    const page = readFileSync(join(__dirname, '..', '..', 'docs', 'domains.md'), 'utf8');
    const section = page.slice(page.indexOf('## Schemas')).split(/\n## /)[0] ?? '';
    const examples = [...section.matchAll(/```json\n([^`]+)```/g)].map(([, text = '']) => JSON.parse(text));
    expect(examples.length).toBeGreaterThanOrEqual(2);
    const client = await connect('v2', 'http');
    for (const { tool, arguments: args, result } of examples)
      expect(outputOf(await client.call(tool, args))).toMatchObject(result);
  });
});
