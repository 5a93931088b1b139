import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The result of `npm pack` on the built checkout. */
export interface Tarball {
  readonly file: string;
  readonly bytes: number;
  readonly paths: readonly string[];
}

interface PackReport {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built checkout. */
export function pack(folder: string): Tarball {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [report] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as PackReport[];
  if (!report) throw new Error('npm pack reported nothing');
  const { filename, size, files } = report;
  return { file: join(folder, filename), bytes: size, paths: files.map(({ path }) => path) };
}

/** Installs a tarball into an empty folder, as users do. @returns path of the installed program */
export function install(tarball: string, folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules', 'pith', 'bin', 'pith.js');
}

/** Disk usage of a folder in MB, as `du` reports it. */
export function megabytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const blocks = entries.map((entry) => lstatSync(join(entry.parentPath ?? entry.path, entry.name)).blocks);
  return (blocks.reduce((sum, count) => sum + count, 0) * 512) / 1_048_576;
}
