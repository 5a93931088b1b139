import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { cleanEnv, PROGRAM } from '../support/mcp-clients.js';
import { pithIndex, runPith, timed } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const good = folder.file('index.sqlite');
const damaged = folder.file('damaged.sqlite');
const GOLDEN = join(__dirname, '..', '..', 'fixtures', 'golden', 'pith-docs.jsonl');

/** Maximum duration of a failed start, in addition to the start of Node. */
const LIMIT_MS = 5_000;
const HANG_MS = 15_000;
const TOKEN = 'a-token-of-24-characters';

/** Placeholders for ports in the table; the ports are known when the tests run. */
const TAKEN = 'TAKEN';
const CLOSED = 'CLOSED';
const ports = new Map<string, number>();
let holder: Server;
let startMs: number;

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listening(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, good);
  writeFileSync(damaged, 'not a database '.repeat(1_000));
  holder = await listening();
  ports.set(TAKEN, portOf(holder));
  const closed = await listening();
  ports.set(CLOSED, portOf(closed));
  await new Promise((resolve) => closed.close(resolve));
  startMs = (await timed(runPith(['doctor', '--index', good]))).ms;
}, 60_000);

afterAll(async () => {
  await new Promise((resolve) => holder.close(resolve));
  folder.remove();
});

type Env = Readonly<Record<string, string>>;
interface Case {
  readonly why: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly index: string;
}

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  http: ['http', '--port', '0'],
  start: ['start', '--docs', FIXTURE_CORPUS, '--port', '0'],
  stdio: ['stdio'],
  index: ['index', FIXTURE_CORPUS],
  ask: ['ask', 'x'],
  eval: ['eval', GOLDEN],
  doctor: ['doctor'],
  'memory status': ['memory', 'status'],
  'diagnostics list': ['diagnostics', 'list'],
};

const QDRANT = {
  PITH_SECTION_ENGINE: 'qdrant',
  PITH_PROJECT: 'p',
  PITH_QDRANT_URL: `http://127.0.0.1:${CLOSED}`,
};
const NEO4J = {
  PITH_GRAPH_ENGINE: 'neo4j',
  PITH_PROJECT: 'corpus',
  PITH_NEO4J_URL: `bolt://127.0.0.1:${CLOSED}`,
};
const MODEL = {
  PITH_EMBEDDER: 'openai',
  PITH_EMBED_MODEL: 'm',
  PITH_EMBED_URL: `http://127.0.0.1:${CLOSED}`,
};

function cases(why: string, names: readonly string[], env: Env, extra: readonly string[] = []): Case[] {
  const index = why === 'index unreadable' ? damaged : good;
  return names.map((name) => ({
    why: `${name}: ${why}`,
    args: [...(COMMANDS[name] ?? []), ...extra],
    env,
    index,
  }));
}

const TABLE: readonly Case[] = [
  ...cases('port taken', ['http', 'start'], {}, ['--port', TAKEN]),
  ...cases('port taken, admin console on', ['http'], { PITH_ADMIN_TOKEN: TOKEN }, ['--port', TAKEN]),
  ...cases('address of another machine', ['http'], { PITH_HTTP_TOKEN: TOKEN }, ['--host', '192.0.2.1']),
  ...cases('no token beyond loopback', ['http', 'start'], {}, ['--host', '0.0.0.0']),
  ...cases('bad token', Object.keys(COMMANDS), { PITH_HTTP_TOKEN: 'short' }),
  ...cases('one token for two', ['http', 'start'], { PITH_HTTP_TOKEN: TOKEN, PITH_ADMIN_TOKEN: TOKEN }),
  ...cases('index unreadable', ['start', 'index', 'ask', 'eval', 'doctor', 'memory status'], {}),
  ...cases('Qdrant refused', ['start', 'index', 'ask', 'eval', 'doctor'], QDRANT),
  ...cases('Neo4j refused', ['start', 'index'], NEO4J),
  ...cases('model refused', ['start', 'index'], MODEL),
  ...cases('wrong setting', Object.keys(COMMANDS), { MCP_TOOLSET: 'huge' }),
  ...cases('Qdrant without a project', ['http', 'stdio', 'ask', 'doctor'], { PITH_SECTION_ENGINE: 'qdrant' }),
];

const filled = (text: string): string =>
  [...ports].reduce((all, [name, port]) => all.replace(name, String(port)), text);

function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs a case in its own process group, so that remaining processes are found. */
async function run({ args, env, index }: Case) {
  const child = spawn(process.execPath, [PROGRAM, ...args.map(filled)], {
    cwd: folder.path,
    env: cleanEnv({
      PITH_INDEX: index,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    }),
    detached: true,
    // Never closed, as under a supervisor.
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = child.pid ?? 0;
  const hang = setTimeout(() => process.kill(-group, 'SIGKILL'), HANG_MS);
  const printed: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => printed.push(data));
  child.stderr.on('data', (data: Buffer) => printed.push(data));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const { value: code, ms } = await timed(closed);
  clearTimeout(hang);
  return { code, ms, isAlive: isAlive(group), printed: Buffer.concat(printed).toString() };
}

describe('a start that fails', () => {
  it.each(TABLE.map((one) => [one.why, one] as const))(
    '%s',
    async (_why, one) => {
      const ended = await run(one);
      expect(ended.code === 1 || ended.code === 2 ? '' : ended).toBe('');
      expect(ended.isAlive).toBe(false);
      expect(ended.ms).toBeLessThan(startMs + LIMIT_MS);
      expect(ended.printed).not.toContain('pith: unexpected error');
      // Pith says it in its own words, once.
      expect(ended.printed).not.toMatch(/\[Nest\w*\]/);
      expect(ended.printed).toMatch(/\S/);
    },
    20_000,
  );
});
