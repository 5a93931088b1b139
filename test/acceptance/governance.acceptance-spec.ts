import fc from 'fast-check';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

/** One tool of those that return document text is denied. */
const GOVERNANCE = `
version: 1
policy:
  rules: [{ name: closed, tools: [kb.retrieve_evidence], effect: deny }]
`;

const ENV = {
  MCP_LEGACY_TOOLS: 'listed',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  SURR_ENABLE_INNER_VOICE: '1',
  MCP_TOOL_NAMES: 'dotted',
};

let governed: TestClient;
let open: TestClient;

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'g.yaml': GOVERNANCE });
  const wire = { era: 'v1', door: 'stdio', index } as const;
  open = await connectClient({ ...wire, env: ENV });
  governed = await connectClient({ ...wire, env: { ...ENV, PITH_GOVERNANCE_FILE: folder.file('g.yaml') } });
});

afterAll(async () => {
  await Promise.all([open.close(), governed.close()]);
  folder.remove();
});

/** The rule that refused a call; null if no rule did. */
async function ruleOf(client: TestClient, tool: string, args: Record<string, unknown>): Promise<unknown> {
  try {
    const error = Object((await client.call(tool, args)).structuredContent?.['error']);
    return Object(error['details'])['rule'] ?? null;
  } catch {
    return null;
  }
}

/** True if a call succeeds. */
async function answers(client: TestClient, tool: string, args: Record<string, unknown>): Promise<boolean> {
  try {
    return (await client.call(tool, args)).isError !== true;
  } catch {
    return false;
  }
}

const TEXT_TOOLS = [
  'kb.retrieve_evidence',
  'search_docs',
  'get_doc',
  'search_sections',
  'search_documentation',
  'get_section_text',
  'compute_context_bundle',
  'traverse_relationships',
];

/** Valid arguments of the tools above. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  'kb.retrieve_evidence': { question: 'How is a sail set?' },
  search_docs: { query: 'sail' },
  get_doc: { chunk_id: 'x' },
  search_sections: { query: 'sail' },
  search_documentation: { query: 'sail' },
  get_section_text: { section_ids: ['x'] },
  compute_context_bundle: { seeds: ['x'] },
  traverse_relationships: { start_ids: ['x'] },
};

describe('a denied tool', () => {
  it('is denied under every name that returns the same text', async () => {
    const rules = await Promise.all(
      TEXT_TOOLS.map(async (tool) => [tool, await ruleOf(governed, tool, ARGUMENTS[tool] ?? {})]),
    );
    expect(rules).toEqual(TEXT_TOOLS.map((tool) => [tool, 'closed']));
  });

  it('leaves tools without document text alone', async () => {
    expect(await answers(governed, 'kb.search', { query: 'sail' })).toBe(true);
    expect(await answers(governed, 'scope.describe', {})).toBe(true);
  });

  it('is not listed, and neither are the tools that stand for it', async () => {
    const [before, after] = await Promise.all([open.listTools(), governed.listTools()]);
    const names = after.map(({ name }) => name);
    expect(before.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual(
      expect.arrayContaining(['kb.retrieve_evidence', 'search_docs', 'get_doc', 'search_sections']),
    );
  });

  it('is denied as a resource and a prompt', async () => {
    const [document] = (await open.listResources()).resources;
    await expect(governed.readResource(document?.uri ?? 'docs:///x.md')).rejects.toThrow('denied by policy');
    await expect(governed.readResource('DOCS:///x.md')).rejects.toThrow('denied by policy');
    await expect(governed.getPrompt('x')).rejects.toThrow('denied by policy');
    expect((await governed.listResources()).resources).toEqual([]);
  });

  it('answers under no spelling of its name', async () => {
    const spelled = fc
      .tuple(
        fc.constantFrom('kb', 'KB', 'Kb', ' kb', 'ｋb', 'kb\u200b'),
        fc.constantFrom('.', '_', '..', '·', '․', '%2e', '/', ''),
        fc.constantFrom(
          'retrieve_evidence',
          'RETRIEVE_EVIDENCE',
          'retrieve.evidence',
          'retrieve_evidence ',
          'retrieve‑evidence',
        ),
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(spelled, async (name) => {
        expect(await answers(governed, name, { question: 'How is a sail set?' })).toBe(false);
      }),
      { numRuns: 240 },
    );
  });
});
