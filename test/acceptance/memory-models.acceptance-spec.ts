import { writeFileSync } from 'node:fs';
import { failureOf } from '../support/failures.js';
import { type CallResult, connectClient } from '../support/mcp-clients.js';
import { type ModelServer, SERVER_DIMENSIONS, startModelServer } from '../support/model-server.js';
import { runPith } from '../support/run-pith.js';
import { testFolder } from '../support/test-folder.js';

const TOOL = 'inner_voice.retrieve';
const MODEL = 'all-minilm';
const folder = testFolder();
const rows = folder.file('rows.jsonl');

let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer();
  const texts = [
    'The kestrel hovers over the quay.',
    'Tides turn twice a day.',
    'The crane is out of order.',
  ];
  const lines = texts.map((text, i) =>
    JSON.stringify({ table: 'thoughts', id: `${i}`, text, origin: 'human' }),
  );
  const graph = JSON.stringify({ table: 'kg_entities', id: 'kestrel', text: 'Kestrel (bird). Hovers.' });
  writeFileSync(rows, [...lines, graph, ''].join('\n'));
});

afterAll(async () => {
  await models.close();
  folder.remove();
});

beforeEach(() => {
  models.always = null;
});

const envOf = (provider: string, more: Record<string, string> = {}): Record<string, string> => ({
  SURR_ENABLE_INNER_VOICE: '1',
  SURR_EMBED_PROVIDER: provider,
  SURR_EMBED_MODEL: MODEL,
  SURR_EMBED_DIM: String(SERVER_DIMENSIONS),
  PITH_EMBED_URL: models.url,
  ...more,
});

async function importRows(index: string, env: Record<string, string>) {
  return runPith(['memory', 'import', rows, '--index', index], { env });
}

async function asked(
  index: string,
  env: Record<string, string>,
  query = 'kestrel hovers',
): Promise<CallResult> {
  const client = await connectClient({ era: 'v2', transport: 'stdio', index, env });
  try {
    return await client.call(TOOL, { query, floor: 0 });
  } finally {
    await client.close();
  }
}

const diagnosticsOf = ({ structuredContent }: CallResult) =>
  structuredContent?.['diagnostics'] as Record<string, unknown>;
const idsOf = ({ structuredContent }: CallResult) =>
  (structuredContent?.['snippets'] as { id: string }[]).map(({ id }) => id);

describe.each(['openai', 'tei', 'ollama'])('memory embedded by %s', (provider) => {
  const index = folder.file(`${provider}.sqlite`);

  it('embeds rows at the import, and questions when they are asked', async () => {
    const { code, stdout, stderr } = await importRows(index, envOf(provider));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('4 added');
    const result = await asked(index, envOf(provider));
    expect(diagnosticsOf(result)).toMatchObject({ provider, model: MODEL, dim: SERVER_DIMENSIONS, k_ret: 4 });
    expect(idsOf(result).slice(0, 2).sort()).toEqual(['e:kestrel', 't:0']);
    expect(diagnosticsOf(result)['incomparable']).toBeUndefined();
  });

  it('asks for no row again at an import that changes nothing', async () => {
    const before = models.requests.length;
    expect((await importRows(index, envOf(provider))).stdout).toContain('4 unchanged');
    expect(models.requests.length).toBe(before);
  });

  it('names the space in pith memory status', async () => {
    const { stdout } = await runPith(['memory', 'status', '--index', index], { env: envOf(provider) });
    expect(stdout).toContain(
      `Questions are embedded with ${provider} ${MODEL} (${SERVER_DIMENSIONS} dimensions)`,
    );
    expect(stdout).toContain(`4 rows with ${provider} ${MODEL}`);
  });

  it('fails with embedder_unavailable while the model is down, and asks no other', async () => {
    models.always = { kind: 'status', status: 503 };
    const failure = { code: 'BACKEND_UNAVAILABLE', reason: 'embedder_unavailable' };
    expect(failureOf(await asked(index, envOf(provider)))).toEqual(failure);
  });

  it('fails where the model gives vectors of another dimension than SURR_EMBED_DIM', async () => {
    const wrong = envOf(provider, { SURR_EMBED_DIM: '24' });
    const failure = { code: 'BACKEND_UNAVAILABLE', reason: 'embedder_unavailable' };
    expect(failureOf(await asked(index, wrong))).toEqual(failure);
    const { code, stderr } = await importRows(folder.file('wrong.sqlite'), wrong);
    expect(code).toBe(1);
    expect(stderr).toContain('SURR_EMBED_DIM');
  });

  it('compares no rows of another space, and counts them, until they are embedded anew', async () => {
    const other = envOf(provider, { SURR_EMBED_MODEL: 'acme-embed', SURR_EMBED_DIM: '' });
    expect(diagnosticsOf(await asked(index, other))).toMatchObject({ k_ret: 0, incomparable: 4 });
    const { stdout } = await runPith(['memory', 'reembed', '--index', index], { env: other });
    expect(stdout).toContain('4 rows embedded with');
    expect(diagnosticsOf(await asked(index, other))).toMatchObject({ model: 'acme-embed', k_ret: 4 });
  });
});

describe('which embedder memory takes', () => {
  it('is that of documents where SURR_EMBED_PROVIDER is empty', async () => {
    const index = folder.file('documents.sqlite');
    const env = {
      ...envOf(''),
      SURR_EMBED_MODEL: '',
      SURR_EMBED_DIM: '',
      PITH_EMBEDDER: 'ollama',
      PITH_EMBED_MODEL: MODEL,
      PITH_EMBED_DIMENSIONS: String(SERVER_DIMENSIONS),
    };
    expect((await importRows(index, env)).code).toBe(0);
    expect(diagnosticsOf(await asked(index, env))).toMatchObject({ provider: 'ollama', model: MODEL });
    expect(diagnosticsOf(await asked(index, { ...env, SURR_EMBED_PROVIDER: 'pith' }))).toMatchObject({
      provider: 'pith',
      incomparable: 4,
    });
  });

  it('leaves memory as it was where the model fails during an import', async () => {
    const index = folder.file('failed.sqlite');
    models.always = { kind: 'status', status: 401 };
    const { code } = await importRows(index, envOf('tei'));
    expect(code).toBe(1);
    models.always = null;
    expect(diagnosticsOf(await asked(index, { SURR_ENABLE_INNER_VOICE: '1' }))).toBeUndefined();
  });

  it('embeds the rows of another space anew at the next import that changes something', async () => {
    const index = folder.file('switched.sqlite');
    await importRows(index, {});
    writeFileSync(folder.file('more.jsonl'), '{"table":"thoughts","text":"One more."}\n');
    const { code } = await runPith(['memory', 'import', folder.file('more.jsonl'), '--index', index], {
      env: envOf('openai'),
    });
    expect(code).toBe(0);
    const found = diagnosticsOf(await asked(index, envOf('openai')));
    expect(found).toMatchObject({ provider: 'openai', k_ret: 5 });
    expect(found['incomparable']).toBeUndefined();
  });
});
