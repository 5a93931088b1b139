import { spawn } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testFolder } from './test-folder.js';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'engines', 'postgres.sh');

/** A PostgreSQL that a test may kill. Its data outlives it. */
export interface OwnPostgres {
  readonly url: string;
  /** Kills it without warning. */
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

interface Running {
  readonly url: string;
  readonly end: (signal: 'SIGTERM' | null) => Promise<void>;
}

/** @param env  for the script @param data  the data folder */
async function start(env: Readonly<Record<string, string>>, data: string): Promise<Running> {
  const child = spawn(SCRIPT, ['start'], {
    env: { ...process.env, ...env, POSTGRES_DATA: data },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, url = ''] = line.split(' ');
    if (word !== 'ready') continue;
    const end = async (signal: 'SIGTERM' | null): Promise<void> => {
      if (signal) child.kill(signal);
      else process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      await exited;
    };
    return { url, end };
  }
  throw new Error('PostgreSQL did not start');
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = testFolder();
  // PostgreSQL may run as another user.
  chmodSync(folder.path, 0o755);
  const data = folder.file('postgres');
  let running = await start({}, data);
  const { url } = running;
  const { port, password } = new URL(url);
  return {
    url,
    crash: () => running.end(null),
    restart: async () => {
      running = await start({ POSTGRES_PORT: port, POSTGRES_PASSWORD: password }, data);
    },
    remove: async () => {
      await running.end('SIGTERM');
      folder.remove();
    },
  };
}
