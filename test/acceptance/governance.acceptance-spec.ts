import fc from 'fast-check';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import {
  connectClient,
  type Era,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from '../support/mcp-clients.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

const GOVERNANCE = `
version: 1
capabilities:
  search: [kb.*, search_docs, get_doc]
agents:
  support: { capabilities: [search], mounts: [documents] }
  sealed: { capabilities: ['*'], template: sealed }
  partial: { capabilities: ['*'], template: partial }
  audited: { capabilities: ['*'] }
  closed: { capabilities: ['*'] }
  open: { capabilities: ['*'] }
  waiting: { capabilities: ['*'] }
  walker: { capabilities: ['*'], mounts: [graph] }
aliases: { look.up: kb.retrieve_evidence, look.round: graph.expand }
policy:
  rules:
    - { name: ask-first, tools: [kb.retrieve_evidence], agents: [waiting], effect: approve, reason: Wait for me. }
    - { name: never, tools: [kb.retrieve_evidence], agents: [closed], effect: deny }
    - name: no-evidence
      tools: [kb.retrieve_evidence]
      agents: [audited]
      time: { time_zone: UTC }
      effect: deny
      reason: Closed for the audit.
  templates:
    partial:
      - { name: no-tagged, tools: [kb.*], scope: { doc_tags: [secret] }, effect: deny }
    sealed:
      - { name: no-documents, tools: [kb.*], effect: deny }
`;

/** Settings that list all tools, also those for older clients. */
const EVERY_TOOL = {
  MCP_LEGACY_TOOLS: 'listed',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  SURR_ENABLE_INNER_VOICE: '1',
  MCP_TOOL_NAMES: 'dotted',
};

const clients = new Map<string, Promise<TestClient>>();
const servers: HttpProcess[] = [];

const envFor = (agent: string): Record<string, string> => ({
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_AGENT: agent,
  ...EVERY_TOOL,
});

async function connect(agent: string, era: Era, transport: TransportName): Promise<TestClient> {
  const env = envFor(agent);
  if (transport === 'stdio') return connectClient({ era, transport, index, env });
  const server = await startHttpProcess(index, env);
  servers.push(server);
  return connectClient({ era, transport, index, url: server.url });
}

/** The client of an agent over one transport; each is connected once. */
function clientOf(
  agent: string,
  [era, transport]: readonly [Era, TransportName] = ['v1', 'stdio'],
): Promise<TestClient> {
  const key = [agent, era, transport].join();
  const client = clients.get(key) ?? connect(agent, era, transport);
  clients.set(key, client);
  return client;
}

const detailsOf = async (client: TestClient, tool: string, args: object): Promise<unknown> =>
  (await client.call(tool, { ...args })).structuredContent?.['error'];

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
});

afterAll(async () => {
  await Promise.all([...clients.values()].map(async (client) => (await client).close()));
  await Promise.all(servers.map((server) => server.stop()));
  folder.remove();
});

describe('governance', () => {
  it.each(ONE_OF_EACH)('lists the tools of the agent (%s, %s)', async (...wire) => {
    const client = await clientOf('support', wire);
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'kb.retrieve_evidence',
      'kb.search',
      'kb.read_excerpt',
      'kb.expand_excerpt',
      'kb.extract_evidence',
      'search_docs',
      'get_doc',
    ]);
  });

  it.each(ONE_OF_EACH)('names the rule that denied a call, and its reason (%s, %s)', async (...wire) => {
    const client = await clientOf('audited', wire);
    expect(await detailsOf(client, 'kb.retrieve_evidence', { question: 'How?' })).toMatchObject({
      code: 'SCOPE_VIOLATION',
      message: 'Closed for the audit.',
      details: { reason: 'permission_denied', rule: 'no-evidence' },
    });
  });

  it.each([
    ['kb_retrieve_evidence', { question: 'How?' }],
    ['search_docs', { query: 'sails' }],
    ['get_doc', { chunk_id: 'x' }],
    ['search_sections', { query: 'sails' }],
    ['get_section_text', { section_ids: ['x'] }],
  ])('denies %s with the tool that it stands for', async (tool, args) => {
    const client = await clientOf('audited');
    expect(await detailsOf(client, tool, args)).toMatchObject({ details: { rule: 'no-evidence' } });
  });

  it('denies documents as resources', async () => {
    const client = await clientOf('audited');
    await expect(client.readResource('docs:///anything.md')).rejects.toThrow('Closed for the audit.');
  });

  it('checks arguments before the policy', async () => {
    const client = await clientOf('partial');
    expect(await detailsOf(client, 'kb.retrieve_evidence', { question: 5 })).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('lists no documents, prompts and templates of tools that are not offered', async () => {
    const client = await clientOf('sealed');
    expect({
      resources: (await client.listResources()).resources,
      prompts: await client.listPrompts(),
      templates: await client.listResourceTemplates(),
    }).toEqual({ resources: [], prompts: [], templates: [] });
  });

  it('lists no documents and prompts that a rule for some documents denies', async () => {
    const client = await clientOf('partial');
    expect((await client.listTools()).map(({ name }) => name)).toContain('get_doc');
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource('docs:///anything.md')).rejects.toThrow('denied by policy');
  });

  it('denies snippets of graph tools with document text', async () => {
    const client = await clientOf('audited');
    const args = { node_ids: ['x'], include_snippet: true };
    expect(await detailsOf(client, 'graph.describe', args)).toMatchObject({
      details: { rule: 'no-evidence' },
    });
  });

  it.each(['graph.describe', 'graph.expand', 'expand_neighbors'])(
    'gives an agent without the mount of documents no snippets of %s',
    async (tool) => {
      const client = await clientOf('walker');
      const args = { node_ids: ['x'], include_snippet: true };
      expect(await detailsOf(client, tool, args)).toMatchObject({ details: { reason: 'permission_denied' } });
      const without = await detailsOf(client, tool, { node_ids: ['x'] });
      expect(Object(without).details?.reason).not.toBe('permission_denied');
    },
  );

  it('does not start with an unknown agent, and names those of the file', async () => {
    await expect(startHttpProcess(index, envFor('nobody'))).rejects.toThrow(
      /PITH_AGENT: no agent is named nobody\. Agents of the governance file: default, support, sealed, partial, audited, closed, open, waiting, walker/,
    );
  });

  it('does not start with a broken file, and names the line', async () => {
    writeFiles(folder.path, { 'broken.yaml': 'version: 1\nagents:\n  bot: {}\n' });
    await expect(
      startHttpProcess(index, { PITH_GOVERNANCE_FILE: folder.file('broken.yaml') }),
    ).rejects.toThrow(/broken\.yaml:3: agents\.bot\.capabilities: /);
  });
});

