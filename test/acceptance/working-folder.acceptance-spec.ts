import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { httpRequest } from '../support/http-request.js';
import { poll } from '../support/processes.js';
import { runPith } from '../support/run-pith.js';
import { INITIALIZE } from '../support/stdio-process.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const working = folder.file('working');
const readOnly = folder.file('read-only');
const home = folder.file('home');
const index = join(home, 'index.sqlite');
const question = 'When does a ship leave the waiting list?';
const FAILED = { name: 'kb.search', arguments: { query: 7 } };
const FORCED = { RETRIEVAL_DIAGNOSTICS_FORCE: 'true', RETRIEVAL_DIAGNOSTICS_DIR: 'told/diagnostics' };

const line = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

/** Makes one call that fails and one that succeeds, then closes stdin. */
function speak({ stdin }: ChildProcess): void {
  const asked = { name: 'kb.search', arguments: { query: question } };
  stdin?.write(line(1, 'initialize', INITIALIZE));
  stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  stdin?.end(line(2, 'tools/call', FAILED) + line(3, 'tools/call', asked));
}

/** Makes one call that fails over HTTP, at the printed address, then ends the server. */
function speakHttp(child: ChildProcess): void {
  const printed: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => printed.push(data));
  child.stderr?.on('data', (data: Buffer) => printed.push(data));
  const url = () => /http:\/\/\S+\/mcp/.exec(Buffer.concat(printed).toString())?.[0];
  void poll('an address', url)
    .then((address) => httpRequest(address, { body: line(1, 'tools/call', FAILED) }))
    .finally(() => child.kill('SIGTERM'));
}

const golden = folder.file('golden.jsonl');
const memory = folder.file('memory.jsonl');
const AT = ['--index', index];
const silent = ({ stdin }: ChildProcess): void => void stdin?.end();

/** Every command, after the commands that it needs. */
const COMMANDS: [args: readonly string[], onStart: (child: ChildProcess) => void][] = [
  [['index', FIXTURE_CORPUS, ...AT], silent],
  [['ask', question, ...AT], silent],
  [['doctor', ...AT], silent],
  [['stdio', ...AT], speak],
  [['http', '--port', '0', ...AT], speakHttp],
  [['start', '--docs', FIXTURE_CORPUS, '--port', '0', ...AT], speakHttp],
  [['eval', golden, ...AT], silent],
  [['memory', 'import', memory, ...AT], silent],
  [['memory', 'status', ...AT], silent],
  [['diagnostics', 'list'], silent],
];

beforeAll(() => {
  for (const made of [working, readOnly, home]) mkdirSync(made);
  chmodSync(readOnly, 0o555);
  writeFileSync(golden, `${JSON.stringify({ id: 'q1', question, answerable: false })}\n`);
  writeFileSync(memory, `${JSON.stringify({ table: 'thoughts', text: 'The harbour opens at noon.' })}\n`);
});

afterAll(() => folder.remove());

describe.each([
  ['a read-only folder', readOnly, true],
  ['a folder that can be written', working, false],
])('in %s', (_name, cwd, unprivileged) => {
  it.each(COMMANDS)('pith %j works and leaves no file there', async (args, onStart) => {
    const env = { ...FORCED, PITH_INDEX: index };
    const { code, signal, stderr } = await runPith(args, { cwd, env, unprivileged, onStart });
    expect({ code, signal, stderr: code === 0 ? '' : stderr }).toEqual({
      code: 0,
      signal: null,
      stderr: '',
    });
    expect(readdirSync(cwd)).toEqual([]);
  });
});

it('writes diagnostics and evaluation reports to the folder of the index', () => {
  expect(existsSync(join(home, 'told', 'diagnostics'))).toBe(true);
  expect(readdirSync(join(home, 'reports', 'eval')).length).toBeGreaterThan(0);
  expect(
    readdirSync(home)
      .filter((name) => !name.startsWith(basename(index)))
      .sort(),
  ).toEqual(['index.ledger.sqlite', 'reports', 'told']);
});
