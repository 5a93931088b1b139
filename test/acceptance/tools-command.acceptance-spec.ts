import { join } from 'node:path';
import { toolDefinitions } from '../../src/app.module.js';
import { describeOneTool, listTools } from '../../src/cli/governance/tools.command.js';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';

const EXAMPLE = join(PACKAGE_ROOT, 'config', 'governance.yaml');
const tools = toolDefinitions();
const before = process.env['PITH_GOVERNANCE_FILE'];

let printed = '';

beforeEach(() => {
  printed = '';
  process.env['PITH_GOVERNANCE_FILE'] = EXAMPLE;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  if (before === undefined) delete process.env['PITH_GOVERNANCE_FILE'];
  else process.env['PITH_GOVERNANCE_FILE'] = before;
});

describe('listTools', () => {
  it('prints the tools that an agent is offered', async () => {
    await listTools({ agent: 'auditor' }, tools);
    expect(printed).toBe(
      'kb.retrieve_evidence  version 1, read, permission read, capabilities: answer\n' +
        'tool.list             version 1, read, permission read, capabilities: tools\n' +
        'tool.describe         version 1, read, permission read, capabilities: tools\n' +
        '3 tools\n',
    );
  });

  it('prints every tool that is on as JSON', async () => {
    await listTools({ json: true }, tools);
    const rows: unknown = JSON.parse(printed);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'search_sections', provider: 'pith', approval: null }),
        expect.objectContaining({ name: 'graph.paths', capabilities: [], mounts: ['graph'] }),
      ]),
    );
  });

  it('names the agents of the file if there is no such agent', async () => {
    await expect(listTools({ agent: 'nobody' }, tools)).rejects.toThrow('no agent is named nobody');
  });
});

describe('describeOneTool', () => {
  it('prints a tool in either spelling, with its schemas', async () => {
    await describeOneTool('kb_search', {}, tools);
    expect(printed).toContain('kb.search: Search the documents\n');
    expect(printed).toContain('capabilities: read\n');
    expect(printed).toContain('"maxLength"');
  });

  it('prints one JSON object', async () => {
    await describeOneTool('kb.search', { json: true }, tools);
    expect(JSON.parse(printed)).toMatchObject({ name: 'kb.search', input_schema: { type: 'object' } });
  });

  it.each(['nothing', 'graph.paths'])('refuses %s if the agent is not offered it', async (name) => {
    await expect(describeOneTool(name, { agent: 'auditor' }, tools)).rejects.toThrow(
      `There is no tool ${name}.`,
    );
  });
});
