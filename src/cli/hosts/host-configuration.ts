import { join, sep } from 'node:path';
import type { Config } from '../../config/config.js';
import type { UserPlace } from '../../config/data-folder.js';
import { PACKAGE_ROOT, VERSION } from '../../core/package-facts.js';
import { HOSTS, type HostServer } from './hosts.js';
import { mergeHostFile } from './merge-host-file.js';

/** The facts that a host's configuration needs to start this server; paths are absolute. */
export type HostTarget = Readonly<ReturnType<typeof hostTarget>>;

/** @param docs  folder to index at each start; null if the index is built with `pith index` */
export const hostTarget = ({ index }: Config, docs: string | null) => ({
  program: join(PACKAGE_ROOT, 'bin', 'pith.js'),
  version: VERSION,
  node: process.execPath,
  indexFile: index.file,
  docs,
});

function quoted(text: string, platform: NodeJS.Platform): string {
  if (!/[^\w@%+=:,./\\-]/.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** npx may clear its package cache at any time, so a path into it is not permanent. */
const isFromNpx = (program: string): boolean => program.split(sep).includes('_npx');

function starter({ program, node, version }: HostTarget, platform: NodeJS.Platform): HostServer {
  if (!isFromNpx(program)) return { command: node, args: [program] };
  const args = ['-y', `pith@${version}`];
  // On Windows npx is a script, which hosts can't start directly.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** The command that hosts run. */
export function hostServer(target: HostTarget, platform: NodeJS.Platform): HostServer {
  const { command, args } = starter(target, platform);
  const what = target.docs === null ? ['--index', target.indexFile] : ['--docs', target.docs];
  return { command, args: [...args, 'stdio', ...what] };
}

/** The configuration for every host; hosts with identical files are grouped. */
export function hostConfiguration(target: HostTarget, place: UserPlace): string {
  const server = hostServer(target, place.platform);
  const places = new Map<string, string[]>();
  for (const host of HOSTS.filter(({ id }) => id !== 'claude-code')) {
    const content = mergeHostFile('', host, server).trimEnd();
    places.set(content, [...(places.get(content) ?? []), `${host.title} (${host.file(place)})`]);
  }
  const command = [server.command, ...server.args].map((word) => quoted(word, place.platform)).join(' ');
  return [
    ...[...places].map(([content, hosts]) => `${hosts.join(',\n')}:\n${content}`),
    `Claude Code:\nclaude mcp add --scope user pith -- ${command}`,
    `pith doctor --write HOST adds it to the configuration file of a host: ${HOSTS.map(({ id }) => id).join(', ')}.`,
  ].join('\n\n');
}
