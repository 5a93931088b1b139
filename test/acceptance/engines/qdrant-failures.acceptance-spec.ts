import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QdrantConnection } from '../../../src/engines/qdrant/qdrant-connection.js';
import { aReader } from '../../contract/qdrant-subjects.js';

/** A local server answers in place of Qdrant, so these tests need no engine. */
describe('a Qdrant that fails', () => {
  let server: Server;
  let requests: { readonly path: string; readonly key: string; readonly accepts: string }[] = [];

  const answering = async (
    listener: RequestListener,
    apiKey = '',
    timeoutMs = 10_000,
  ): Promise<QdrantConnection> => {
    requests = [];
    server = createServer((request, response) => {
      const { 'api-key': key, 'accept-encoding': accepts } = request.headers;
      requests.push({ path: request.url ?? '', key: String(key), accepts: String(accepts) });
      request.resume();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/below/`;
    return new QdrantConnection({ url, apiKey, timeoutMs, concurrency: 2 });
  };
  const status =
    (code: number, body = '{"status":{"error":"secret words"}}'): RequestListener =>
    (_, response) => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(body);
    };

  afterEach(() => server.close());

  it.each<[string, number, string, string, number]>([
    ['an overloaded server', 503, 'BACKEND_UNAVAILABLE', 'qdrant', 3],
    ['too many requests', 429, 'BACKEND_UNAVAILABLE', 'qdrant', 3],
    ['a key that is refused', 403, 'BACKEND_UNAVAILABLE', 'qdrant', 1],
    ['a key that is missing', 401, 'BACKEND_UNAVAILABLE', 'qdrant', 1],
    ['no such collection', 404, 'BACKEND_UNAVAILABLE', 'index_missing', 1],
  ])('is reported by its code: %s', async (_, code, expected, reason, asked) => {
    const index = aReader(await answering(status(code)));
    await expect(index.stamp()).rejects.toMatchObject({ code: expected, reason });
    expect(requests).toHaveLength(asked);
  });

  it.each([
    ['half of an answer', '{"result": [{"points"'],
    ['an answer without a result', '{}'],
    ['no JSON at all', 'not Qdrant'],
    ['a list', '[]'],
  ])('is BACKEND_UNAVAILABLE for %s', async (_, body) => {
    const index = aReader(await answering(status(200, body)));
    const failure = await index.stamp().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'BACKEND_UNAVAILABLE', reason: 'qdrant' });
    expect(String(failure)).not.toContain('secret');
  });

  it('is TIMEOUT without a response', async () => {
    const index = aReader(await answering(() => undefined, '', 300));
    await expect(index.stamp()).rejects.toMatchObject({ code: 'TIMEOUT', reason: 'qdrant' });
    server.closeAllConnections();
  });

  it('is BACKEND_UNAVAILABLE if the connection is refused', async () => {
    const connection = await answering(status(200));
    await new Promise((resolve) => server.close(resolve));
    await expect(aReader(connection).stamp()).rejects.toMatchObject({ reason: 'qdrant' });
  });

  it('does not show the message of Qdrant for a rejected request', async () => {
    const index = aReader(await answering(status(400)));
    const failure = await index.stamp().catch((error: unknown) => error);
    expect(failure).not.toHaveProperty('code');
    expect(String(failure)).toContain('Qdrant rejected a request with HTTP 400');
    expect(requests).toHaveLength(1);
  });

  it('receives the key and the path of the URL, and is asked not to compress responses', async () => {
    const index = aReader(await answering(status(404), 'the key'), { projectId: 'docs' });
    await expect(index.stamp()).rejects.toMatchObject({ reason: 'index_missing' });
    const path = '/below/collections/pith_docs_prod/points/query/batch';
    expect(requests).toEqual([{ path, key: 'the key', accepts: 'identity' }]);
  });

  it('does not make the client print anything, even with a key over plain HTTP', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    await expect(aReader(await answering(status(404), 'the key')).stamp()).rejects.toThrow();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
