import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that counts what a client sends, and that can cut it off as if its process was killed. */
export interface CutProxy {
  readonly port: number;
  /** Bytes and messages that were sent by clients. */
  readonly sent: { bytes: number; messages: number };
  readonly isCut: () => boolean;
  readonly stop: () => void;
}

/** @param cutAt  number of the message that is the last one to arrive; later ones and answers are lost */
export async function startCutProxy(target: URL, cutAt = Infinity): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  const sent = { bytes: 0, messages: 0 };
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.end();
    for (const socket of sockets) setTimeout(() => socket.destroy(), 5).unref();
  };
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const real = connect(Number(target.port), target.hostname);
    for (const socket of [client, real]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => void [client.destroy(), real.destroy()]);
    }
    client.on('data', (data) => {
      if (isCut) return;
      sent.bytes += data.length;
      sent.messages++;
      real.write(data);
      if (sent.messages >= cutAt) cut();
    });
    real.on('data', (data) => void (isCut || client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    cut();
    server.close();
  };
  return { port, sent, isCut: () => isCut, stop };
}
