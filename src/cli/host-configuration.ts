/** How a host starts or reaches this server. */
export interface HostTarget {
  /** Absolute path of bin/pith.js. */
  readonly program: string;
  /** Absolute path of the Node that runs. */
  readonly node: string;
  /** Absolute path of the index: a host's working directory is arbitrary. */
  readonly indexFile: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** One word for the shell of this platform. */
function quoted(text: string): string {
  if (!/[^\w@%+=:,./\\-]/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Ready-made configuration for the hosts that most people have. */
export function hostConfiguration({ program, node, indexFile }: HostTarget): string {
  const args = [program, 'stdio', '--index', indexFile];
  const server = { command: node, args };
  return [
    'Claude Desktop (claude_desktop_config.json):',
    json({ mcpServers: { pith: server } }),
    '',
    'VS Code (.vscode/mcp.json):',
    json({ servers: { pith: { type: 'stdio', ...server } } }),
    '',
    'Cursor (~/.cursor/mcp.json):',
    json({ mcpServers: { pith: server } }),
    '',
    'Claude Code:',
    `claude mcp add pith -- ${[node, ...args].map(quoted).join(' ')}`,
  ].join('\n');
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
