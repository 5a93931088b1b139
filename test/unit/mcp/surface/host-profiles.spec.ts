import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERIC_PROFILE } from '../../../../src/core/host-profile.js';
import { type HostTable, hostTableSchema, profileFinder } from '../../../../src/mcp/surface/host-profiles.js';

const shipped = hostTableSchema.parse(
  JSON.parse(readFileSync(join(__dirname, '..', '..', '..', '..', 'config', 'hosts.json'), 'utf8')),
);
const TABLE: HostTable = {
  dots: {
    clients: ['Dots', 'dots-too', 'Big * Dots'],
    names: 'dotted',
    render: 'summary',
    resourceLinks: true,
  },
  lines: { clients: ['lines', '@lines/*'], names: 'underscore', render: 'full', resourceLinks: false },
};
const nameFor = (clientName?: string, userAgent?: string, configured = '', table = TABLE) =>
  profileFinder(table, configured)({ clientName, userAgent }).name;
const shippedFor = (clientName?: string, userAgent?: string) =>
  profileFinder(shipped, '')({ clientName, userAgent });

describe('profileFinder', () => {
  it('finds a host by its client name, in any case', () => {
    expect(profileFinder(TABLE, '')({ clientName: 'DOTS-TOO', userAgent: undefined })).toEqual({
      name: 'dots',
      names: 'dotted',
      render: 'summary',
      resourceLinks: true,
    });
  });

  it.each([
    ['spaces around it', '  dots-too ', 'dots'],
    ['spaces or underscores for hyphens', 'Dots_Too', 'dots'],
    ['a bridge that adds its own name', 'dots-too (via mcp-remote 0.1.37)', 'dots'],
    ['a version behind a slash', 'dots/2.1.208', 'dots'],
    ['a version behind a space', 'Dots v2.1', 'dots'],
    ['a version and a bridge', 'lines 1.0.0-beta.2 (via mcp-remote 0.15.1)', 'lines'],
    ['a text for the star', 'Big Red Dots', 'dots'],
    ['no text for the star', '@lines/', 'lines'],
    ['a slash that belongs to the name', '@lines/api-client', 'lines'],
  ])('finds a host with %s', (_, clientName, profile) => {
    expect(nameFor(clientName)).toBe(profile);
  });

  it.each([
    ['a name that only starts the same', 'dotsmith'],
    ['a name that only ends the same', 'my-dots'],
    ['a bridge alone', '(via mcp-remote 0.1.37)'],
    ['a very long name', `dots${' '.repeat(100_000)}x`],
  ])('does not find the host for %s', (_, clientName) => {
    expect(nameFor(clientName)).toBe('generic');
  });

  it.each<[string, string | undefined, string | undefined, string, string]>([
    ['the user agent if no name is given', undefined, 'lines/1.2 (linux)', '', 'lines'],
    ['the name before the user agent', 'dots', 'lines/1.2', '', 'dots'],
    ['the name even if it is unknown', 'somebody', 'lines/1.2', 'lines', 'generic'],
    ['no user agent that only starts the same', undefined, 'linesman/1.2', '', 'generic'],
    ['the configured profile if nothing is given', undefined, undefined, 'lines', 'lines'],
    ['the configured profile for an unknown user agent', undefined, 'node', 'lines', 'lines'],
    ['the generic one for an unknown configured profile', undefined, undefined, 'nobody', 'generic'],
    ['the generic one for an object member', undefined, undefined, 'constructor', 'generic'],
    ['the generic one if nothing is given', undefined, undefined, '', 'generic'],
    ['the generic one for an empty name', '', undefined, '', 'generic'],
  ])('uses %s', (_, clientName, userAgent, configured, name) => {
    expect(nameFor(clientName, userAgent, configured)).toBe(name);
  });

  it.each([
    ['an unknown name', 'somebody', undefined],
    ['no name at all', undefined, undefined],
    ['a runtime as user agent', undefined, 'node'],
  ])('uses underscores and complete text for a client with %s', (_, clientName, userAgent) => {
    expect(shippedFor(clientName, userAgent)).toEqual(GENERIC_PROFILE);
    expect(GENERIC_PROFILE).toMatchObject({ names: 'underscore', render: 'full' });
  });
});

