import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'engines', 'qdrant.sh');

/** A Qdrant stand-in for one suite, with its own settings. */
export interface QdrantStandIn {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a stand-in for Qdrant on a free port.
 * @param env  QDRANT_SHIM_*, as scripts/engines/qdrant.sh reads them
 */
export async function startQdrantStandIn(env: Record<string, string> = {}): Promise<QdrantStandIn> {
  const child = spawn(SCRIPT, ['start'], {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [unknown];
  const url = /^ready (\S+)$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`the stand-in for Qdrant did not start: ${String(line)}`);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
