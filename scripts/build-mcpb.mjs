// npm run mcpb -- [FILE]: the desktop bundle (.mcpb) of the built program, which hosts install with a click. It holds the
// SQLite addon for all platforms; Node comes from the host.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb/cli';
import { BUILT_FILES } from './built-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const facts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const manifest = {
  manifest_version: '0.3',
  name: facts.name,
  display_name: 'Pith',
  version: facts.version,
  description: facts.description,
  author: { name: facts.author },
  license: facts.license,
  keywords: facts.keywords,
  server: {
    type: 'node',
    entry_point: 'server/bin/pith.js',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/bin/pith.js', 'stdio', '--docs', '${user_config.documents}'],
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: facts.engines.node } },
  user_config: {
    documents: {
      type: 'directory',
      title: 'Your documents',
      description: 'A folder of Markdown, MDX, HTML or text files. Pith reads it and never writes to it.',
      required: true,
    },
  },
};

const PROGRAM = ['LICENSE', 'README.md', 'bin', 'config/hosts.json', 'config/pdf-cmaps.br', ...BUILT_FILES];
// The addon and the package that loads it, without its source.
const ADDON = [
  ...['LICENSE', 'package.json', 'prebuilds', 'dist/index.cjs'].map(
    (part) => `@photostructure/sqlite/${part}`,
  ),
  'node-gyp-build',
];

function stage(folder) {
  const server = join(folder, 'server');
  mkdirSync(server);
  for (const path of PROGRAM) cpSync(join(root, path), join(server, path), { recursive: true });
  for (const path of ADDON) {
    const module = join('node_modules', path);
    cpSync(join(root, module), join(server, module), { recursive: true });
  }
  const { name, version, license, dependencies } = facts;
  writeFileSync(
    join(server, 'package.json'),
    JSON.stringify({ name, version, license, dependencies }, null, 2),
  );
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
}

const folder = mkdtempSync(join(tmpdir(), 'pith-mcpb-'));
const outputPath = resolve(process.argv[2] ?? join(root, 'dist', `${facts.name}-${facts.version}.mcpb`));
try {
  stage(folder);
  mkdirSync(dirname(outputPath), { recursive: true });
  // This also validates the manifest.
  if (!(await packExtension({ extensionPath: folder, outputPath, silent: true })))
    throw new Error('the bundle is not valid');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(outputPath);
