import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { describeOneTool, listTools } from '../../src/governance/commands/tools.command.js';
import { toolDefinitions } from '../support/all-tools.js';
import { commandOutput } from '../support/command-output.js';

const EXAMPLE = join(PACKAGE_ROOT, 'config', 'governance.yaml');
const tools = toolDefinitions();

const out = commandOutput({ PITH_GOVERNANCE_FILE: EXAMPLE });

describe('listTools', () => {
  it('prints the tools that an agent is offered', async () => {
    await listTools({ agent: 'auditor' }, tools);
    expect(out.text).toBe(
      'kb.retrieve_evidence  version 4, read, permission read, capabilities: answer\n' +
        'tool.list             version 1, read, permission read, capabilities: tools\n' +
        'tool.describe         version 1, read, permission read, capabilities: tools\n' +
        '3 tools\n',
    );
  });

  it('prints every tool that is on as JSON', async () => {
    await listTools({ json: true }, tools);
    const rows: unknown = JSON.parse(out.text);
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
    expect(out.text).toContain('kb.search: Search the documents\n');
    expect(out.text).toContain('capabilities: read\n');
    expect(out.text).toContain('"maxLength"');
  });

  it('prints one JSON object', async () => {
    await describeOneTool('kb.search', { json: true }, tools);
    expect(JSON.parse(out.text)).toMatchObject({ name: 'kb.search', input_schema: { type: 'object' } });
  });

  it.each([
    ['nothing', 'There is no tool nothing.'],
    ['graph.paths', 'graph.paths is turned off, or not offered to this agent.'],
  ])('refuses %s if the agent is not offered it', async (name, message) => {
    await expect(describeOneTool(name, { agent: 'auditor' }, tools)).rejects.toThrow(message);
  });
});
