import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { settingsSections, surfaceTable, toolsTables } from '../../scripts/doc-tables.mjs';
import { folderHeaders, folderOf, foldersTable, readSources } from '../../scripts/source-tree.mjs';
import { type Environment, GROUPS, parseConfig } from '../../src/config/config.js';
import { settingsOf } from '../../src/config/setting.js';
import { accessJsonSchema } from '../../src/governance/access/access-file.js';
import { parseAccess } from '../../src/governance/access/read-access.js';
import { governanceJsonSchema } from '../../src/governance/agents/governance-file.js';
import { parseGovernance } from '../../src/governance/agents/read-governance.js';
import { manifestJsonSchema } from '../../src/ingest/manifest/manifest.js';
import { definitionsOf, isLegacy } from '../../src/mcp/define-tool.js';
import { hostTableSchema } from '../../src/mcp/surface/host-profiles.js';
import { resolveSurface, type Surface } from '../../src/mcp/surface/surface.js';
import { TOOLS } from '../support/all-tools.js';

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

const TOOL_DEFINITIONS = definitionsOf(TOOLS);
const surfaceFor = (settings: Environment): Surface =>
  resolveSurface(TOOL_DEFINITIONS, parseConfig(settings), {});

/** Every page for readers. */
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Variables that a page may name although they are not settings of Pith. */
const OTHER_VARIABLES: readonly string[] = [];

const settingNames = (): string[] =>
  Object.values(GROUPS).flatMap((group) => [...settingsOf(group).values()].map(({ env }) => env));

/** The first group of each match, or the whole match. */
const allOf = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([whole, part]) => part ?? whole);

function hasHeading(file: string, anchor: string): boolean {
  const slugger = new GithubSlugger();
  return allOf(/^#{1,6} +(.+)$/gm, readFileSync(file, 'utf8')).some(
    (title) => slugger.slug(title) === anchor,
  );
}

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  return existsSync(file) && (anchor === undefined || hasHeading(file, anchor));
}

const brokenLinks = (page: string): string[] =>
  allOf(/\]\((?![a-z]+:)([^()\s]+)\)/g, read(page)).filter((link) => !resolves(page, link));

describe('documentation generated from the code (npm run docs)', () => {
  it('lists every setting on its page', () => {
    expect(read('docs', 'settings.md')).toContain(settingsSections(GROUPS, settingsOf));
  });

  it('lists every tool on its page', () => {
    const { listed, others } = toolsTables(
      TOOL_DEFINITIONS.filter((tool) => !isLegacy(tool)),
      surfaceFor,
    );
    const page = read('docs', 'tools.md');
    expect(page).toContain(listed);
    expect(page).toContain(others);
  });

  it('lists the tools for each combination of settings', () => {
    expect(read('docs', 'legacy-tools.md')).toContain(surfaceTable(TOOL_DEFINITIONS, surfaceFor));
  });

  it('lists every folder of src in the architecture with what it holds', () => {
    const sources = readSources(join(ROOT, 'src'));
    const folders = new Set(sources.map(({ path }) => folderOf(path)).filter(Boolean));
    const described = folderHeaders(sources).map(({ folder }) => folder);
    expect(described.sort()).toEqual([...folders].sort());
    expect(read('docs', 'ARCHITECTURE.md')).toContain(foldersTable(sources));
  });

  it('describes the governance file by the schema that validates it', () => {
    expect(JSON.parse(read('config', 'governance.schema.json'))).toEqual(governanceJsonSchema());
  });

  it('describes the access file by the schema that validates it', () => {
    expect(JSON.parse(read('config', 'access.schema.json'))).toEqual(accessJsonSchema());
  });

  it('has an example of an access file for the example of a governance file', () => {
    const tools = TOOL_DEFINITIONS;
    const governance = parseGovernance(read('config', 'governance.yaml'), 'governance.yaml', tools);
    const { principals } = parseAccess(read('config', 'access.yaml'), 'access.yaml', { governance, tools });
    expect(Object.keys(principals)).toEqual(['helpdesk', 'nightly-report', 'ada']);
  });

  it('describes the manifest by the schema that validates it', () => {
    expect(JSON.parse(read('config', 'manifest.schema.json'))).toEqual(manifestJsonSchema());
  });
});

describe('the public surface', () => {
  it('has these settings', () => {
    expect(settingNames()).toMatchSnapshot();
  });

  it('has this governance file', () => {
    expect(governanceJsonSchema()).toMatchSnapshot();
  });

  it('has this access file', () => {
    expect(accessJsonSchema()).toMatchSnapshot();
  });

  it('has this manifest', () => {
    expect(manifestJsonSchema()).toMatchSnapshot();
  });

  it('has a valid table of hosts', () => {
    expect(hostTableSchema.safeParse(JSON.parse(read('config', 'hosts.json'))).success).toBe(true);
  });

  it('documents the table of hosts', () => {
    const table = hostTableSchema.parse(JSON.parse(read('config', 'hosts.json')));
    const cells = (row: string): string[] => row.split('|').map((cell) => cell.trim());
    const rows = new Map(
      read('docs', 'hosts.md')
        .split('\n')
        .map((row) => [cells(row)[1], cells(row)]),
    );
    const documented = Object.keys(table).map((name) => rows.get(`\`${name}\``)?.slice(3, 7));
    expect(documented).toEqual(
      Object.values(table).map(({ clients, names, render, resourceLinks }) => [
        clients.map((client) => `\`${client}\``).join(', ') || '–',
        ...[names, render, resourceLinks ? 'yes' : 'no'],
      ]),
    );
  });
});

/** Test files that a page names, with the titles of tests that it quotes after each of them. */
function namedTests(page: string): { readonly file: string; readonly titles: readonly string[] }[] {
  const [, ...parts] = page.split(/`(?=test\/)/);
  return parts.map((part) => {
    const [file = '', ...after] = part.split('`');
    const [sameItem = ''] = after.join('`').split(/\n(?:- |\n)/);
    return { file, titles: allOf(/"([^"]+)"/g, sameItem.replace(/\s+/g, ' ')) };
  });
}

/** True if a test file has a test with this title. */
function hasTest(file: string, title: string): boolean {
  const source = read(file).replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

describe('documentation', () => {
  const named = namedTests(read('docs', 'threat-model.md'));

  it('quotes only titles of tests that exist as proof against threats', () => {
    const quoted = named.flatMap(({ file, titles }) => titles.map((title) => ({ file, title })));
    expect(quoted.length).toBeGreaterThan(100);
    expect(quoted.filter(({ file, title }) => !hasTest(file, title))).toEqual([]);
  });

  it.each(PAGES)('links only to existing files and headings: %s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(PAGES)('names only variables that are settings: %s', (page) => {
    const known = new Set([...settingNames(), ...OTHER_VARIABLES]);
    const named = allOf(/\b(?:PITH|MCP|MAX)_[A-Z0-9_]+/g, read(page));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
