import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, megabytes, pack, type Tarball } from '../support/installed-package.js';
import { cleanEnv } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { serve } from '../support/served-program.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const ROOT = join(__dirname, '..', '..');
const QUESTION = 'When does a ship leave the waiting list?';
const ANSWER = 'A ship leaves the waiting list when it gets a berth';
const TOKEN = 'a-token-of-operators';

const folder = testFolder();
const empty = folder.file('empty');
const index = folder.file('index.sqlite');
let tarball: Tarball;
let program: string;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const started = (args: readonly string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [program, ...args], { env: cleanEnv(env), cwd: empty });

/** Runs the installed program until it ends. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = started(args, env);
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data: Buffer) => (texts.stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (texts.stderr += data.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}

const readJson = (...path: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, ...path), 'utf8')) as Record<string, unknown>;

async function answerOf(args: readonly string[], served = program): Promise<string> {
  const server = await serve({ args, program: served, cwd: folder.path });
  const text = await poll(
    'an answer',
    async () => {
      const { content, isError } = await server.call('kb.retrieve_evidence', { question: QUESTION });
      return isError ? undefined : content.map((part) => part.text ?? '').join('\n');
    },
    20_000,
  );
  await server.close();
  return text;
}

beforeAll(() => {
  tarball = pack(folder.path);
  program = install(tarball.file, empty);
}, 120_000);

afterAll(() => folder.remove());

describe('the npm package', () => {
  it('has at most 3 MB: the bundled program, without sources and tests', () => {
    expect(tarball.bytes).toBeLessThanOrEqual(3_000_000);
    const sources = /(?<!\.d)\.ts$|\.map$|^(?:src|test|bench|scripts)\//u;
    expect(tarball.paths.filter((path) => sources.test(path))).toEqual([]);
    expect(tarball.paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/pith.js',
        'dist/pith.cjs',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/sbom.cdx.json',
      ]),
    );
  });

  it('needs at most 60 MB installed, and installs no package that the bundle contains', () => {
    expect(megabytes(join(empty, 'node_modules'))).toBeLessThanOrEqual(60);
    const installed = readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed.sort()).toEqual(['@photostructure', 'node-addon-api', 'node-gyp-build', 'pith']);
  });

  it('contains the licence of each bundled package', () => {
    const notices = readFileSync(
      join(empty, 'node_modules', 'pith', 'dist', 'THIRD-PARTY-NOTICES.txt'),
      'utf8',
    );
    for (const name of ['zod', 'rxjs', '@nestjs/core', '@modelcontextprotocol/server', 'cockatiel'])
      expect(notices).toMatch(new RegExp(`^${name} \\d\\S* \\(\\S.*\\)$`, 'mu'));
  });

  it('indexes and answers, and passes its own checks', async () => {
    const indexed = await run(['index', FIXTURE_CORPUS, '--index', index, '--json']);
    expect(JSON.parse(indexed.stdout)).toMatchObject({ documents: 7, index });
    const asked = await run(['ask', QUESTION, '--index', index]);
    expect(asked.stdout).toContain(ANSWER);
    const doctor = await run(['doctor', '--index', index, '--json']);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true });
    expect([indexed.code, asked.code, doctor.code]).toEqual([0, 0, 0]);
  });

  it('serves a folder over STDIO with one command', async () => {
    const args = ['stdio', '--docs', FIXTURE_CORPUS, '--index', folder.file('served.sqlite')];
    expect(await answerOf(args)).toContain(ANSWER);
  });

  it('serves over HTTP with the admin console, and names the package that /metrics needs', async () => {
    const args = ['http', '--docs', FIXTURE_CORPUS, '--index', folder.file('http.sqlite'), '--port', '0'];
    const settings = { PITH_ADMIN_TOKEN: TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const child = started(args, settings);
    let stderr = '';
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    const base = await poll('the address', () => /(http:\/\/\S+)\/mcp/u.exec(stderr)?.[1]);
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const get = (path: string) => fetch(`${base}${path}`, { headers });
    await poll('the index', async () => ((await get('/healthz')).ok ? true : undefined), 20_000);
    const [admin, metrics] = await Promise.all([get('/admin/config'), get('/metrics')]);
    child.kill();
    expect([admin.status, metrics.status]).toEqual([200, 503]);
    expect(stderr).toContain('Install it: npm install prom-client @opentelemetry/core');
    expect(await metrics.text()).toContain('npm install prom-client');
  });

  it.each([
    ['PITH_SECTION_ENGINE', 'qdrant', '@qdrant/js-client-rest'],
    ['PITH_GRAPH_ENGINE', 'neo4j', 'neo4j-driver'],
    ['PITH_SCRATCH_ENGINE', 'redis', '@redis/client'],
  ])('with %s=%s exits at once and prints: npm install %s', async (name, value, wanted) => {
    const { code, stderr } = await run(['http', '--port', '0'], { [name]: value });
    expect(code).toBe(2);
    expect(stderr).toContain(`${name}=${value} needs ${wanted}. Install it: npm install ${wanted}`);
  });

  it('names the package that files of code need once, and reads the other files', async () => {
    const code = folder.file('code');
    mkdirSync(code);
    writeFileSync(join(code, '.pith.yaml'), 'include: ["**/*.{md,py}"]\n');
    writeFileSync(join(code, 'a.md'), '# Ships\n\nShips are made of wood.\n');
    for (const name of ['a.py', 'b.py']) writeFileSync(join(code, name), 'def send():\n    "Sends."\n');
    const { code: end, stdout, stderr } = await run(['index', code, '--index', folder.file('code.sqlite')]);
    const output = stdout + stderr;
    expect(output).toContain('1 document, 1 section in ');
    expect(output).toContain('2 .py');
    expect(output.match(/npm install @vscode\/tree-sitter-wasm/g)).toHaveLength(1);
    expect(end).toBe(3);
  });
});

describe('the desktop bundle', () => {
  it('is valid, has a folder picker, and answers from the folder', async () => {
    const cli = join(ROOT, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
    const [bundle, unpacked] = [folder.file('pith.mcpb'), folder.file('unpacked')];
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'build-mcpb.mjs'), bundle], { stdio: 'pipe' });
    execFileSync(process.execPath, [cli, 'unpack', bundle, unpacked], { stdio: 'pipe' });
    execFileSync(process.execPath, [cli, 'validate', join(unpacked, 'manifest.json')], { stdio: 'pipe' });
    const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')) as {
      readonly version: string;
      readonly server: { readonly mcp_config: { readonly args: readonly string[] } };
      readonly user_config: object;
    };
    expect(manifest.version).toBe(readJson('package.json')['version']);
    expect(manifest.user_config).toMatchObject({ documents: { type: 'directory', required: true } });
    const [entry = '', ...args] = manifest.server.mcp_config.args.map((arg) =>
      arg.replace('${__dirname}', unpacked).replace('${user_config.documents}', FIXTURE_CORPUS),
    );
    expect(await answerOf([...args, '--index', folder.file('bundle.sqlite')], entry)).toContain(ANSWER);
    expect(
      readdirSync(join(unpacked, 'server/node_modules/@photostructure/sqlite/prebuilds')).sort(),
    ).toEqual(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64']);
  });
});
