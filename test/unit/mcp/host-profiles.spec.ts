import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERIC_PROFILE, hostTableSchema, profileFor } from '../../../src/mcp/host-profiles.js';
import type { HostTable } from '../../../src/mcp/host-profiles.js';

const shipped = hostTableSchema.parse(
  JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'config', 'hosts.json'), 'utf8')),
);
const TABLE: HostTable = {
  dots: { clients: ['Dots', 'dots-too'], names: 'dotted', render: 'summary', resourceLinks: true },
  lines: { clients: ['lines'], names: 'underscore', render: 'full', resourceLinks: false },
};
const nameFor = (clientName?: string, userAgent?: string, configured = '', table = TABLE) =>
  profileFor(table, { clientName, userAgent }, configured).name;

describe('profileFor', () => {
  it('knows a host by its client name, in any case', () => {
    expect(profileFor(TABLE, { clientName: 'DOTS-TOO', userAgent: undefined }, '')).toEqual({
      name: 'dots',
      names: 'dotted',
      render: 'summary',
      resourceLinks: true,
    });
  });

  it.each<[string, string | undefined, string | undefined, string, string]>([
    ['the user agent where no name is told', undefined, 'lines/1.2 (linux)', '', 'lines'],
    ['the name before the user agent', 'dots', 'lines/1.2', '', 'dots'],
    ['the name even if it is unknown', 'somebody', 'lines/1.2', 'lines', 'generic'],
    ['no user agent that only begins alike', undefined, 'linesman/1.2', '', 'generic'],
    ['the configured profile where nothing is told', undefined, undefined, 'lines', 'lines'],
    ['the configured profile for an unknown user agent', undefined, 'node', 'lines', 'lines'],
    ['the generic one for an unknown configured profile', undefined, undefined, 'nobody', 'generic'],
    ['the generic one for an object member', undefined, undefined, 'constructor', 'generic'],
    ['the generic one for nothing', undefined, undefined, '', 'generic'],
    ['the generic one for an empty name', '', undefined, '', 'generic'],
  ])('takes %s', (_, clientName, userAgent, configured, name) => {
    expect(nameFor(clientName, userAgent, configured)).toBe(name);
  });

  it('gives unknown hosts dotted names and text that stands alone', () => {
    expect(profileFor(shipped, { clientName: 'somebody', userAgent: undefined }, '')).toEqual(
      GENERIC_PROFILE,
    );
    expect(GENERIC_PROFILE).toMatchObject({ names: 'dotted', render: 'full' });
  });

  it.each([
    ['claude-ai', 'underscore', 'full'],
    ['claude-code', 'underscore', 'full'],
    ['Visual Studio Code', 'dotted', 'summary'],
  ])('ships a profile for %s', (clientName, names, render) => {
    expect(profileFor(shipped, { clientName, userAgent: undefined }, '')).toMatchObject({ names, render });
  });
});

describe('hostTableSchema', () => {
  it.each([
    [
      'an unknown key',
      { a: { clients: [], names: 'dotted', render: 'full', resourceLinks: true, colour: 'red' } },
    ],
    ['an unknown spelling', { a: { clients: [], names: 'camel', render: 'full', resourceLinks: true } }],
    ['a missing column', { a: { clients: [], names: 'dotted', render: 'full' } }],
  ])('refuses %s', (_, table) => {
    expect(hostTableSchema.safeParse(table).success).toBe(false);
  });
});
