import { hostConfiguration, httpConfiguration } from '../../../src/cli/host-configuration.js';

const TARGET = {
  program: '/opt/my pith/bin/pith.js',
  node: '/usr/bin/node',
  indexFile: 'C:\\docs\\index.sqlite',
};
const ARGS = ['/opt/my pith/bin/pith.js', 'stdio', '--index', 'C:\\docs\\index.sqlite'];
/** The JSON values within a text, in their order. */
const jsonIn = (text: string): unknown[] =>
  [...text.matchAll(/^\{$[^]*?^\}$/gm)].map(([json]): unknown => JSON.parse(json));

describe('hostConfiguration', () => {
  it('gives JSON that hosts take as it is, with absolute paths', () => {
    expect(jsonIn(hostConfiguration(TARGET))).toEqual([
      { mcpServers: { pith: { command: '/usr/bin/node', args: ARGS } } },
      { servers: { pith: { type: 'stdio', command: '/usr/bin/node', args: ARGS } } },
      { mcpServers: { pith: { command: '/usr/bin/node', args: ARGS } } },
    ]);
  });

  it('quotes for the shell what has spaces', () => {
    expect(hostConfiguration(TARGET)).toContain(
      "claude mcp add pith -- /usr/bin/node '/opt/my pith/bin/pith.js' stdio --index C:\\docs\\index.sqlite",
    );
  });
});

describe('httpConfiguration', () => {
  it('gives the URL in the form of each host', () => {
    const url = 'http://127.0.0.1:7484/mcp';
    expect(jsonIn(httpConfiguration(url, false))).toEqual([
      { servers: { pith: { type: 'http', url } } },
      { mcpServers: { pith: { url } } },
    ]);
    expect(httpConfiguration(url, false)).toContain(`claude mcp add --transport http pith ${url}`);
  });
});
