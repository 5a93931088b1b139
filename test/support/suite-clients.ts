import {
  connectClient,
  type ConnectOptions,
  type Era,
  type TestClient,
  type TransportName,
} from './mcp-clients.js';

/**
 * Makes the function that connects the clients of a suite, and closes them after its last test. Call it before `afterAll`
 * of the suite, so that clients are closed before their server.
 * @param common  options of all clients; called for each, because the URL is not known before the server has started
 * @returns connects a client with further options, whose `env` and `headers` are added to the common ones
 */
export function suiteClients(common: () => Omit<ConnectOptions, 'era' | 'transport'>) {
  const clients: TestClient[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));
  return async (
    era: Era,
    transport: TransportName,
    more: Partial<ConnectOptions> = {},
  ): Promise<TestClient> => {
    const { env, headers, ...others } = common();
    const added = { env: { ...env, ...more.env }, headers: { ...headers, ...more.headers } };
    const client = await connectClient({ ...others, ...more, ...added, era, transport });
    clients.push(client);
    return client;
  };
}
