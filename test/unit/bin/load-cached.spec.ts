import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../../support/processes.js';

const LOADER = join(process.cwd(), 'bin', 'load-cached.js');
const isOurs = Number(process.versions.node.split('.')[0]) < 22;

let root: string;
let program: string;
let cache: string;

/** Runs the program in a process of its own, with the command as its argument. @returns what it printed */
function run(command = 'stdio'): string {
  const script = `require(${JSON.stringify(LOADER)})(...process.argv.slice(1))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script, program, cache, command], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout;
}

const cached = (): string[] => readdirSync(cache).sort();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pith-cache-'));
  program = join(root, 'program.cjs');
  cache = join(root, 'cache');
  writeFileSync(program, "console.log('one', require('node:path').basename(__filename));\n");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('loading a program with the compiled code of an earlier run', () => {
  it('prints the same with and without the code, and stores it once', () => {
    expect(run()).toBe('one program.cjs\n');
    const [first] = cached();
    expect(run()).toBe('one program.cjs\n');
    expect(cached()).toEqual([first]);
  });

  it('keeps the code of commands apart, because they use different functions', () => {
    run('stdio');
    run('index');
    run('doctor');
    run('eval');
    if (isOurs) expect(cached().map((name) => name.split('-')[0])).toEqual(['index', 'other', 'stdio']);
  });

  it('stores the code of a run again that needs much more than is stored, and then no more', () => {
    const sum = Array.from({ length: 60 }, (_, i) => `a[${i}]`).join(' + ');
    const functions = Array.from({ length: 3_000 }, () => `(a) => ${sum}`);
    writeFileSync(program, `if (process.argv[3] === 'eval') for (const f of [${functions.join()}]) f([]);\n`);
    const storedBy = (command: string) => {
      run(command);
      const { size, ino } = statSync(join(cache, cached()[0] ?? ''));
      return { size, ino };
    };
    if (isOurs) {
      const little = storedBy('doctor');
      const all = storedBy('eval');
      expect(all.size).toBeGreaterThan(little.size + 1_000_000);
      expect([storedBy('eval'), storedBy('doctor')]).toEqual([all, all]);
    }
  });

  it('runs a changed program, also of the same size, and removes the code of the old one', () => {
    run();
    writeFileSync(program, "console.log('two', require('node:path').basename(__filename));\n");
    utimesSync(program, new Date(2030, 1), new Date(2030, 1));
    expect(run()).toBe('two program.cjs\n');
    if (isOurs) expect(cached()).toHaveLength(1);
  });

  it('compiles again if the stored code is damaged', () => {
    run();
    const [name = ''] = cached();
    if (isOurs) {
      writeFileSync(join(cache, name), 'damaged');
      expect(run()).toBe('one program.cjs\n');
      expect(readFileSync(join(cache, name), 'utf8')).not.toBe('damaged');
    }
  });

  it('runs where nothing can be stored', () => {
    writeFileSync(cache, 'a file where the folder should be');
    chmodSync(cache, 0o444);
    expect(run()).toBe('one program.cjs\n');
  });

  it('stores the code while a long run goes on', async () => {
    writeFileSync(program, 'setTimeout(() => undefined, 20_000);\n');
    const script = `require(${JSON.stringify(LOADER)})(...process.argv.slice(1))`;
    const running = spawn(process.execPath, ['-e', script, program, cache, 'index']);
    if (isOurs) await poll('the stored code', () => (existsSync(cache) && cached()[0]) || undefined);
    running.kill('SIGKILL');
  });

  it('is for programs without `import()`, as ours is: V8 would not find the modules', () => {
    const ours = readFileSync(join(process.cwd(), 'dist', 'pith.cjs'), 'utf8');
    expect(ours.match(/(?<![.\w])import\(/g)).toBeNull();
    expect(ours).toContain('require("@redis/client")');
  });

  it('does not hold the libraries that convert documents, which only a thread loads', () => {
    const read = (name: string): string => readFileSync(join(process.cwd(), 'dist', name), 'utf8');
    expect(read('convert-worker.cjs')).toContain('docProps/core.xml');
    expect(read('pith.cjs')).not.toContain('docProps/core.xml');
  });

  it('lets errors of the program through', () => {
    writeFileSync(program, "throw new Error('of the program');\n");
    const script = `require(${JSON.stringify(LOADER)})(...process.argv.slice(1))`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script, program, cache], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('of the program');
  });
});
