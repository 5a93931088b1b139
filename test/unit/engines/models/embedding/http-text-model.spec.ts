import { inspect } from 'node:util';
import type { ModelsConfig } from '../../../../../src/config/settings/models.config.js';
import { withCallSignal } from '../../../../../src/core/call-signal.js';
import { Backend } from '../../../../../src/engines/backend.js';
import {
  EMBED_DIALECTS,
  HttpTextModel,
} from '../../../../../src/engines/models/embedding/http-text-model.js';
import { modelSettings } from '../../../../../src/engines/models/embedding/model-settings.js';
import { isTransientHttp } from '../../../../../src/engines/models/http/post-json.js';
import { type ModelServer, startModelServer } from '../../../../support/model-server.js';
import { modelsConfig } from '../../../../support/models-config.js';

describe('HttpTextModel', () => {
  let server: ModelServer;
  const waits: number[] = [];
  beforeEach(async () => {
    server = await startModelServer();
    waits.splice(0);
  });
  afterEach(() => server.close());

  function aModel(
    changes: Partial<ModelsConfig> = {},
    use: 'index' | 'serve' = 'serve',
    timeoutMs = 10_000,
  ): HttpTextModel {
    const { models } = modelsConfig({
      embedder: 'tei',
      embedUrl: server.url,
      embedModel: 'words',
      embedApiKey: 'sk-secret',
      ...changes,
    });
    const backend = new Backend({
      name: 'embedder',
      title: 'The embedding model',
      timeoutMs,
      concurrency: 2,
      isTransient: isTransientHttp,
    });
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const dialect = EMBED_DIALECTS[models.embedder === 'openai' ? 'openai' : 'tei'];
    return new HttpTextModel({ dialect, settings: modelSettings(models, use), backend, wait });
  }

  it('sends at most 32 texts per request, with the prefix of the model', async () => {
    const model = aModel({ embedModel: 'intfloat/e5-small-v2', embedDimensions: 16 });
    await model.embed(
      Array.from({ length: 70 }, (_, i) => `text ${i}`),
      'section',
    );
    const sent = server.requests.map(({ body }) => body['inputs'] as string[]);
    expect(sent.map((texts) => texts.length)).toEqual([32, 32, 6]);
    expect(sent[0]?.[0]).toBe('passage: text 0');
    await model.embed(['why'], 'question');
    expect(server.requests.at(-1)?.body['inputs']).toEqual(['query: why']);
  });

  it('prefers prefixes and dimensions from the settings', async () => {
    const model = aModel({
      embedModel: 'e5-small',
      embedSectionPrefix: '',
      embedQuestionPrefix: 'Q: ',
      embedDimensions: 16,
    });
    await model.embed(['why'], 'question');
    await model.embed(['so'], 'section');
    expect(server.requests.map(({ body }) => body['inputs'])).toEqual([['Q: why'], ['so']]);
  });

  it('sends the key as a bearer token', async () => {
    await aModel().embed(['why'], 'question');
    expect(server.requests[0]?.authorization).toBe('Bearer sk-secret');
  });

  it('requests shorter vectors only from models that support it', async () => {
    const openai = { embedder: 'openai', embedDimensions: 16 } as const;
    await aModel({ ...openai, embedModel: 'text-embedding-3-small' }).embed(['why'], 'question');
    await aModel({ ...openai, embedModel: 'words' }).embed(['why'], 'question');
    expect(server.requests.map(({ body }) => body['dimensions'])).toEqual([16, undefined]);
  });

  it('refuses vectors of another length than configured, with advice', async () => {
    const answer = aModel({ embedDimensions: 12 }).embed(['why'], 'question');
    await expect(answer).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'embedder',
      hint: expect.stringContaining('PITH_EMBED_DIMENSIONS=16'),
    });
  });

  it('refuses vectors of another length than those of the first answer', async () => {
    const model = aModel();
    await model.embed(['why'], 'question');
    server.faults.push({ kind: 'dimensions', dimensions: 8 });
    await expect(model.embed(['so'], 'question')).rejects.toMatchObject({ reason: 'embedder' });
    expect(model.profile.dimensions).toBe(16);
  });

  it('retries immediately after a temporary server error', async () => {
    server.faults.push({ kind: 'status', status: 500 }, { kind: 'hang-up' });
    expect(await aModel().embed(['why'], 'question')).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['a refused key', { kind: 'status', status: 401 }, 'PITH_EMBED_API_KEY'],
    ['an unknown model', { kind: 'status', status: 404 }, 'PITH_EMBED_URL'],
    ['a refused request', { kind: 'status', status: 422 }, 'requests of this size'],
    ['no JSON', { kind: 'garbage', body: '<html>' }, 'PITH_EMBED_URL'],
    ['JSON of another shape', { kind: 'garbage', body: '{"error":"sk-secret"}' }, 'PITH_EMBED_URL'],
    ['too few vectors', { kind: 'garbage', body: '[]' }, 'PITH_EMBED_URL'],
    ['a vector that points nowhere', { kind: 'garbage', body: '[[0,0]]' }, 'PITH_EMBED_URL'],
    ['numbers too large to measure', { kind: 'garbage', body: '[[1e300,1e300]]' }, 'PITH_EMBED_URL'],
    ['an endless answer', { kind: 'garbage', body: `[${'1,'.repeat(600_000)}1]` }, 'PITH_EMBED_URL'],
  ] as const)('explains %s after one request, and never shows the key', async (_, fault, hint) => {
    server.always = fault;
    const error: unknown = await aModel({}, 'index')
      .embed(['why'], 'question')
      .catch((each: unknown) => each);
    expect(error).toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'embedder',
      hint: expect.stringContaining(hint),
    });
    expect(inspect(error, { depth: 9 })).not.toContain('sk-secret');
    expect(server.requests).toHaveLength(1);
  });

  it('waits as long as a busy server asks for, while indexing', async () => {
    server.always = { kind: 'status', status: 429, retryAfter: '7' };
    const embedded = aModel({}, 'index').embed(['why'], 'section');
    await expect(embedded).rejects.toMatchObject({ reason: 'embedder' });
    expect(waits).toEqual([7_000, 7_000, 7_000, 8_000, 16_000, 32_000]);
  });

  it('does not wait for a busy server while a caller waits', async () => {
    server.always = { kind: 'status', status: 429, retryAfter: '7' };
    await expect(aModel().embed(['why'], 'question')).rejects.toMatchObject({ reason: 'embedder' });
    expect(waits).toEqual([]);
  });

  it('gives up if a server is too slow', async () => {
    server.always = { kind: 'slow', ms: 5_000 };
    await expect(aModel({}, 'serve', 100).embed(['why'], 'question')).rejects.toMatchObject({
      code: 'TIMEOUT',
      reason: 'embedder',
    });
  });

  it('is cancelled with its call', async () => {
    server.always = { kind: 'slow', ms: 5_000 };
    const ended = new AbortController();
    const answer = withCallSignal(ended.signal, () => aModel().embed(['why'], 'question'));
    ended.abort(new Error('taken back'));
    await expect(answer).rejects.toThrow('taken back');
  });

  it('reports that a server is down, and works again when it is back', async () => {
    const { url } = server;
    await server.close();
    const model = aModel({ embedUrl: url });
    await expect(model.embed(['why'], 'question')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'embedder',
    });
  });
});
