import { type JSONRPCMessage } from '@modelcontextprotocol/client';
import { loadStdio } from '../../../../../src/governance/providers/link/load-sdk.js';
import { gated } from '../../../../../src/governance/providers/link/message-gate.js';

/** Writes a result that is nested too deeply. */
const PROGRAM = `console.log('{"jsonrpc":"2.0","id":1,"result":{"deep":' + '['.repeat(70) + ']'.repeat(70) + '}}')`;

async function channel(command = process.execPath) {
  const { StdioClientTransport } = await loadStdio();
  return new StdioClientTransport({ command, args: ['-e', PROGRAM] });
}

describe('gated', () => {
  // It reads a private field of the SDK: an upgrade that moves the field fails here.
  it('limits the messages of a program', async () => {
    const transport = gated(await channel(), () => undefined);
    const received = new Promise<JSONRPCMessage>((resolve) => (transport.onmessage = resolve));
    await transport.start();
    expect(await received).toMatchObject({ id: 1, error: { code: -32603 } });
    await transport.close();
  });

  it('refuses a program whose output it can not reach', async () => {
    const transport = await channel();
    const { start } = transport;
    transport.start = async () => {
      const started = start.call(transport);
      const { _process } = transport as unknown as { _process: object };
      Object.assign(transport, { _process: { pid: Object(_process)['pid'] } });
      return started;
    };
    expect(() => gated(transport, () => undefined).start()).toThrow('the MCP SDK has changed');
  });

  it('leaves the error of a program that does not start', async () => {
    const transport = gated(await channel('/nowhere/program'), () => undefined);
    await expect(transport.start()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