/** The answer to a request, without the name that was asked for and the ids of the call. */
async function answerWithout(asked: string, work: Promise<unknown>): Promise<string> {
  const answer = await work.catch((error: unknown) => ({ ...Object(error), message: Object(error).message }));
  return JSON.stringify(answer)
    .replaceAll(asked, 'ASKED')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/"retry_after_s":\d+|Wait \d+ s/g, 'WAIT');
}

describe.each(ONE_OF_EACH)('what a caller is not offered is like what does not exist (%s, %s)', (...wire) => {
  it.each([
    ['graph.expand', { node_ids: ['x'] }],
    ['graph_expand', { node_ids: ['x'] }],
    ['graph.expand', { nonsense: true }],
    ['graph.expand', { node_ids: ['x'], scope: { project_id: 'another' } }],
    ['graph.expand', { node_ids: ['x'], scope: 5 }],
    ['look.round', { node_ids: ['x'] }],
    ['look_round', {}],
    ['expand_neighbors', { node_ids: ['x'] }],
    ['search_sections', { query: 'sail' }],
    ['inner_voice.retrieve', {}],
    ['tool.describe', { name: 'kb.search' }],
    ['diagnostics.get', {}],
  ])('%s %j', async (tool, args) => {
    const client = await clientOf('support', wire);
    const unknown = await answerWithout('graph.expend', client.call('graph.expend', args));
    expect(unknown).toContain('Unknown tool: ASKED');
    expect(await answerWithout(tool, client.call(tool, args))).toBe(unknown);
  });

  it('a tool that the policy always denies', async () => {
    const client = await clientOf('closed', wire);
    for (const tool of ['kb.retrieve_evidence', 'look.up', 'search_docs', 'get_section_text'])
      expect(await answerWithout(tool, client.call(tool))).toBe(
        await answerWithout('graph.expend', client.call('graph.expend')),
      );
  });

  it.each(['docs:///sails.md', 'DOCS:///sails.md'])('a document: %s', async (uri) => {
    const [sealed, open] = await Promise.all([clientOf('sealed', wire), clientOf('open', wire)]);
    const missing = uri.replace('sails', 'nothing');
    expect(await answerWithout(uri, sealed.readResource(uri))).toBe(
      await answerWithout(missing, open.readResource(missing)),
    );
  });

  it.each(['wekadocs://scratch/a/b', 'wekadocs://diagnostics/2026-01-01/x'])('%s', async (uri) => {
    const client = await clientOf('sealed', wire);
    expect(await answerWithout(uri, client.readResource(uri))).toBe(
      await answerWithout('wekadocs://nothing/a', client.readResource('wekadocs://nothing/a')),
    );
  });

  it('a prompt', async () => {
    const [sealed, open] = await Promise.all([clientOf('sealed', wire), clientOf('open', wire)]);
    expect(await answerWithout('x', sealed.getPrompt('x'))).toBe(
      await answerWithout('x', open.getPrompt('x')),
    );
  });
});

