import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type CallResult, cleanEnv, PROGRAM } from './mcp-clients.js';

/** The command with which a host starts a STDIO server. */
export interface Started {
  readonly args: readonly string[];
  readonly program?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** A connection to a server that a host started. */
export interface ServedProgram {
  readonly tools: () => Promise<string[]>;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<CallResult>;
  readonly stderr: () => string;
  readonly pid: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a server over STDIO like a host, and connects to it. */
export async function serve({ args, program = PROGRAM, env = {}, cwd }: Started): Promise<ServedProgram> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: cleanEnv(env),
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stderr = '';
  transport.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => (await client.callTool({ name, arguments: given })) as CallResult,
    stderr: () => stderr,
    pid: () => Number(transport.pid),
    close: () => client.close(),
  };
}
