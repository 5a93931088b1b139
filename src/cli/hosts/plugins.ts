import { join } from 'node:path';
import { SKILL_NAME, VERSION } from '../../core/package-facts.js';
import type { HostServer } from './hosts.js';

/** A plugin or extension of a host: a folder with the server and the skill. */
export interface Plugin {
  /** The value for `pith doctor --write`. */
  readonly id: string;
  /** How the host is told about the folder. */
  readonly install: (folder: string) => string;
  /** The contents of its JSON files by path in the folder, in the order in which they are written. */
  readonly files: (server: HostServer) => Readonly<Record<string, object>>;
}

const FACTS = {
  name: 'pith',
  version: VERSION,
  description: 'Answers from your documents, with verbatim quotes and citations.',
};

const AUTHORS = 'The Pith contributors';
/** Fields that Codex requires. People see them in its list of plugins. */
const CODEX = {
  author: { name: AUTHORS },
  interface: {
    ...{ displayName: 'Pith', developerName: AUTHORS, category: 'Productivity', capabilities: ['Read'] },
    ...{ shortDescription: FACTS.description, longDescription: FACTS.description },
    defaultPrompt: 'What do my documents say about this?',
  },
};

const servers = ({ command, args }: HostServer) => ({ mcpServers: { pith: { command, args } } });

/**
 * Sources: claude-code-plugin-manifest.json and codex-plugin-manifest.json at json.schemastore.org; `ExtensionConfig` in
 * google-gemini/gemini-cli, which wants the folder to have the name of the extension.
 */
export const PLUGINS: readonly Plugin[] = [
  {
    id: 'claude-code-plugin',
    install: (folder) => `claude --plugin-dir "${folder}"`,
    files: (server) => ({ '.claude-plugin/plugin.json': { ...FACTS, ...servers(server) } }),
  },
  {
    id: 'codex-plugin',
    install: (folder) =>
      `name ${folder} in a marketplace.json, then add it with codex plugin marketplace add`,
    files: (server) => ({
      '.codex-plugin/plugin.json': { ...FACTS, ...CODEX, skills: './skills/', mcpServers: './.mcp.json' },
      '.mcp.json': servers(server),
    }),
  },
  {
    id: 'gemini-cli-extension',
    install: (folder) => `gemini extensions link "${folder}"`,
    files: (server) => ({ 'gemini-extension.json': { ...FACTS, ...servers(server) } }),
  },
];

/** The folder of a plugin. It has absolute paths of this machine, so it is beside the index and not in a repository. */
export const pluginFolder = ({ id }: Plugin, cwd: string): string =>
  join(cwd, '.pith', 'plugins', id, FACTS.name);

/** All files of a plugin: their texts by path. @param skill  the text of SKILL.md */
export function pluginFiles(plugin: Plugin, server: HostServer, skill: string): ReadonlyMap<string, string> {
  const json = Object.entries(plugin.files(server)).map(
    ([path, content]) => [path, `${JSON.stringify(content, null, 2)}\n`] as const,
  );
  return new Map([...json, [`skills/${SKILL_NAME}/SKILL.md`, skill]]);
}
