import { join } from 'node:path';
import { userConfigFolder, type UserPlace } from '../../config/data-folder.js';

/** A command with its arguments, as hosts start servers. */
export interface HostServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** A host that starts STDIO servers, and the format of its configuration file. */
export interface Host {
  /** The value for `pith doctor --write`. */
  readonly id: string;
  readonly title: string;
  /** The file that applies to all projects of a user. */
  readonly file: (place: UserPlace) => string;
  readonly format: 'json' | 'toml';
  /** Name of the object that contains the servers by name. */
  readonly key: string;
  readonly entry: (server: HostServer) => object;
}

const plain = ({ command, args }: HostServer): object => ({ command, args });
const typed = ({ command, args }: HostServer): object => ({ type: 'stdio', command, args });

const MCP_SERVERS = { format: 'json', key: 'mcpServers', entry: plain } as const;

/** Claude Code and Codex have a variable that replaces their folder. */
const folderFrom = ({ environment }: UserPlace, name: string, standard: string): string =>
  environment[name] || standard;

/** Zed is in the roaming folder on Windows and, unlike others, in ~/.config on macOS too. */
function zedFolder(place: UserPlace): string {
  if (place.platform === 'win32') return join(userConfigFolder(place), 'Zed');
  return place.platform === 'darwin'
    ? join(place.home, '.config', 'zed')
    : join(userConfigFolder(place), 'zed');
}

/** Supported hosts. Source: their documentation, November 2026. */
export const HOSTS: readonly Host[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    file: (place) => join(userConfigFolder(place), 'Claude', 'claude_desktop_config.json'),
    ...MCP_SERVERS,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    file: (place) => join(folderFrom(place, 'CLAUDE_CONFIG_DIR', place.home), '.claude.json'),
    ...MCP_SERVERS,
    entry: typed,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    ...MCP_SERVERS,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    file: (place) => join(userConfigFolder(place), 'Code', 'User', 'mcp.json'),
    format: 'json',
    key: 'servers',
    entry: typed,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    ...MCP_SERVERS,
  },
  {
    id: 'zed',
    title: 'Zed',
    file: (place) => join(zedFolder(place), 'settings.json'),
    format: 'json',
    key: 'context_servers',
    entry: plain,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    ...MCP_SERVERS,
  },
  {
    id: 'codex',
    title: 'Codex',
    file: (place) => join(folderFrom(place, 'CODEX_HOME', join(place.home, '.codex')), 'config.toml'),
    format: 'toml',
    key: 'mcp_servers',
    entry: plain,
  },
];
