import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Neo4jConnection } from '../../../src/engines/neo4j/neo4j-connection.js';
import { describeEngines } from '../../support/engine.js';
import { neo4jOptions } from '../../support/mirrored-graph.js';
import { poll } from '../../support/processes.js';

const TIMEOUT_MS = 2_000;
const CONCURRENCY = 2;

/** A proxy that can drop its connections silently, like a firewall; neither side is notified, and new ones work. */
async function startForgetfulProxy(target: URL) {
  const links = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const link = [client, connect(Number(target.port), target.hostname)] as const;
    links.add(link);
    client.pipe(link[1]).pipe(client);
    for (const socket of link) socket.on('error', () => undefined);
    client.on('close', () => {
      link[1].destroy();
      links.delete(link);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `bolt://127.0.0.1:${port}`,
    connections: () => links.size,
    forget: () =>
      links.forEach(([client, real]) => void [client.unpipe(real), real.unpipe(client), client.resume()]),
    stop: () => {
      links.forEach(([client, real]) => void [client.destroy(), real.destroy()]);
      server.close();
    },
  };
}

describeEngines(['neo4j'], 'connections to Neo4j that stop answering', () => {
  it('are all dropped and replaced without a restart', async () => {
    const proxy = await startForgetfulProxy(new URL(neo4jOptions().url));
    const options = { url: proxy.url, timeoutMs: TIMEOUT_MS, concurrency: CONCURRENCY };
    const neo4j = new Neo4jConnection(neo4jOptions(options));
    const ask = () => neo4j.read((run) => run('RETURN 1 AS one', {}));
    try {
      await poll('connections', () => Promise.all([ask(), ask()]).catch(() => undefined));
      proxy.forget();
      await expect(Promise.all([ask(), ask()])).rejects.toMatchObject({ code: 'TIMEOUT', reason: 'neo4j' });
      await poll('recovery', () => ask().catch(() => undefined), 20_000);
      await poll('none of the old ones', async () => proxy.connections() <= CONCURRENCY || undefined);
    } finally {
      await neo4j.close();
      proxy.stop();
    }
  }, 60_000);
});
