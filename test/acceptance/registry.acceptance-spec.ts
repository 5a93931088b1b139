import fc from 'fast-check';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { connectClient, type Era, type TestClient } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

const GOVERNANCE = `
version: 1
capabilities: { all: ['*'] }
agents: { default: { capabilities: [all] } }
aliases: { find: kb.search, look.up: kb.retrieve_evidence }
policy:
  rules: [{ name: closed, tools: [kb.retrieve_evidence], effect: deny }]
`;

const clients = new Map<Era, TestClient>();
const clientOf = (era: Era): TestClient => {
  const client = clients.get(era);
  if (!client) throw new Error(`no client of ${era}`);
  return client;
};

async function connect(era: Era): Promise<void> {
  const env = { MCP_TOOL_NAMES: 'dotted', PITH_GOVERNANCE_FILE: folder.file('g.yaml') };
  clients.set(era, await connectClient({ era, transport: 'stdio', index, env }));
}

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'g.yaml': GOVERNANCE });
  await Promise.all([connect('v1'), connect('v2')]);
});

afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.close()));
  folder.remove();
});

const ERAS: readonly Era[] = ['v1', 'v2'];
const QUESTION = { question: 'How is a sail set?' };

/** The rule that refused a call; null if it was answered, or if there is no such tool. */
async function ruleOf(client: TestClient, tool: string, args: Record<string, unknown>): Promise<unknown> {
  try {
    const result = await client.call(tool, args);
    if (result.isError !== true) return null;
    return Object(Object(Object(result.structuredContent)['error'])['details'])['rule'] ?? 'another error';
  } catch {
    return 'another error';
  }
}

describe.each(ERAS)('an alias (%s)', (era) => {
  it.each(['find'])('calls the tool, with a warning: %s', async (alias) => {
    const result = await clientOf(era).call(alias, { query: 'sail' });
    expect(result.isError).toBeUndefined();
    expect(result._meta).toMatchObject({ 'pith/warnings': ['deprecated alias: find is now kb.search'] });
  });

  it('is not listed', async () => {
    const names = (await clientOf(era).listTools()).map(({ name }) => name);
    expect(names).toContain('kb.search');
    expect(names.filter((name) => /^(?:find|look)/.test(name))).toEqual([]);
  });

  it.each(['look.up', 'look_up'])('%s is denied if the tool is denied', async (alias) => {
    await expect(clientOf(era).call(alias, QUESTION)).rejects.toThrow(`Unknown tool: ${alias}.`);
  });

  it('is checked against the schema of the tool', async () => {
    const result = await clientOf(era).call('find', { query: 5 });
    expect(result.structuredContent).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
  });
});

it('rejects a denied alias in any spelling', async () => {
  const spelled = fc
    .tuple(
      fc.constantFrom('look', 'LOOK', ' look', 'look​', 'ｌook'),
      fc.constantFrom('.', '_', '..', '·', '%2e', '/', ''),
      fc.constantFrom('up', 'UP', 'up ', 'up.find'),
    )
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(spelled, async (name) => {
      expect(await ruleOf(clientOf('v1'), name, QUESTION)).not.toBeNull();
    }),
    { numRuns: 150 },
  );
});

describe('tool.list and tool.describe', () => {
  it('show what the caller is offered', async () => {
    const client = clientOf('v2');
    const listed = (await client.listTools()).map(({ name }) => name).sort();
    const { structuredContent } = await client.call('tool.list', {});
    const named: readonly { readonly name: string }[] = Object(structuredContent)['tools'];
    expect(named.map(({ name }) => name)).toEqual(listed);
    expect(named.map(({ name }) => name)).not.toContain('kb.retrieve_evidence');
  });

  it('give the complete schemas and the rule that decides', async () => {
    const { structuredContent } = await clientOf('v2').call('tool.describe', { name: 'kb_search' });
    expect(structuredContent).toMatchObject({
      name: 'kb.search',
      policy: { effect: 'allow', rule: 'default-reads', approver: null },
      input_schema: { additionalProperties: false },
      partial: false,
    });
  });

  it('do not describe what is not offered', async () => {
    const { structuredContent } = await clientOf('v2').call('tool.describe', { name: 'look.up' });
    expect(structuredContent).toMatchObject({ error: { details: { reason: 'tool_not_found' } } });
  });

  it('are not offered without a governance file', async () => {
    const open = await connectClient({
      era: 'v1',
      transport: 'stdio',
      index,
      env: { MCP_TOOL_NAMES: 'dotted' },
    });
    const names = (await open.listTools()).map(({ name }) => name);
    const { structuredContent } = await open.call('tool.list', {});
    await open.close();
    expect(names.filter((name) => name.startsWith('tool.'))).toEqual([]);
    expect(structuredContent).toMatchObject({ error: { details: { reason: 'feature_disabled' } } });
  });
});
