import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { importRows } from '../support/memory-file.js';
import { pithIndex } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

/** Occurs in every title and text that a call can reach, and in no request. */
const MARK = 'zephyrine';
const PAGE = `---
doc_tag: zephyrine-tag
---
# Zephyrine valve

The zephyrine valve holds the pressure. Call \`setPressure()\` before.

## Set zephyrine

1. Open the zephyrine valve, see [the end](end.md).
`;
const DOCUMENTS = {
  'start.md': '---\ndoc_tag: plain\n---\n# Start\n\nSee [the valve](zephyrine.md).\n',
  'zephyrine.md': PAGE,
  'end.md':
    '---\ndoc_tag: zephyrine-tag\n---\n# Zephyrine end\n\nCall `setPressure()` again.\n\n## Zephyrine close\n\nClose it.\n',
};

/** Lists that select items by name, or that are not filters on content. */
const NOT_NARROWING = [
  ...['keywords', 'parts', 'passage_ids', 'node_ids', 'section_ids', 'entity_ids', 'start_ids', 'seeds'],
  ...['a_ids', 'b_ids', 'fields', 'exclude_tags'],
];

let client: TestClient;
/** Arguments of tools with filter lists, for a call that shows the marker. */
let argumentsOf: Record<string, Record<string, unknown>>;
const found: [tool: string, path: string[]][] = [];

type Json = Record<string, unknown>;

/** Paths of all lists in an input schema. */
function listsIn(schema: Json, path: readonly string[] = []): string[][] {
  const unions = ((schema['anyOf'] ?? []) as Json[]).flatMap((each) => listsIn(each, path));
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  return [
    ...([schema['type']].flat().includes('array') ? [[...path]] : []),
    ...unions,
    ...fields.flatMap(([name, each]) => listsIn(each, [...path, name])),
  ];
}

const withEmptyList = (args: Json, [name = '', ...rest]: readonly string[]): Json => ({
  ...args,
  [name]: rest.length === 0 ? [] : withEmptyList((args[name] ?? {}) as Json, rest),
});

/** True if a call shows the marker, in its own session: one tool leaves out what its session has seen. */
async function showsMark(tool: string, args: Json): Promise<boolean> {
  const session = tool === 'expand_neighbors' ? { session_id: `session-${Math.random()}` } : {};
  const result = await client.call(tool, { ...args, ...session });
  return JSON.stringify([result.structuredContent, result.content]).toLowerCase().includes(MARK);
}

beforeAll(async () => {
  writeFiles(folder.file('docs'), DOCUMENTS);
  await pithIndex(folder.file('docs'), index);
  const memory = [{ table: 'thoughts' as const, id: 'm1', text: 'The zephyrine valve.', tags: ['birds'] }];
  await importRows(memory, folder.file('memory.jsonl'), index);
  const env = {
    MCP_LEGACY_TOOLS: 'listed',
    ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
    SURR_ENABLE_INNER_VOICE: '1',
  };
  client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
  for (const tool of await client.listTools()) {
    const lists = listsIn(tool['inputSchema'] as Json);
    const narrowing = lists.filter((path) => !NOT_NARROWING.includes(path.at(-1) ?? ''));
    found.push(...narrowing.map((path): [string, string[]] => [tool.name.replaceAll('.', '_'), path]));
  }
  const search = await client.call('kb_search', { query: 'valve pressure' });
  const [first] = search.structuredContent?.['results'] as { passage_id: string }[];
  const passage_id = first?.passage_id;
  const question = 'Which valve holds the pressure?';
  argumentsOf = {
    kb_search: { query: question },
    kb_retrieve_evidence: { question },
    kb_extract_evidence: { question, passage_ids: [passage_id] },
    kb_read_excerpt: { passage_id },
    kb_expand_excerpt: { passage_id },
    graph_describe: { node_ids: ['end.md'] },
    graph_expand: { node_ids: ['start.md'] },
    graph_paths: { a_ids: ['start.md'], b_ids: ['end.md'], max_hops: 5 },
    graph_parents: { section_ids: ['end.md'] },
    graph_children: { parent_id: 'end.md' },
    graph_entities_for_sections: { section_ids: ['end.md'] },
    graph_sections_for_entities: { entity_ids: ['setPressure'] },
    inner_voice_retrieve: { query: 'valve', floor: 0 },
    scope_describe: {},
    search_sections: { query: question },
    expand_neighbors: { node_ids: ['start.md'] },
    get_paths_between: { a_ids: ['start.md'], b_ids: ['end.md'], max_hops: 5 },
    get_entities_for_sections: { section_ids: ['end.md'] },
    traverse_relationships: { start_ids: ['entity:setpressure'] },
  };
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

describe('a list that filters', () => {
  it('is an argument of exactly these tools', () => {
    const tools = [...new Set(found.map(([tool]) => tool))];
    expect(tools.sort()).toEqual(Object.keys(argumentsOf).sort());
    expect([...new Set(found.map(([, path]) => path.join('.')))].sort()).toEqual([
      ...['filters.doc_tag', 'filters.document_id', 'include_tags', 'labels', 'rel_types'],
      ...['scope.doc_tags', 'scope.repositories'],
    ]);
  });

  it('does not filter if it is absent', async () => {
    const silent: string[] = [];
    for (const [tool, args] of Object.entries(argumentsOf)) {
      if (!(await showsMark(tool, args))) silent.push(tool);
    }
    expect(silent).toEqual([]);
  });

  it('matches nothing if it is empty', async () => {
    const shown: string[] = [];
    for (const [tool, path] of found) {
      if (await showsMark(tool, withEmptyList(argumentsOf[tool] ?? {}, path)))
        shown.push(`${tool} ${path.join('.')}`);
    }
    expect(shown).toEqual([]);
  });
});
