import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import {
  type ReplyContent,
  replyContent,
} from '../../../../src/work/substrate/artifact-routes.controller.js';

const FACTS = { sha256: 'a'.repeat(64), sizeBytes: 4, mediaType: 'text/html' };
const NEVER = new AbortController().signal;

let server: Server;
afterEach(() => void server.close());

/** Serves one request with this function, which gets a promise of the first bytes at the client. @returns the body and the headers that a client gets */
async function reply(
  serve: (content: ReplyContent, response: Response, received: Promise<void>) => Promise<void>,
) {
  let receive: () => void = () => undefined;
  const received = new Promise<void>((resolve) => (receive = resolve));
  server = createServer((_, response) => {
    const asExpress = response as unknown as Response;
    void serve(replyContent(asExpress), asExpress, received);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise<{ body: string; type: string | undefined; status: number | undefined }>((resolve) => {
    const asked = get({ port, agent: false }, (incoming) => {
      let body = '';
      incoming.on('data', (part: Buffer) => {
        body += part.toString();
        receive();
      });
      incoming.on('error', () => undefined);
      incoming.on('close', () =>
        resolve({ body, type: incoming.headers['content-type'], status: incoming.statusCode }),
      );
    });
    asked.on('error', () => resolve({ body: '', type: undefined, status: undefined }));
  });
}

async function* parts(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('replyContent', () => {
  it.each([[['ab', 'c', 'd']], [['abcd']]])('sends %j', async (texts) => {
    const got = await reply(async ({ send, finish }) => {
      await send(FACTS, parts(...texts), NEVER);
      finish();
    });
    expect(got).toEqual({ body: 'abcd', type: 'text/html', status: 200 });
  });

  it('holds the last part back until the end', async () => {
    const got = await reply(async ({ send }, response, received) => {
      await send(FACTS, parts('ab', 'cd'), NEVER);
      await received;
      response.destroy();
    });
    expect(got).toEqual({ body: 'ab', type: 'text/html', status: 200 });
  });

  it('leaves the reply to others if it fails before the second part', async () => {
    const got = await reply(async ({ send }, response) => {
      async function* damaged(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('ab');
        throw new Error('damaged');
      }
      await send(FACTS, damaged(), NEVER).catch(() => response.writeHead(503).end('no'));
    });
    expect(got).toEqual({ body: 'no', type: undefined, status: 503 });
  });
});
