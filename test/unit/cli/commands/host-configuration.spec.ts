import { hostConfiguration, hostServer } from '../../../../src/cli/commands/doctor.command.js';

const PLACE = { platform: 'linux', home: '/home/me', environment: {} } as const;
const TARGET = {
  program: '/opt/my pith/bin/pith.js',
  version: '1.2.3',
  node: '/usr/bin/node',
  indexFile: 'C:\\docs\\index.sqlite',
  docs: null,
  allowedHosts: [],
  secret: undefined,
};
const ARGS = ['/opt/my pith/bin/pith.js', 'stdio', '--index', 'C:\\docs\\index.sqlite'];
/** The JSON values in a text, in order. */
const jsonIn = (text: string): unknown[] =>
  [...text.matchAll(/^\{$[^]*?^\}$/gm)].map(([json]): unknown => JSON.parse(json));

describe('hostConfiguration', () => {
  const text = hostConfiguration(TARGET, PLACE);

  it('contains JSON that hosts accept, with absolute paths', () => {
    expect(jsonIn(text)).toEqual([
      { mcpServers: { pith: { command: '/usr/bin/node', args: ARGS } } },
      { servers: { pith: { type: 'stdio', command: '/usr/bin/node', args: ARGS } } },
      { context_servers: { pith: { command: '/usr/bin/node', args: ARGS } } },
    ]);
  });

  it('lists each host with its file', () => {
    expect(text.match(/^.* \(\/home\/me\/.*\)/gmu)).toEqual([
      'Claude Desktop (/home/me/.config/Claude/claude_desktop_config.json)',
      'Cursor (/home/me/.cursor/mcp.json)',
      'Windsurf (/home/me/.codeium/windsurf/mcp_config.json)',
      'Gemini CLI (/home/me/.gemini/settings.json)',
      'VS Code (/home/me/.config/Code/User/mcp.json)',
      'Zed (/home/me/.config/zed/settings.json)',
      'Codex (/home/me/.codex/config.toml)',
    ]);
  });

  it('quotes words with spaces for the shell', () => {
    expect(text).toContain(
      "claude mcp add --scope user pith -- /usr/bin/node '/opt/my pith/bin/pith.js' stdio --index C:\\docs\\index.sqlite",
    );
  });
});

describe('hostServer', () => {
  it('asks hosts inside, with a secret by its name, if both are given', () => {
    const target = {
      ...{ ...TARGET, docs: 'https://wiki.corp.example/' },
      ...{ allowedHosts: ['wiki.corp.example', '10.0.0.7:8443'], secret: 'WIKI_TOKEN' },
    };
    expect(hostServer(target, 'linux').args.slice(1)).toEqual([
      ...['stdio', '--docs', 'https://wiki.corp.example/', '--allow-host', 'wiki.corp.example'],
      ...['--allow-host', '10.0.0.7:8443', '--secret', 'WIKI_TOKEN'],
    ]);
  });

  it('serves a folder if one is given', () => {
    expect(hostServer({ ...TARGET, docs: '/docs' }, 'linux').args.slice(1)).toEqual([
      'stdio',
      '--docs',
      '/docs',
    ]);
  });

  it.each([
    ['linux', { command: 'npx', args: ['-y', 'pith@1.2.3', 'stdio', '--docs', '/docs'] }],
    ['win32', { command: 'cmd', args: ['/c', 'npx', '-y', 'pith@1.2.3', 'stdio', '--docs', '/docs'] }],
  ] as const)('uses npx instead of a path into its cache, on %s', (platform, server) => {
    const program = '/home/me/.npm/_npx/1f/node_modules/pith/bin/pith.js';
    expect(hostServer({ ...TARGET, program, docs: '/docs' }, platform)).toEqual(server);
  });
});
