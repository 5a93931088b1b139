import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server on a free port that keeps what it receives. */
export interface WebhookReceiver {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  readonly close: () => Promise<void>;
}

/** An answer: a status, a redirect to a path, or silence. */
export type ReceiverAnswer = number | `/${string}` | 'silence';

/** Starts a receiver. @param answers  in order; the last one repeats */
export async function startReceiver(...answers: readonly ReceiverAnswer[]): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? 200;
      requests.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      });
      if (answer === 'silence') return;
      if (typeof answer === 'number') response.writeHead(answer).end('thank you');
      else response.writeHead(307, { location: answer }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook?token=in-the-url`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
