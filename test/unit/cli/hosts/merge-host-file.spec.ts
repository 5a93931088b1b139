import { type Host, HOSTS } from '../../../../src/cli/hosts/hosts.js';
import { mergeHostFile } from '../../../../src/cli/hosts/merge-host-file.js';

function hostNamed(id: string): Host {
  const found = HOSTS.find((host) => host.id === id);
  if (!found) throw new Error(`no host ${id}`);
  return found;
}
const SERVER = { command: 'node', args: ['pith.js', 'stdio'] };
const [zed, cursor, codex] = [hostNamed('zed'), hostNamed('cursor'), hostNamed('codex')];

describe('mergeHostFile with JSON', () => {
  it('keeps comments, order, other servers and indentation', () => {
    const before = `// Zed settings
{
\t"theme": "One Dark", // dark
\t"context_servers": {
\t\t"other": {
\t\t\t"command": "x" // other
\t\t},
\t},
}
`;
    expect(mergeHostFile(before, zed, SERVER)).toBe(`// Zed settings
{
\t"theme": "One Dark", // dark
\t"context_servers": {
\t\t"other": {
\t\t\t"command": "x" // other
\t\t},
\t\t"pith": {
\t\t\t"command": "node",
\t\t\t"args": [
\t\t\t\t"pith.js",
\t\t\t\t"stdio"
\t\t\t]
\t\t},
\t},
}
`);
  });

  it('changes only the command and arguments of its entry, and nothing the second time', () => {
    const before = '{"mcpServers":{"pith":{"command":"old","env":{"A":"1"},"disabled":false},"b":{}}}';
    const first = mergeHostFile(before, cursor, SERVER);
    expect(JSON.parse(first)).toEqual({
      mcpServers: { pith: { ...SERVER, env: { A: '1' }, disabled: false }, b: {} },
    });
    expect(mergeHostFile(first, cursor, SERVER)).toBe(first);
  });

  it('keeps comments and formatting inside its entry', () => {
    const before = `{
  "context_servers": {
    "pith": {
      "command": "old",
      "args": ["pith.js", "stdio"],
      // my settings
      "env": { "PITH_SECRET": "s" }
    }
  }
}
`;
    expect(mergeHostFile(before, zed, SERVER)).toBe(before.replace('"old"', '"node"'));
  });

  it.each(['url', 'serverUrl', 'httpUrl'])('replaces an entry that connects to a server by its %s', (key) => {
    const before = JSON.stringify({ mcpServers: { pith: { [key]: 'http://x', headers: { A: '1' } } } });
    expect(JSON.parse(mergeHostFile(before, cursor, SERVER))).toEqual({ mcpServers: { pith: SERVER } });
  });

  it('fills a missing or empty file', () => {
    expect(JSON.parse(mergeHostFile('', cursor, SERVER))).toEqual({ mcpServers: { pith: SERVER } });
  });

  it.each(['{"mcpServers": ', '[]', '{"mcpServers": []}', '{"mcpServers": "x"}', 'null'])(
    'rejects a file that it can not parse: %s',
    (before) => {
      expect(() => mergeHostFile(before, cursor, SERVER)).toThrow(/was not changed/u);
    },
  );
});

describe('mergeHostFile with TOML', () => {
  const TABLE = '[mcp_servers.pith]\ncommand = "node"\nargs = [ "pith.js", "stdio" ]\n';

  it('adds a table at the end and keeps everything above', () => {
    const before = 'model = "o" # mine\n\n[mcp_servers.other]\ncommand = "x"\n';
    expect(mergeHostFile(before, codex, SERVER)).toBe(`${before}\n${TABLE}`);
  });

  it('moves its own tables to the end, keeps their other keys, and changes nothing the second time', () => {
    const before =
      '[mcp_servers.pith]\ncommand = "old"\nargs = [\n  "a",\n]\nenabled = true\n\n[mcp_servers."pith".env]\nA = "1"\n\n[b]\nc = 1\n';
    const first = mergeHostFile(before, codex, SERVER);
    expect(first).toBe(`[b]\nc = 1\n\n${TABLE}enabled = true\n\n[mcp_servers.pith.env]\nA = "1"\n`);
    expect(mergeHostFile(first, codex, SERVER)).toBe(first);
  });

  it('fills a missing file', () => {
    expect(mergeHostFile('', codex, SERVER)).toBe(TABLE);
  });

  it.each([
    'model = ',
    'mcp_servers = 1\n',
    'mcp_servers = { pith = { command = "x" } }\n',
    'mcp_servers.pith.command = "x"\n',
    'note = """\n[mcp_servers.pith]\nkept\n"""\n',
  ])('rejects a file that it can not change safely: %j', (before) => {
    expect(() => mergeHostFile(before, codex, SERVER)).toThrow(/was not changed/u);
  });
});
