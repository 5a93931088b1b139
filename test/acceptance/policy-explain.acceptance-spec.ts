import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { runPith } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const env = { PITH_GOVERNANCE_FILE: folder.file('g.yaml'), MCP_TOOL_NAMES: 'dotted' };

/** The fixture corpus is the project harbour, environment dev. The settings name neither. */
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: not-in-prod, tools: [kb.search], scope: { environments: [prod] }, effect: deny }
    - { name: not-of-others, tools: [graph.*], scope: { project_ids: [other] }, effect: deny }
    - { name: not-in-dev, tools: [kb.search, search_sections], scope: { environments: [dev] }, effect: deny }
    - { name: not-of-harbour, tools: [graph.describe], scope: { project_ids: [harbour] }, effect: deny }
`;

let client: TestClient;

beforeAll(async () => {
  writeFiles(folder.path, { 'g.yaml': GOVERNANCE });
  await buildIndex(FIXTURE_CORPUS, index);
  client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

/** The rule that refuses a call of the server; null if it is allowed. */
async function serverRule(tool: string, args: Record<string, unknown>): Promise<unknown> {
  const { structuredContent } = await client.call(tool, args);
  return Object(Object(structuredContent?.['error'])['details'])['rule'] ?? null;
}

/** The same from `pith policy explain`. */
async function explainedRule(tool: string, args: Record<string, unknown>): Promise<unknown> {
  const command = ['policy', 'explain', '--index', index, '--tool', tool, '--args', JSON.stringify(args)];
  const { stdout } = await runPith([...command, '--json'], { env });
  const { effect, rule } = JSON.parse(stdout);
  return effect === 'deny' ? rule : null;
}

describe('pith policy explain', () => {
  it.each<[string, Record<string, unknown>, string | null]>([
    ['kb.search', { query: 'ship' }, 'not-in-dev'],
    ['kb.search', { query: 'ship', scope: { environment: 'dev' } }, 'not-in-dev'],
    ['search_sections', { query: 'ship' }, 'not-in-dev'],
    ['kb.retrieve_evidence', { question: 'When?' }, null],
    ['graph.describe', { node_ids: ['index.md'] }, 'not-of-harbour'],
    ['graph.expand', { node_ids: ['index.md'] }, null],
  ])('agrees with a running server about %s %j', async (tool, args, rule) => {
    expect([await serverRule(tool, args), await explainedRule(tool, args)]).toEqual([rule, rule]);
  });
});
