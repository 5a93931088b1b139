import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ProviderPins } from '../../src/governance/providers/provider-pins.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { pinsIn } from '../support/governance-stores.js';
import { type CallResult, connectClient, type Era, type TestClient } from '../support/mcp-clients.js';
import { poll, runPith } from '../support/processes.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const EVERYTHING = createRequire(__filename).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const folder = testFolder();
const index = folder.file('index.sqlite');
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: external, safety: [external], effect: allow }
providers:
  all:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(EVERYTHING)}]
    allow: [roots, elicitation, sampling]
    roots: [${JSON.stringify(folder.file('shared'))}]
`;
const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_SECRET: SECRET,
  PITH_LEDGER: 'on',
  MCP_TOOL_NAMES: 'dotted',
};
const ASK = 'all.trigger-elicitation-request';
const SAMPLE = 'all.trigger-sampling-request';

let pins: ProviderPins;
const messages: string[] = [];
const open = suiteClients(() => ({ index, env: ENV }));

type Answer = 'accept' | 'decline';

/** A client whose user answers so; the provider is connected. */
async function connect(era: Era, answer: Answer | null, sampled?: string): Promise<TestClient> {
  const onQuestion = async (message: string) => {
    messages.push(message);
    return answer ?? 'cancel';
  };
  const client = await open(era, 'stdio', {
    ...(sampled === undefined ? {} : { sampled }),
    ...(answer ? { onQuestion, form: { name: 'Ann' } } : {}),
  });
  await poll('a connection', async () =>
    (await client.call('all.get-sum', { a: 1, b: 2 }).catch(() => ({ isError: true }))).isError
      ? undefined
      : true,
  );
  return client;
}

const textOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
  pins = pinsIn({ file: folder.file('index.governance.sqlite'), creates: true });
  const first = await connectClient({ era: 'v1', transport: 'stdio', index, env: ENV });
  const listed = await poll(
    'listed tools',
    async () => {
      const known = await pins.pins('all').catch(() => []);
      return known.length > 0 ? known : undefined;
    },
    20_000,
  );
  const tools = listed.flatMap(({ tool, listed: now }) => (now ? [{ tool, hash: now.hash }] : []));
  expect(await pins.accept({ provider: 'all', tools, by: 'ann', at: 1 })).toBe(true);
  await first.close();
});

afterAll(async () => {
  await pins.close();
  folder.remove();
});

describe('progress that a provider reports', () => {
  it.each<Era>(['v1', 'v2'])('reaches a client that asks for it, %s', async (era) => {
    const client = await connect(era, null);
    const reported: object[] = [];
    await client.call(
      'all.trigger-long-running-operation',
      { duration: 2, steps: 4 },
      { onprogress: (progress) => void reported.push(progress) },
    );
    // The SDK drops progress that it receives in one piece with the result, so the last ones can be missing.
    const all = [1, 2, 3, 4].map((progress) => ({ progress, total: 4 }));
    expect(reported).toEqual(all.slice(0, reported.length));
    expect(reported.length).toBeGreaterThanOrEqual(2);
  });
});

describe('requests of a provider that are allowed', () => {
  it('for roots get the folders of the file, nothing else', async () => {
    const client = await connect('v1', null);
    const text = textOf(await client.call('all.get-roots-list'));
    expect(text).toContain('(1 total)');
    expect(text).toContain(`URI: ${pathToFileURL(folder.file('shared')).href}`);
  });

  it.each<[Answer, string]>([
    ['accept', 'User provided the requested information'],
    ['decline', 'User declined'],
  ])('for elicitation are put to the user of the call, who may %s', async (answer, expected) => {
    const client = await connect('v1', answer);
    messages.length = 0;
    const result = await client.call(ASK);
    expect(textOf(result)).toContain(expected);
    expect(messages).toEqual([expect.stringMatching(/^all, an external server, asks:\n/)]);
    const { stdout } = await runPith(['ledger', 'export', '--format', 'jsonl', '--index', index], {
      env: ENV,
    });
    const id = String(result._meta?.['pith/tool_call_id']);
    const lines = stdout.split('\n').filter((line) => line.includes(id));
    const asked = lines.find((line) => line.includes('"tool.call.input_requested"')) ?? '{}';
    expect(JSON.parse(asked)).toMatchObject({
      event: { provider: 'all', answer, tool: ASK, scope: { doc_tags: null, repositories: null } },
    });
    expect(asked).not.toContain('asks');
  });

  it.each<[string, Era, Answer | null]>([
    ['declared no elicitation', 'v1', null],
    ['takes questions only in place of a result', 'v2', 'accept'],
  ])('for elicitation are refused if the host %s, %s', async (_, era, answer) => {
    const client = await connect(era, answer);
    messages.length = 0;
    const result = await client.call(ASK);
    expect([result.isError, messages]).toEqual([true, []]);
    expect(textOf(result)).toContain('takes no questions during a call');
  });

  it('for sampling are answered by the model of the host, which is told where they come from', async () => {
    const client = await connect('v1', null, 'Forty-two');
    const result = await client.call(SAMPLE, { prompt: 'How many?', maxTokens: 50 });
    expect(textOf(result)).toContain('Forty-two [This request comes from all, an external server.');
    const { stdout } = await runPith(['ledger', 'export', '--format', 'jsonl', '--index', index], {
      env: ENV,
    });
    const asked = stdout
      .split('\n')
      .filter((line) => line.includes('"request":"sampling"') && line.includes('"answer":"accept"'));
    expect(asked).toHaveLength(1);
    expect(asked.join()).not.toContain('Forty-two');
  });

  it.each<[string, Era, string | undefined]>([
    ['declared no sampling', 'v1', undefined],
    ['speaks 2026-07-28', 'v2', 'Forty-two'],
  ])('for sampling are refused if the host %s', async (_, era, sampled) => {
    const client = await connect(era, null, sampled);
    const result = await client.call(SAMPLE, { prompt: 'How many?' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('does not answer requests for sampling');
  });

  it('for elicitation are refused while several calls are under way', async () => {
    const client = await connect('v1', 'accept');
    messages.length = 0;
    const [slow, result] = await Promise.all([
      client.call('all.trigger-long-running-operation', { duration: 2, steps: 1 }),
      client.call(ASK),
    ]);
    expect([result.isError, messages]).toEqual([true, []]);
    expect(textOf(result)).toContain('several are under way');
    expect(slow.isError ?? false).toBe(false);
  });
});
