// The Markdown tables that `npm run docs` writes; test/tools/docs.spec.ts compares them with the documents.
// The functions get the code they describe as arguments: the script passes the build, the test the sources.

/**
 * @typedef {import('../src/config/config.js').Environment} Environment
 * @typedef {import('../src/config/setting.js').SettingFacts} SettingFacts
 * @typedef {import('../src/mcp/define-tool.js').AnyTool} AnyTool
 * @typedef {import('../src/mcp/surface/surface.js').Surface} Surface
 * @typedef {(settings: Environment) => Surface} SurfaceFor
 */

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |`;

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row).join('\n');

/** @param {string} text */
const escaped = (text) => text.replaceAll('|', '\\|');

/** @param {unknown} value */
function shownDefault(value) {
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : `\`${String(value)}\``;
}

/**
 * Headings of the groups of settings; other groups are called by their key.
 * @type {Readonly<Record<string, string>>}
 */
const HEADINGS = {
  backends: 'Engines',
  http: 'HTTP server',
  limits: 'Limits of calls',
  scratch: 'Passages',
  surface: 'Tools and hosts',
  domains: 'Work of agents',
  substrate: 'Stored documents',
  evidence: 'Quotes',
  innerVoice: 'Memory',
  ledger: 'Run ledger',
  admin: 'Admin console',
  server: 'Secret and log',
};

/** @param {string} key  such as approvalWebhook */
const headingFor = (key) =>
  HEADINGS[key] ??
  key
    .replace(/^./u, (first) => first.toUpperCase())
    .replace(/[A-Z]/gu, (letter, at) => (at ? ` ${letter.toLowerCase()}` : letter));

/**
 * @param {new () => object} group
 * @param {ReadonlyMap<string, SettingFacts>} settings
 */
function settingsTable(group, settings) {
  const defaults = new Map(Object.entries(new group()));
  const rows = [...settings].map(([property, { env, takes, about }]) => [
    `\`${env}\``,
    shownDefault(defaults.get(property)),
    escaped(takes),
    escaped(about),
  ]);
  return table(['Variable', 'Default', 'Values', 'Description'], rows);
}

/**
 * Every setting, in documentation order: a heading and a table for each group.
 * @param {Readonly<Record<string, new () => object>>} groups
 * @param {(group: new () => object) => ReadonlyMap<string, SettingFacts>} settingsOf
 */
export function settingsSections(groups, settingsOf) {
  const sections = Object.entries(groups).map(
    ([key, group]) => `## ${headingFor(key)}\n\n${settingsTable(group, settingsOf(group))}`,
  );
  return sections.join('\n\n');
}

/** @param {AnyTool['budget']} budget */
const limitOf = ({ bytes, tokens }) =>
  `${Math.round(bytes / 1024)} KB, ${tokens.toLocaleString('en-US')} tokens`;

/**
 * The text after "Use when" in a description; '' for a description that a contract words differently.
 * @param {string} description
 */
const occasionOf = (description) => /^Use when (.+?)\.(?: |$)/u.exec(description)?.[1] ?? '';

/** @param {readonly AnyTool[]} definitions */
function toolsTable(definitions) {
  const rows = definitions.map(({ name, title, description, budget }) => [
    `\`${name}\``,
    title,
    occasionOf(description),
    limitOf(budget),
  ]);
  return table(['Tool', 'Purpose', 'Use it when', 'Limit of a reply'], rows);
}

/**
 * Tools with their purpose and reply limits: those that are listed by default, and the others.
 * @param {readonly AnyTool[]} definitions
 * @param {SurfaceFor} surfaceFor
 */
export function toolsTables(definitions, surfaceFor) {
  const byDefault = surfaceFor({}).tools;
  /** @param {AnyTool} tool */
  const isListed = ({ name }) => byDefault.get(name)?.isListed === true;
  return {
    listed: toolsTable(definitions.filter(isListed)),
    others: toolsTable(definitions.filter((tool) => !isListed(tool))),
  };
}

/**
 * The settings that select tools, alone and in combinations that matter.
 * @type {readonly Environment[]}
 */
const SETTINGS = [
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

/** @param {Environment} settings */
const nameOf = (settings) =>
  Object.entries(settings)
    .map(([name, value]) => `\`${name}=${value}\``)
    .join(' ') || 'defaults';

/** @param {import('../src/mcp/surface/surface.js').ToolState | undefined} state */
function wordFor(state) {
  if (!state?.isOn) return '–';
  return state.isListed ? '**listed**' : 'callable';
}

/**
 * The state of each tool under each combination of settings.
 * @param {readonly AnyTool[]} definitions
 * @param {SurfaceFor} surfaceFor
 */
export function surfaceTable(definitions, surfaceFor) {
  const surfaces = SETTINGS.map(surfaceFor);
  const numbers = SETTINGS.map((_, i) => String(i + 1));
  const tools = definitions.map(({ name }) => [
    `\`${name}\``,
    ...surfaces.map(({ tools }) => wordFor(tools.get(name))),
  ]);
  const legend = SETTINGS.map((settings, i) => [String(i + 1), nameOf(settings)]);
  return `${table(['Column', 'Settings'], legend)}\n\n${table(['Tool', ...numbers], tools)}`;
}
