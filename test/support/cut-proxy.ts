import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that counts what a client sends, and that can cut it off as if its process was killed. */
export interface CutProxy {
  readonly port: number;
  /** Bytes that the client has sent. */
  readonly sentBytes: () => number;
  readonly isCut: () => boolean;
  readonly stop: () => void;
}

/** @param cutAt  number of the message, of the client or an answer, that is lost with all later ones */
export async function startCutProxy(target: URL, cutAt = Infinity): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let [sentBytes, messages, isCut] = [0, 0, false];
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  const passes = (): boolean => {
    if (!isCut && ++messages >= cutAt) cut();
    return !isCut;
  };
  const server = createServer((client) => {
    const real = connect(Number(target.port), target.hostname);
    for (const socket of [client, real]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => void [client.destroy(), real.destroy()]);
    }
    client.on('data', (data) => {
      sentBytes += data.length;
      if (passes()) real.write(data);
    });
    real.on('data', (data) => void (passes() && client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, sentBytes: () => sentBytes, isCut: () => isCut, stop: cut };
}