describe('a caller with too many calls', () => {
  it('gets the same answer for a tool that it is not offered as for one that does not exist', async () => {
    const env = { ...envFor('support'), PITH_RATE_PER_MINUTE: '1', MCP_RESPONSE_ENVELOPE: 'on' };
    const client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
    await client.call('scope.nothing').catch(() => null);
    const unknown = await answerWithout('graph.expend', client.call('graph.expend'));
    const hidden = await Promise.all(
      ['graph.expand', 'search_sections', 'search_documentation'].map((tool) =>
        answerWithout(tool, client.call(tool)),
      ),
    );
    await client.close();
    expect(unknown).toContain('rate_limited');
    expect(hidden).toEqual([unknown, unknown, unknown]);
  });
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

/** Tries names that look like that of a restricted tool. */
async function answersUnderNoSpelling(client: TestClient): Promise<void> {
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
      expect(await answers(client, name, { question: 'How is a sail set?' })).toBe(false);
    }),
    { numRuns: 240 },
  );
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
  let governed: TestClient;

  beforeAll(async () => {
    governed = await clientOf('audited');
  });

  it('is denied under every name that returns the same text', async () => {
    const rules = await Promise.all(
      TEXT_TOOLS.map(async (tool) => [tool, await ruleOf(governed, tool, ARGUMENTS[tool] ?? {})]),
    );
    expect(rules).toEqual(TEXT_TOOLS.map((tool) => [tool, 'no-evidence']));
  });

  it('leaves tools without document text alone', async () => {
    expect(await answers(governed, 'kb.search', { query: 'sail' })).toBe(true);
    expect(await answers(governed, 'scope.describe', {})).toBe(true);
  });

  it('is not listed if it is always denied, and neither are the tools that stand for it', async () => {
    const [open, closed] = await Promise.all([clientOf('open'), clientOf('closed')]);
    const [before, after] = await Promise.all([open.listTools(), closed.listTools()]);
    const names = after.map(({ name }) => name);
    expect(before.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual(
      expect.arrayContaining(['kb.retrieve_evidence', 'search_docs', 'get_doc', 'search_sections']),
    );
  });

  it('is denied as a resource and a prompt', async () => {
    const open = await clientOf('open');
    const [document] = (await open.listResources()).resources;
    await expect(governed.readResource(document?.uri ?? 'docs:///x.md')).rejects.toThrow(
      'Closed for the audit.',
    );
    await expect(governed.readResource('DOCS:///x.md')).rejects.toThrow('Closed for the audit.');
    await expect(governed.getPrompt('x')).rejects.toThrow('Closed for the audit.');
    expect((await governed.listResources()).resources).toEqual([]);
  });

  it('answers under no spelling of its name', async () => {
    await answersUnderNoSpelling(governed);
  });
});

describe.each(ONE_OF_EACH)('a tool that needs an approval (%s, %s)', (...wire) => {
  let waiting: TestClient;

  beforeAll(async () => {
    waiting = await clientOf('waiting', wire);
  });

  const required = { reason: 'approval_required', rule: 'ask-first' };

  it.each([...TEXT_TOOLS, 'kb_retrieve_evidence', 'look.up', 'look_up'])('waits as %s', async (tool) => {
    const args = ARGUMENTS[tool] ?? { question: 'How is a sail set?' };
    expect(await detailsOf(waiting, tool, args)).toMatchObject({ details: required });
  });

  it.each([
    ['graph.describe', { node_ids: ['x'] }],
    ['graph.expand', { node_ids: ['x'] }],
    ['expand_neighbors', { node_ids: ['x'] }],
  ])('waits for snippets of %s, and for nothing else', async (tool, args) => {
    const asked = { ...args, include_snippet: true };
    expect(await detailsOf(waiting, tool, asked)).toMatchObject({ details: required });
    expect(await ruleOf(waiting, tool, args)).toBeNull();
  });

  it('waits as a resource and a prompt, and lists no documents', async () => {
    const [document] = (await (await clientOf('open')).listResources()).resources;
    for (const uri of [document?.uri ?? 'docs:///x.md', 'DOCS:///x.md'])
      await expect(waiting.readResource(uri)).rejects.toMatchObject({ data: { details: required } });
    await expect(waiting.getPrompt('x')).rejects.toMatchObject({ data: { details: required } });
    expect((await waiting.listResources()).resources).toEqual([]);
  });

  it('does not run for an approval that the caller makes up', async () => {
    const made = { _meta: { 'pith/approval_id': 'made-up' } };
    const { structuredContent } = await waiting.call(
      'search_sections',
      ARGUMENTS['search_sections'] ?? {},
      made,
    );
    expect(structuredContent).toMatchObject({ error: { details: { reason: 'approval_mismatch' } } });
  });

  it('answers under no spelling of its name', async () => {
    await answersUnderNoSpelling(waiting);
  });
});
