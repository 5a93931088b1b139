import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { startSite, type TestSite } from './site-server.js';
import type { TestFolder } from './test-folder.js';

/** Documentation of ours in `fixtures/sites`, each written for the generator that it is named after. */
export type Generator = 'mkdocs' | 'sphinx' | 'vitepress' | 'mdbook' | 'hugo';

interface Places {
  /** Of the packages that `scripts/engines/sites.sh` installs. */
  readonly installed: string;
  /** A copy of the documentation. */
  readonly source: string;
  readonly out: string;
  readonly url: string;
}

type Command = (places: Places) => readonly [program: string, ...args: string[]];

const COMMANDS: Readonly<Record<Generator, Command>> = {
  mkdocs: ({ out }) => ['python3', '-m', 'mkdocs', 'build', '--quiet', '--site-dir', out],
  sphinx: ({ source, out }) => ['python3', '-m', 'sphinx', '-q', '-b', 'dirhtml', source, out],
  vitepress: ({ installed, source, out }) => {
    const program = join(installed, 'node_modules/vitepress/bin/vitepress.js');
    return [process.execPath, program, 'build', source, '--outDir', out];
  },
  mdbook: ({ installed, source, out }) => [join(installed, 'python/bin/mdbook'), 'build', source, '-d', out],
  hugo: ({ out, url }) => ['python3', '-m', 'hugo', '--quiet', '--baseURL', url, '--destination', out],
};

/** A site that a generator built, served on loopback. */
export interface BuiltSite extends TestSite {
  /** The folder of its sources. */
  readonly source: string;
}

/** Builds a documentation with its generator, and serves the result. */
export async function buildSite(name: Generator, installed: string, folder: TestFolder): Promise<BuiltSite> {
  const [source, out] = [folder.file(`${name} source`), folder.file(`${name} site`)];
  cpSync(join(__dirname, '../../fixtures/sites', name), source, { recursive: true });
  if (name === 'vitepress') symlinkSync(join(installed, 'node_modules'), join(source, 'node_modules'));
  const site = await startSite({});
  await run(COMMANDS[name]({ installed, source, out, url: `${site.origin}/` }), source, {
    PYTHONPATH: join(installed, 'python'),
    SITE_URL: `${site.origin}/`,
  });
  addFiles(site, out);
  return { ...site, source };
}

async function run(
  [program, ...args]: ReturnType<Command>,
  cwd: string,
  env: Record<string, string>,
): Promise<void> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}: ${output}`);
}

/** As web servers know them; those of pages are the default. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves each file at its path, and pages without `index.html` and `.html` too. */
function addFiles(site: TestSite, folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const type = TYPES[extname(path)];
    const page = { body: readFileSync(path), ...(type ? { headers: { 'content-type': type } } : {}) };
    const address = `/${relative(folder, path)}`;
    site.pages.set(address, page);
    if (address.endsWith('.html')) site.pages.set(address.replace(/(?<=\/)index\.html$|\.html$/, ''), page);
  }
}
