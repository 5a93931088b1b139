import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openProvider } from '../../../../../src/governance/providers/link/provider-connection.js';
import { failureText } from '../../../../../src/governance/providers/link/provider-failures.js';
import { ProviderLink } from '../../../../../src/governance/providers/link/provider-link.js';

let server: Server;
beforeEach(async () => {
  // Answers every request with an error that repeats all of it.
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => response.writeHead(500).end(JSON.stringify([request.headers, body])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const config = {
  name: 'crm',
  reads: [],
  allow: [],
  roots: [],
  timeoutMs: 5_000,
  ratePerMinute: 100,
  maxConcurrent: 8,
  budget: { bytes: 10_000, tokens: 3_000 },
};

describe('failures of a provider over HTTP that repeats what it receives', () => {
  it('are logged with class, code and status only', async () => {
    const { port } = server.address() as AddressInfo;
    const headers = { 'x-account': 'the private header' };
    const transport = { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers } as const;
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const link: ProviderLink = await new Promise((resolve) => {
      const started = new ProviderLink(
        { ...config, transport },
        {
          open: (prior, hooks) => openProvider(transport, prior, hooks),
          onTools: () => undefined,
          log: { debug: write, warn: write, showsOutput: true },
          hide: (text) => text,
          now: () => performance.now(),
          clock: Date.now,
          random: () => 0,
          wait: async (_, signal) => {
            resolve(started);
            await new Promise((stop) => signal.addEventListener('abort', stop));
          },
        },
      );
      started.start();
    });
    await link.close();
    expect(lines.join('\n')).toMatch(/SdkHttpError, .*HTTP 500/);
    expect(lines.join('\n')).not.toMatch(/private|x-account|protocolVersion|jsonrpc/);
  });

  it('of the system are logged in its words', () => {
    const error = Object.assign(new Error('spawn crm ENOENT'), { syscall: 'spawn crm', code: 'ENOENT' });
    expect(failureText(error)).toMatch(/^the program crm was not found on PATH, .* Correct command or cwd/);
    const path = Object.assign(new Error('spawn'), { syscall: 'spawn /opt/crm', code: 'ENOENT' });
    expect(failureText(path)).toMatch(/^the program \/opt\/crm does not exist, /);
    expect(failureText(new TypeError('fetch failed: sent abc', { cause: error }))).toEqual(
      expect.stringMatching(/^TypeError, the program crm was not found/),
    );
  });

  it('names an error of a library although the name of its class was shortened', () => {
    class O extends Error {
      override readonly name = 'SdkHttpError';
      readonly code = 'CLIENT_HTTP_NOT_IMPLEMENTED';
      readonly status = 401;
    }
    expect(failureText(new O('sent abc'))).toBe('SdkHttpError, CLIENT_HTTP_NOT_IMPLEMENTED, HTTP 401');
  });
});
