import { type Environment, parseConfig } from '../../config/config.js';
import type { AnyTool } from '../define-tool.js';
import { resolveSurface, type ToolState } from './surface.js';

/** The settings that select tools, alone and in combinations that matter. */
const SETTINGS: readonly Environment[] = [
  {},
  { MCP_LEGACY_TOOLS: 'listed' },
  { MCP_LEGACY_TOOLS: 'off' },
  { ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true' },
  { ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true', MCP_LEGACY_TOOLS: 'listed' },
  { MCP_KB_V2_ENABLED: 'false' },
  { MCP_KB_V2_ENABLED: 'false', MCP_LEGACY_TOOLS: 'off' },
  { MCP_TOOLSET: 'core' },
  { MCP_TOOLSET: 'core', MCP_LEGACY_TOOLS: 'listed' },
  { MCP_TOOLSET: 'core', MCP_KB_V2_ENABLED: 'false' },
  { PITH_GRAPH_ENGINE: 'none' },
  { MCP_DOCS_TOOLS_ENABLED: 'false' },
  { SURR_ENABLE_INNER_VOICE: '1' },
];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function nameOf(settings: Environment): string {
  const names = Object.entries(settings).map(([name, value]) => `\`${name}=${value}\``);
  return names.length === 0 ? 'defaults' : names.join(' ');
}

function wordFor(state: ToolState | undefined): string {
  if (!state?.isOn) return '–';
  return state.isListed ? '**listed**' : 'callable';
}

/** The state of each tool under each combination of settings, as a Markdown table; generated from the `Surface`. */
export function surfaceTable(definitions: readonly AnyTool[]): string {
  const surfaces = SETTINGS.map((settings) => resolveSurface(definitions, parseConfig(settings), {}));
  const legend = SETTINGS.map((settings, i) => row([String(i + 1), nameOf(settings)]));
  const tools = definitions.map(({ name }) =>
    row([`\`${name}\``, ...surfaces.map(({ tools }) => wordFor(tools.get(name)))]),
  );
  const numbers = SETTINGS.map((_, i) => String(i + 1));
  return [
    ...[row(['Column', 'Settings']), '| --- | --- |', ...legend, ''],
    ...[row(['Tool', ...numbers]), row(['---', ...numbers.map(() => '---')]), ...tools],
  ].join('\n');
}
