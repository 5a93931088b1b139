import { endpointUrl } from '../../../../../src/engines/models/http/ask-model.js';

describe('endpointUrl', () => {
  it.each([
    ['http://host:8080', '/embed', 'http://host:8080/embed'],
    ['http://host:8080/', '/embed', 'http://host:8080/embed'],
    ['http://host/embed', '/embed', 'http://host/embed'],
    ['https://host/v1', '/v1/embeddings', 'https://host/v1/embeddings'],
    ['https://host/v1/embeddings', '/v1/embeddings', 'https://host/v1/embeddings'],
    ['https://host', '/v1/embeddings', 'https://host/v1/embeddings'],
    ['https://gate/models/nomic', '/api/embed', 'https://gate/models/nomic/api/embed'],
    ['https://gate/openai/v1/', '/v1/embeddings', 'https://gate/openai/v1/embeddings'],
    ['https://gate?key=1', '/v2/rerank', 'https://gate/v2/rerank?key=1'],
  ])('joins %s and %s', (base, endpoint, url) => {
    expect(endpointUrl(base, endpoint)).toBe(url);
  });
});
