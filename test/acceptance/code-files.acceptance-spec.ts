import { mkdirSync, writeFileSync } from 'node:fs';
import { runPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const docs = folder.file('docs');
const CLIENT =
  'class Client:\n    def send(self, cargo: str) -> bool:\n        """Sends the cargo to the port of amber."""\n        return True\n';

const write = (path: string, text: string | Uint8Array): void => writeFileSync(`${docs}/${path}`, text);

beforeEach(() => {
  mkdirSync(docs, { recursive: true });
  write('a.md', '# Ships\n\nShips are made of wood.\n');
  write('client.py', CLIENT);
});

describe('files of code', () => {
  it.each([
    ['no globs', ''],
    ['a glob that does not name the extension', 'include: ["**"]\n'],
  ])('are not read with %s', async (_, manifest) => {
    write('.pith.yaml', manifest);
    const { stdout, code } = await runPith(['index', docs, '--index', index]);
    expect(stdout).toMatch(/^1 document, 1 section in /);
    expect(stdout).toContain('1 .py');
    expect(code).toBe(0);
  });

  it('are read with a glob that names the extension, and answer by exact names', async () => {
    write('.pith.yaml', 'include: ["**/*.{md,py,js}"]\n');
    write('internal.js', 'const a = 1;\n');
    const { stdout, code } = await runPith(['index', docs, '--index', index]);
    expect(stdout).toMatch(/^2 documents, 3 sections in /);
    expect(code).toBe(0);
    const answer = await runPith(['ask', 'what does Client.send do', '--index', index]);
    expect(answer.stdout).toMatch(/^client\.py > Client\.send\n/);
    expect(answer.stdout).toContain('def send(self, cargo: str) -> bool');
    expect(answer.stdout).toContain('Sends the cargo to the port of amber.');
  });

  it('that are hostile end within the limits, and the others are read', async () => {
    write('.pith.yaml', 'include: ["**/*.{md,py,js,go,rs,java,ts}"]\n');
    write('line.js', `${'x = 1; '.repeat(150_000)}\n`);
    write('deep.py', '('.repeat(100_000) + ')'.repeat(100_000));
    write('deep.ts', 'class A { m() {'.repeat(100_000));
    write('deep.rs', 'mod a {'.repeat(100_000) + '}'.repeat(100_000));
    write('deep.go', `package a\nvar A = ${'['.repeat(100_000)}`);
    write('deep.java', 'public class A {'.repeat(100_000) + '}'.repeat(100_000));
    write('bytes.py', Uint8Array.of(0x61, 0xff, 0xfe));
    write('broken.py', 'def lower():\n    """Lowers the anchor of birch."""\n\n)))\n');
    const { stdout, code } = await runPith(['index', docs, '--index', index, '--rebuild'], {
      maxMs: 390_000,
    });
    expect(stdout).toContain('bytes.py: invalid UTF-8');
    expect(code).toBe(3);
    const answer = await runPith(['ask', 'what does lower do', '--index', index]);
    expect(answer.stdout).toMatch(/^broken\.py > lower\n/);
    expect(answer.stdout).toContain('Lowers the anchor of birch.');
  }, 400_000);
});
