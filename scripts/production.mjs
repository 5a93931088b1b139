// node scripts/production.mjs FOLDER: copies the built program with all packages that it may load at run time, engines
// and telemetry included, in the versions of package-lock.json. The Dockerfile copies the folder.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_FILES } from './built-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [, , given] = process.argv;
if (given === undefined) throw new Error('give a folder');
const folder = resolve(given);

function productionManifest() {
  const { devDependencies, peerDependencies, dependencies, ...facts } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const engines = Object.keys(peerDependencies);
  delete facts.peerDependenciesMeta;
  const versions = Object.fromEntries(engines.map((name) => [name, devDependencies[name]]));
  return { ...facts, dependencies: { ...dependencies, ...versions } };
}

mkdirSync(folder, { recursive: true });
const PARTS = ['bin', 'config', 'docs', 'LICENSE', 'README.md', 'package-lock.json'];
for (const path of [...PARTS, ...BUILT_FILES])
  cpSync(join(root, path), join(folder, path), { recursive: true });
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(productionManifest(), null, 2)}\n`);
execFileSync('npm', ['install', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
rmSync(join(folder, 'package-lock.json'));
