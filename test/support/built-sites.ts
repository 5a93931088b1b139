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
  /** Lists and pages of Markdown that the generator made too, by path. They are not served at first. */
  readonly texts: ReadonlyMap<string, BuiltPage>;
}

interface BuiltPage {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
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
  const files = readSite(out);
  for (const [path, page] of files) if (!TEXT.test(path)) site.pages.set(path, page);
  return { ...site, source, texts: new Map([...files].filter(([path]) => TEXT.test(path))) };
}

const TEXT = /\.md$|\/llms[\w-]*\.txt$/;

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

/** As web servers know them; the type of others is told by the server of the tests. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** The files by their paths on the site, and pages also without `index.html` and `.html`. */
function readSite(folder: string): Map<string, BuiltPage> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    files.flatMap((file) => {
      const type = TYPES[extname(file)];
      const page = { body: readFileSync(file), headers: type ? { 'content-type': type } : {} };
      const path = `/${relative(folder, file)}`;
      return [path, path.replace(/(?<=\/)index\.html$|\.html$/, '')].map((each) => [each, page] as const);
    }),
  );
}
