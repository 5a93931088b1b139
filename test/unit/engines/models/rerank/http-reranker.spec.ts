import { inspect } from 'node:util';
import type { Reranker } from '../../../../../src/core/ports/reranker.port.js';
import { openReranker } from '../../../../../src/engines/open-models.js';
import { type ModelServer, startModelServer } from '../../../../support/model-server.js';
import { modelsConfig } from '../../../../support/models-config.js';

describe('HttpReranker', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.close());

  function aReranker(reranker: 'tei' | 'cohere', timeoutMs = 2_000): Reranker {
    const rerankUrl = server.url;
    const config = modelsConfig({
      reranker,
      rerankUrl,
      rerankModel: 'words',
      rerankApiKey: 'sk-secret',
      timeoutMs,
    });
    const opened = openReranker(config);
    if (!opened) throw new Error('a reranker is configured');
    return opened;
  }

  it('sends at most 32 texts per request to TEI, and requests no raw scores', async () => {
    await aReranker('tei').score(
      'why',
      Array.from({ length: 40 }, (_, i) => `text ${i}`),
    );
    expect(server.requests.map(({ body }) => (body['texts'] as string[]).length).toSorted()).toEqual([32, 8]);
    expect(server.requests[0]?.body).toMatchObject({ query: 'why', raw_scores: false, truncate: true });
  });

  it('requests all scores from Cohere, with model and key', async () => {
    await aReranker('cohere').score('why', ['a', 'b']);
    expect(server.requests).toEqual([
      {
        path: '/v2/rerank',
        authorization: 'Bearer sk-secret',
        body: { model: 'words', query: 'why', documents: ['a', 'b'], top_n: 2 },
      },
    ]);
  });

  it.each([
    ['a refused key', { kind: 'status', status: 403 }],
    ['no JSON', { kind: 'garbage', body: 'oh' }],
    ['a score for one text of two', { kind: 'garbage', body: '[{"index":0,"score":1}]' }],
    ['two scores for one text', { kind: 'garbage', body: '[{"index":0,"score":1},{"index":0,"score":1}]' }],
  ] as const)('explains %s, and never shows the key', async (_, fault) => {
    server.always = fault;
    const error: unknown = await aReranker('tei')
      .score('why', ['a', 'b'])
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'BACKEND_UNAVAILABLE', reason: 'reranker' });
    expect(inspect(error, { depth: 9 })).not.toContain('sk-secret');
  });

  it('gives up if a server is too slow', async () => {
    server.always = { kind: 'slow', ms: 5_000 };
    await expect(aReranker('cohere', 200).score('why', ['a'])).rejects.toMatchObject({
      code: 'TIMEOUT',
      reason: 'reranker',
    });
  });

  it('reports missing settings', () => {
    expect(() => openReranker(modelsConfig({ reranker: 'tei' }))).toThrow('PITH_RERANK_URL');
    expect(() => openReranker(modelsConfig({ reranker: 'cohere', rerankUrl: 'http://host' }))).toThrow(
      'PITH_RERANK_MODEL',
    );
    expect(openReranker(modelsConfig({}))).toBeNull();
  });
});