describe('the shipped table', () => {
  it.each([
    ['claude-ai', 'claude-desktop'],
    ['claude-ai (via mcp-remote 0.1.37)', 'claude-desktop'],
    ['Anthropic/ClaudeAI', 'claude-desktop'],
    ['claude-code', 'claude-code'],
    ['Visual Studio Code', 'vscode'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['Visual-Studio-Code', 'vscode'],
    ['cursor-vscode', 'cursor'],
    ['Cursor', 'cursor'],
    ['github-copilot-developer', 'copilot'],
    ['copilot-cli', 'copilot-cli'],
    ['JetBrains-IU-copilot-intellij', 'copilot'],
    ['JetBrains-IU/copilot-intellij', 'copilot'],
    ['Xcode-copilot-xcode', 'copilot'],
    ['windsurf-client', 'windsurf'],
    ['Windsurf', 'windsurf'],
    ['Zed', 'zed'],
    ['Cline', 'cline'],
    ['Roo-Code', 'roo-code'],
    ['Roo Code', 'roo-code'],
    ['Kilo-Code', 'kilo-code'],
    ['continue-client', 'continue'],
    ['continue-cli-client', 'continue'],
    ['jetbrains-ai-assistant-client', 'jetbrains'],
    ['goose', 'goose'],
    ['codex-mcp-client', 'codex'],
    ['Codex', 'codex'],
    ['gemini-cli-mcp-client', 'gemini-cli'],
    ['gemini-cli-mcp-client-pith', 'gemini-cli'],
    ['antigravity-client', 'gemini-cli'],
    ['amp-mcp-client', 'amp'],
    ['opencode', 'opencode'],
    ['Q-DEV-CLI', 'kiro'],
    ['Kiro CLI', 'kiro'],
    ['warp', 'warp'],
    ['openai-mcp', 'chatgpt'],
    ['ChatGPT', 'chatgpt'],
    ['@librechat/api-client', 'librechat'],
    ['LM Studio', 'lm-studio'],
    ['@n8n/n8n-nodes-langchain.mcpClientTool', 'n8n'],
    ['Postman-Client', 'postman'],
    ['mcp-remote-fallback-test', 'mcp-remote'],
    ['mcp', 'sdk'],
    ['ai-sdk-mcp-client', 'sdk'],
  ])('uses underscores for %s (%s)', (clientName, name) => {
    expect(shippedFor(clientName)).toMatchObject({ name, names: 'underscore' });
  });

  it.each([
    ['claude-code/2.1.208 (cli)', 'claude-code'],
    ['Claude-User', 'claude-desktop'],
    ['openai-mcp/1.0.0', 'chatgpt'],
    ['codex-mcp-client/0.157.0', 'codex'],
  ])('finds the user agent %s', (userAgent, name) => {
    expect(shippedFor(undefined, userAgent)).toMatchObject({ name, names: 'underscore' });
  });

  it.each([['inspector-client'], ['mcp-inspector'], ['inspector-cli'], ['pith-tests']])(
    'uses dots for %s, which accepts them',
    (clientName) => {
      expect(shippedFor(clientName).names).toBe('dotted');
    },
  );

  it('uses dots for no other client', () => {
    const dotted = Object.entries(shipped).filter(([, { names }]) => names === 'dotted');
    expect(dotted.map(([name]) => name)).toEqual(['inspector', 'test-clients']);
  });

  it('uses short text only for hosts that also forward the structured form', () => {
    const short = Object.entries(shipped).filter(([, { render }]) => render === 'summary');
    expect(short.map(([name]) => name)).toEqual(['vscode', 'copilot-cli']);
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
