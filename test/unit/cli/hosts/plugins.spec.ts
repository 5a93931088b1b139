import { pluginFiles, PLUGINS } from '../../../../src/cli/hosts/plugins.js';

const SERVER = { command: 'node', args: ['pith.js', 'stdio'] };
const STARTED = { pith: SERVER };

const filesOf = (id: string): Record<string, unknown> => {
  const plugin = PLUGINS.find((each) => each.id === id);
  if (!plugin) throw new Error(`no plugin ${id}`);
  const files = [...pluginFiles(plugin, SERVER, 'THE SKILL')];
  return Object.fromEntries(
    files.map(([path, text]) => [path, path.endsWith('.json') ? JSON.parse(text) : text]),
  );
};

const WORDS: unknown = expect.stringMatching(/\S/);
const FACTS = { name: 'pith', version: expect.stringMatching(/^\d+\.\d+\.\d+/), description: WORDS };

describe('pluginFiles', () => {
  it('makes a plugin of Claude Code', () => {
    expect(filesOf('claude-code-plugin')).toEqual({
      '.claude-plugin/plugin.json': { ...FACTS, mcpServers: STARTED },
      'skills/pith/SKILL.md': 'THE SKILL',
    });
  });

  it('makes a plugin of Codex, whose manifest names the files', () => {
    expect(filesOf('codex-plugin')).toEqual({
      '.codex-plugin/plugin.json': {
        ...{ ...FACTS, skills: './skills/', mcpServers: './.mcp.json' },
        // Codex requires these fields and allows no others.
        author: { name: WORDS },
        interface: {
          ...{ displayName: WORDS, shortDescription: WORDS, longDescription: WORDS, developerName: WORDS },
          ...{ category: WORDS, capabilities: [WORDS], defaultPrompt: WORDS },
        },
      },
      '.mcp.json': { mcpServers: STARTED },
      'skills/pith/SKILL.md': 'THE SKILL',
    });
  });

  it('makes an extension of Gemini CLI', () => {
    expect(filesOf('gemini-cli-extension')).toEqual({
      'gemini-extension.json': { ...FACTS, mcpServers: STARTED },
      'skills/pith/SKILL.md': 'THE SKILL',
    });
  });
});
