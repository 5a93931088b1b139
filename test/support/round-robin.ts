import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy that distributes requests to servers in turn. As those of load balancers do, it passes a request to the next
 * server if one refuses the connection, and drops the connection of the client if a server dies later.
 */
export interface RoundRobin {
  readonly url: string;
  /** Number of answers per server of the start. */
  readonly served: readonly number[];
  /** Sends new requests only to these servers, as a load balancer does that learns of a change. */
  readonly retarget: (targets: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

/** @param targets  URLs of MCP endpoints with the same path */
export async function startRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const served = targets.map(() => 0);
  const agent = new Agent({ keepAlive: true });
  let last = '';
  let current = targets;
  const send = (incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tries = 1): void => {
    // The one after the last, also if the list has changed: a repeated request never goes to the same server.
    const target = current[(current.indexOf(last) + 1) % current.length] ?? '';
    last = target;
    const which = targets.indexOf(target);
    const { hostname, port } = new URL(target);
    const { method, url: path, headers } = incoming;
    const host = `${hostname}:${port}`;
    const passed = request({ agent, hostname, port, method, path, headers: { ...headers, host } });
    passed.on('response', (answer) => {
      if (which >= 0) served[which] = (served[which] ?? 0) + 1;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody got the request.
      const isDown = error.code === 'ECONNREFUSED' && tries < current.length;
      if (isDown) send(incoming, outgoing, body, tries + 1);
      else outgoing.destroy();
    });
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  };
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    send(incoming, outgoing, Buffer.concat(chunks));
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(targets[0] ?? '').pathname}`,
    served,
    retarget: (targets) => void (current = targets),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close');
    },
  };
}
