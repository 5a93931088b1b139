import { sep } from 'node:path';
import { HOSTS } from './hosts.js';
import type { Host, HostServer } from './hosts.js';
import type { UserPlace } from '../../config/data-folder.js';
import { mergeHostFile } from './merge-host-file.js';

/** How a host starts or reaches this server. */
export interface HostTarget {
  /** Absolute path of bin/pith.js. */
  readonly program: string;
  readonly version: string;
  /** Absolute path of the Node that runs. */
  readonly node: string;
  /** Absolute path of the index: a host's working directory is arbitrary. */
  readonly indexFile: string;
  /** Absolute path of a folder that is indexed at each start; null where the index is built with `pith index`. */
  readonly docs: string | null;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** One word for the shell of this platform. */
function quoted(text: string, platform: NodeJS.Platform): string {
  if (!/[^\w@%+=:,./\\-]/.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** npx keeps packages in a cache that it empties at will, so a path into it does not last. */
const isFromNpx = (program: string): boolean => program.split(sep).includes('_npx');

function starter({ program, node, version }: HostTarget, platform: NodeJS.Platform): HostServer {
  if (!isFromNpx(program)) return { command: node, args: [program] };
  const args = ['-y', `pith@${version}`];
  // There npx is a script, which hosts can't start by themselves.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** The command that hosts run. */
export function hostServer(target: HostTarget, platform: NodeJS.Platform): HostServer {
  const { command, args } = starter(target, platform);
  const what = target.docs === null ? ['--index', target.indexFile] : ['--docs', target.docs];
  return { command, args: [...args, 'stdio', ...what] };
}

/** What a host's file holds when it holds nothing else. */
export function hostFile(host: Host, server: HostServer): string {
  return mergeHostFile('', host, server);
}

/** Ready-made configuration: hosts whose files look alike together. */
export function hostConfiguration(target: HostTarget, place: UserPlace): string {
  const server = hostServer(target, place.platform);
  const places = new Map<string, string[]>();
  for (const host of HOSTS.filter(({ id }) => id !== 'claude-code')) {
    const content = hostFile(host, server).trimEnd();
    places.set(content, [...(places.get(content) ?? []), `${host.title} (${host.file(place)})`]);
  }
  const command = [server.command, ...server.args].map((word) => quoted(word, place.platform)).join(' ');
  return [
    ...[...places].map(([content, hosts]) => `${hosts.join(',\n')}:\n${content}`),
    `Claude Code:\nclaude mcp add --scope user pith -- ${command}`,
    `pith doctor --write HOST adds it to the configuration file of a host: ${HOSTS.map(({ id }) => id).join(', ')}.`,
  ].join('\n\n');
}

/** What stands for the token: it is not printed. */
const AUTHORIZATION = 'Bearer YOUR-TOKEN';

/** The same for a server that listens on HTTP. */
export function httpConfiguration(url: string, needsToken: boolean): string {
  const headers = needsToken ? { headers: { Authorization: AUTHORIZATION } } : {};
  const flag = needsToken ? ` --header "Authorization: ${AUTHORIZATION}"` : '';
  return [
    'VS Code (.vscode/mcp.json):',
    json({ servers: { pith: { type: 'http', url, ...headers } } }),
    '',
    'Cursor (~/.cursor/mcp.json):',
    json({ mcpServers: { pith: { url, ...headers } } }),
    '',
    'Claude Code:',
    `claude mcp add --transport http pith ${url}${flag}`,
  ].join('\n');
}
