import { NO_GOVERNANCE } from '../../../../src/governance/agents/governance-file';
import type { RegisteredTool } from '../../../../src/governance/registry/registered-tool';
import { ownRegistry, ToolRegistry } from '../../../../src/governance/registry/tool-registry';
import { listScratchTool } from '../../../../src/scratch/list-scratch.tool';

const own = ownRegistry([listScratchTool], NO_GOVERNANCE).all();
const aTool = (name: string, provider = 'files'): RegisteredTool[] =>
  own.map((tool) => ({ ...tool, name, provider }));
const namesOf = (registry: ToolRegistry): string[] => registry.all().map(({ name }) => name);

describe('ToolRegistry', () => {
  it('finds tools by their canonical name', () => {
    const registry = new ToolRegistry(own);
    expect(registry.find('scratch.list')?.title).toBe('Passages at hand');
    expect(registry.find('scratch_list')).toBeUndefined();
    expect(registry.find('__proto__')).toBeUndefined();
  });

  it('adds the tools of providers after its own, and replaces those of one provider only', () => {
    const registry = new ToolRegistry(own);
    registry.provide('files', aTool('files.read'));
    registry.provide('notes', aTool('notes.add', 'notes'));
    registry.provide('files', aTool('files.write'));
    expect(namesOf(registry)).toEqual(['scratch.list', 'files.write', 'notes.add']);
    expect(registry.find('files.read')).toBeUndefined();
  });

  it('changes its revision with its tools', () => {
    const registry = new ToolRegistry(own);
    const before = registry.revision;
    registry.provide('files', []);
    expect(registry.revision).not.toBe(before);
  });

  it.each(['scratch.list', 'scratch_list'])('refuses %s of a provider and keeps its tools', (name) => {
    const registry = new ToolRegistry(own);
    expect(() => registry.provide('files', aTool(name))).toThrow('two tools are named');
    expect(namesOf(registry)).toEqual(['scratch.list']);
  });
});
