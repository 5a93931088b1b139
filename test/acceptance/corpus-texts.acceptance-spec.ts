import { accessText, keysOf } from '../support/access.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { connectClient, type Era, type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const docs = testFolder();
const index = folder.file('index.sqlite');

const MANIFEST = `
project: harbour
environment: dev
repository: docs
description: the Zinnwald description
instructions: Read the Zinnwald instructions.
prompts:
  - name: pay
    description: The Zinnwald prompt.
    messages: [{ role: user, content: Explain. }]
taxonomy:
  town: { description: "the Zinnwald key", values: { zinnwald: { resource: true } } }
documents:
  - { match: ['**'], doc_tag: zinnwald-tag }
`;
const DOCUMENT = '---\ntown: zinnwald\n---\n\n# Zinnwald boarding\n\nThe pilot boards at buoy seven.\n';

const GOVERNANCE = `
version: 1
agents:
  reader: { capabilities: ['*'] }
  searcher: { capabilities: ['*'] }
  without-documents: { capabilities: ['*'], mounts: [scratch] }
  asking: { capabilities: ['*'] }
  asking-for-these: { capabilities: ['*'] }
policy:
  rules:
    - { name: only-search, tools: [kb.read_excerpt], agents: [searcher], effect: deny }
    - { name: ask, tools: [kb.*], agents: [asking], effect: approve }
    - { name: ask-for-these, tools: [kb.*], agents: [asking-for-these], scope: { doc_tags: [zinnwald-tag] }, effect: review }
`;
const KEYS = keysOf('worker', 'reader');
const ACCESS = accessText({
  worker: { keys: [KEYS.worker], agent: 'without-documents' },
  reader: { keys: [KEYS.reader], agent: 'reader' },
});
const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
};
const ERAS: readonly Era[] = ['v1', 'v2'];

let http: HttpProcess;

beforeAll(async () => {
  writeFiles(docs.path, { '.pith.yaml': MANIFEST, 'boarding.md': DOCUMENT });
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE, 'access.yaml': ACCESS });
  await buildIndex(docs.path, index);
  http = await startHttpProcess(index, { ...ENV, PITH_ACCESS_FILE: folder.file('access.yaml') });
});

afterAll(async () => {
  await http.stop();
  folder.remove();
  docs.remove();
});

/** Everything that a client is told before it calls a tool. */
async function toldTo(options: Parameters<typeof connectClient>[0]): Promise<string> {
  const client = await connectClient(options);
  const told = [
    client.instructions(),
    await client.listTools(),
    await client.listPrompts(),
    await client.listResourceTemplates(),
    await client.listResources(),
  ];
  await client.close();
  return JSON.stringify(told);
}

const toldToAgent = (era: Era, agent: string): Promise<string> =>
  toldTo({ era, transport: 'stdio', index, env: { ...ENV, PITH_AGENT: agent } });
const toldToPrincipal = (era: Era, key: string): Promise<string> =>
  toldTo({ era, transport: 'http', index, url: http.url, headers: { authorization: `Bearer ${key}` } });

describe.each(ERAS)('texts and values of the documents (%s)', (era) => {
  it('reach an agent that may read documents', async () => {
    const told = await toldToAgent(era, 'default');
    for (const text of ['Zinnwald description', 'Zinnwald instructions', 'Zinnwald key', '"zinnwald"'])
      expect(told).toContain(text);
  });

  it('reach an agent that may search, in instructions and tools only', async () => {
    const told = await toldToAgent(era, 'searcher');
    expect(told).toContain('Zinnwald instructions');
    expect(told).not.toContain('Zinnwald prompt');
    expect(told).not.toContain('boarding.md');
  });

  it.each(['without-documents', 'asking', 'asking-for-these'])(
    'do not reach an agent that may not read documents at once: %s',
    async (agent) => {
      expect(await toldToAgent(era, agent)).not.toMatch(/zinnwald|boarding/i);
    },
  );

  it('depend on the agent of the principal over HTTP', async () => {
    expect(await toldToPrincipal(era, KEYS.reader)).toContain('Zinnwald instructions');
    expect(await toldToPrincipal(era, KEYS.worker)).not.toMatch(/zinnwald|boarding/i);
  });
});
