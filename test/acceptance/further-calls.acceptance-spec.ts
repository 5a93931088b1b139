import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMAINS } from '../../src/config/settings/domains.config.js';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { definitionsOf, isOfDomain } from '../../src/mcp/define-tool.js';
import { TOOLS } from '../support/all-tools.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { outcomeOf } from '../support/call-results.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

interface Example {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

const PAGE = readFileSync(join(PACKAGE_ROOT, 'docs', 'domains.md'), 'utf8');
const LINES = (PAGE.split('\n## Further calls\n')[1]?.split('```json\n')[1]?.split('\n```')[0] ?? '').split(
  '\n',
);
/** Their examples are the arguments alone; the suites of indexes and documents run them. */
const ARGUMENTS_ONLY = ['index.ingest', 'index.status', 'index.explain', 'document.extract_tables'];

const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = {
  MCP_DOMAINS: DOMAINS.join(','),
  MCP_TOOL_NAMES: 'dotted',
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_SECRET: SECRET,
};

let client: TestClient;

beforeAll(async () => {
  const tools = DOMAINS.map((domain) => `${domain}.*`).join(', ');
  writeFiles(folder.path, {
    'docs/sailing.md': '# Sailing\n\nSet the sails before you raise the anchor.\n',
    'governance.yaml': `version: 1\npolicy: { rules: [{ name: work, tools: [${tools}], effect: allow }] }\n`,
  });
  await buildIndex(folder.file('docs'), index);
  client = await connectClient({ era: 'v1', transport: 'stdio', index, url: '', env: ENV });
});

afterAll(async () => {
  await client.close();
  folder.remove();
});

describe('docs/domains.md', () => {
  it('has calls that work as they are written', async () => {
    const outcomes: unknown[] = [];
    let [run, claim] = ['', ''];
    for (const line of LINES) {
      const text = line.replaceAll('"RUN"', JSON.stringify(run)).replaceAll('"CLAIM"', JSON.stringify(claim));
      const { tool, arguments: args } = JSON.parse(text) as Example;
      const result = await client.call(tool, args);
      outcomes.push([tool, outcomeOf(result)]);
      const { run_id, claim_id } = Object(result.structuredContent);
      if (tool === 'run.create') run = String(run_id);
      if (tool === 'claim.create') claim = String(claim_id);
    }
    expect(outcomes).toEqual(
      LINES.map((line) => {
        const { tool } = JSON.parse(line) as Example;
        return [tool, tool === 'claim.decide' ? 'approval_required' : 'ok'];
      }),
    );
  });

  it('has an example of every tool', () => {
    const names = definitionsOf(TOOLS)
      .filter(({ name, feature }) => isOfDomain(feature) || name === 'kb.verify')
      .map(({ name }) => name);
    const missing = names.filter(
      (name) => !ARGUMENTS_ONLY.includes(name) && !PAGE.includes(`"tool": "${name}"`),
    );
    expect(missing).toEqual([]);
    expect(names.length).toBeGreaterThan(35);
  });
});
