import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Config, parseConfig } from '../../src/config/config.js';
import { startHttp } from '../../src/main.http.js';
import { openInProcess } from '../../src/main.in-process.js';
import { InProcessTransport } from '../../src/mcp/transport/in-process-transport.js';
import { MemoryScratchStore } from '../../src/scratch/memory-scratch-store.js';
import { ReaderThreads } from '../../src/sqlite/reader-threads.js';

let holder: Server;

function settings(environment: Record<string, string> = {}): Config {
  const { port } = holder.address() as AddressInfo;
  const own = { PITH_INDEX: '/nowhere/index.sqlite', MCP_DOCS_TOOLS_ENABLED: 'false' };
  return parseConfig({ ...own, PITH_HTTP_PORT: String(port), ...environment });
}

describe('a failed start', () => {
  beforeAll(async () => {
    holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => holder.close(resolve)));
  afterEach(() => jest.restoreAllMocks());

  it('closes the reader thread if Nest cannot make the application', async () => {
    const closed = jest.spyOn(ReaderThreads.prototype, 'close');
    await expect(startHttp(settings({ PITH_HOST_PROFILE: 'nobody' }))).rejects.toThrow('PITH_HOST_PROFILE');
    expect(closed).toHaveBeenCalled();
  });

  it('closes the application if the port is taken', async () => {
    const closed = jest.spyOn(MemoryScratchStore.prototype, 'close');
    await expect(startHttp(settings())).rejects.toThrow(/in use/);
    expect(closed).toHaveBeenCalled();
  });

  it('closes the application of a command if its transport does not start', async () => {
    jest.spyOn(InProcessTransport.prototype, 'start').mockRejectedValue(new Error('no transport'));
    const closed = jest.spyOn(MemoryScratchStore.prototype, 'close');
    await expect(openInProcess(settings())).rejects.toThrow('no transport');
    expect(closed).toHaveBeenCalled();
  });
});
