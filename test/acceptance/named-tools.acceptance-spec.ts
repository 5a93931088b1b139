import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

beforeAll(() => pithIndex(FIXTURE_CORPUS, index), 30_000);
afterAll(() => folder.remove());

/** Arguments that give advice: unknown ids, nothing found, another scope, wrong fields. */
const ADVISED: readonly Record<string, unknown>[] = [
  { query: 'zeppelin xylophone', question: 'zeppelin xylophone?' },
  { query: 'x', question: 'x', scope: { project_id: 'other' } },
  { passage_id: 'unknown', passage_ids: ['unknown'], question: 'What?', chunk_id: 'no.md#where' },
  { passage_id: 'unknown' },
  { passage_ids: ['unknown'], question: 'What?' },
  { chunk_id: 'no.md#where' },
  { question: 'When does a ship leave the waiting list?' },
  { node_ids: ['nothing'] },
  { section_ids: ['nothing'] },
  { entity_ids: ['nothing'] },
  { a_ids: ['nothing'], b_ids: ['nothing'] },
  { parent_id: 'nothing' },
];
const NAME = /\b(?:(?:kb|graph|scope|scratch|inner_voice|diagnostics)[._][a-z_]+|search_docs|get_doc)\b/g;
/** Names of data: fields and sources of results. */
const DATA = ['graph_expand', 'scratch_uri', 'scope_mismatch'];

async function advice(client: TestClient, names: readonly string[]): Promise<string[]> {
  const calls = names.flatMap((name) => ADVISED.map((args) => client.call(name, args)));
  const replies = await Promise.all(calls);
  return replies.flatMap(({ content, structuredContent, isError }) => {
    const error = Object(structuredContent?.['error']);
    const hints = [structuredContent?.['hint'], Object(error.details).hint, error.message].map(String);
    return [...hints, ...(isError ? [String(content[0]?.text)] : [])];
  });
}

describe.each([
  [{}],
  [{ MCP_TOOLSET: 'core' }],
  [{ MCP_KB_V2_ENABLED: 'false' }],
  [{ MCP_DOCS_TOOLS_ENABLED: 'false' }],
  [{ PITH_GRAPH_ENGINE: 'none' }],
  [{ MCP_LEGACY_TOOLS: 'off' }],
])('under %j', (env) => {
  it.each(['claude-code', 'mcp-inspector'])('texts for %s name only listed tools', async (clientName) => {
    const client = await connectClient({ era: 'v1', transport: 'stdio', index, env, clientName });
    const names = (await client.listTools()).map(({ name }) => name);
    const texts = await advice(client, names);
    const templates = await client.listResourceTemplates();
    const resource = await client.readResource('wekadocs://scratch/s/p').catch(String);
    await client.close();
    const all = [...texts, JSON.stringify(templates), String(resource)].join('\n');
    const named = (all.match(NAME) ?? []).filter((name) => !DATA.includes(name));
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
    expect(texts.length).toBeGreaterThan(names.length);
  });
});
