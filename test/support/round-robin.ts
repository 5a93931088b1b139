import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that distributes requests to servers in turn. */
export interface RoundRobin {
  readonly url: string;
  /** Number of requests per server. */
  readonly served: readonly number[];
  /** Sends new requests only to these servers, as a load balancer does that learns of a change. */
  readonly retarget: (targets: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

/** @param targets  URLs of MCP endpoints with the same path */
export async function startRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const served = targets.map(() => 0);
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let current = targets;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const which = turn++ % current.length;
    served[which] = (served[which] ?? 0) + 1;
    const { hostname, port } = new URL(current[which] ?? '');
    const { method, url: path, headers } = incoming;
    const passed = request({
      agent,
      hostname,
      port,
      method,
      path,
      headers: { ...headers, host: `${hostname}:${port}` },
    });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };
  const server = createServer(pass).listen(0, '127.0.0.1');
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
