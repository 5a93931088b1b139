import { NO_GOVERNANCE } from '../../src/governance/agents/governance-file.js';
import { ownRegistry } from '../../src/governance/registry/tool-registry.js';
import { toolDefinitions } from '../support/all-tools.js';

const tools = ownRegistry(toolDefinitions(), NO_GOVERNANCE).all();

// If this fails, the schema of a tool has changed: raise `version` in its definition, and run with -u to add the new hash.
describe('a version of a tool', () => {
  it.each(tools.map((tool) => [tool.name, tool.version, tool.schemaHash]))(
    'keeps its schemas: %s %s',
    (_, __, schemaHash) => {
      expect(schemaHash).toMatchSnapshot();
    },
  );

  it.each(tools.map(({ name, version }) => [name, version]))(
    'of %s is an integer or semver: %s',
    (_, version) => {
      expect(version).toMatch(/^(?:[1-9]\d*|\d+\.\d+\.\d+)$/);
    },
  );
});
