import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { type PithProcess, poll, runPith, startPith } from '../support/processes.js';
import { type TestFolder, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

let folder: TestFolder;
beforeEach(() => void (folder = testFolder()));
afterEach(() => folder.remove());

/** Paths, counts, times and ports differ between machines and releases. */
const compared = (line: string): string =>
  line
    .replaceAll(PACKAGE_ROOT, 'CLONE')
    .replaceAll(/\/home\/me\/pith/g, 'CLONE')
    .replaceAll(folder.path, 'CLONE')
    .replace(/127\.0\.0\.1:\d+/, 'ADDRESS')
    .replace(/^(?:\d+ \w+, )+\d+ \w+(?=; | in )/, 'COUNTS')
    .replace(/\d+\.\d s$/, 'TIME');

/** What the README shows of `npm start`, in parts between the marks of what it leaves out. */
function readmeSample(): string[][] {
  const readme = readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8');
  const sample = /```text\n\$ npm start\n(.*?)```/s.exec(readme)?.[1] ?? '';
  return sample.split('[…]\n').map((part) => part.trimEnd().split('\n').map(compared));
}

describe('pith start', () => {
  let started: PithProcess | undefined;
  afterEach(() => started?.stop());

  it('prints what the README shows, and nothing after it', async () => {
    started = startPith(['start', '--port', '0'], { cwd: folder.path });
    const { stdout } = started;
    await poll('the last line', () => (stdout().includes('Press Ctrl+C') ? true : undefined));
    const printed = stdout().trimEnd().split('\n').map(compared).join('\n');
    const parts = readmeSample().map((lines) => lines.join('\n'));
    const places = parts.map((part) => printed.indexOf(part));
    expect(parts.filter((_, i) => places[i] === -1)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(printed.endsWith(parts.at(-1) ?? '')).toBe(true);
    expect(printed.startsWith(parts[0] ?? '')).toBe(true);
  }, 60_000);
});

describe('a port that is in use', () => {
  it('is reported in our words only', async () => {
    const first = startPith(['http', '--port', '0', '--index', folder.file('a.sqlite')], {
      cwd: folder.path,
    });
    try {
      const url = await poll('the address', () => /http:\/\/127\.0\.0\.1:(\d+)/.exec(first.stderr())?.[1]);
      const { code, stderr } = await runPith(['http', '--port', url, '--index', folder.file('b.sqlite')], {
        cwd: folder.path,
      });
      expect(code).toBe(2);
      expect(stderr).toContain(`127.0.0.1:${url} is in use. Choose another with --port or --host.`);
      expect(stderr).not.toMatch(/EADDRINUSE|NestApplication/);
    } finally {
      await first.stop();
    }
  }, 40_000);
});

describe('pith doctor --write', () => {
  it('prints the entry to add by hand for a host that is not installed', async () => {
    const env = { HOME: folder.file('home'), XDG_CONFIG_HOME: folder.file('home/none') };
    writeFiles(folder.path, { 'docs/a.md': '# A\n\nText.\n' });
    const args = ['doctor', '--write', 'zed', '--docs', folder.file('docs')];
    const { code, stdout, stderr } = await runPith(args, { env, cwd: folder.path });
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not seem to be installed')]);
    expect(stdout).toContain(`The entry for Zed, in ${folder.file('home/none/zed/settings.json')}:`);
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      context_servers: { pith: { args: expect.arrayContaining(['stdio', folder.file('docs')]) } },
    });
  });
});
