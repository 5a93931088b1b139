import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnv } from './mcp-clients.js';
import { writeFiles } from './write-files.js';

const SCRIPT = join(__dirname, 'close-server.mjs');
const PROVIDER = join(__dirname, 'provider-server.cjs');
/** Well above the time that closing takes. */
const MAX_END_MS = 10_000;

/** A server with these rules opens the stores of approvals and of provider pins when it starts. */
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: ask-first, tools: [kb.search], effect: approve }
providers:
  test: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(PROVIDER)}] }
`;

/** The active resources of a process that is about to end. */
export const STDOUT_AND_STDERR = ['PipeWrap', 'PipeWrap'];

interface ClosedServer {
  /** Null if it did not end by itself. */
  readonly code: number | null;
  /** Active resources after it was closed. */
  readonly left: readonly string[];
  readonly stderr: string;
}

/**
 * Runs a server that uses every store of governance, and closes it.
 * @param folder  for its governance file
 * @param whenReady  runs while the server runs
 */
export async function runAndClose(
  { folder, index, env = {} }: { folder: string; index: string; env?: Record<string, string> },
  whenReady: () => Promise<unknown>,
): Promise<ClosedServer> {
  writeFiles(folder, { 'governance.yaml': GOVERNANCE });
  const settings = { PITH_GOVERNANCE_FILE: join(folder, 'governance.yaml'), PITH_LEDGER: 'on', ...env };
  const child = spawn(process.execPath, [SCRIPT, index], { env: cleanEnv(settings) });
  const exited = once(child, 'exit');
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  let left: readonly string[] = ['the server was not closed'];
  let timer: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('left ')) left = JSON.parse(line.slice(5)) as string[];
    if (!line.startsWith('ready ')) continue;
    await whenReady();
    child.stdin.write('close\n');
    timer = setTimeout(() => child.kill('SIGKILL'), MAX_END_MS);
  }
  await exited;
  clearTimeout(timer);
  return { code: child.exitCode, left, stderr };
}
