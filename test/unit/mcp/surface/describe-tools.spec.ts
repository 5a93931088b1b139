import { z } from 'zod';
import { parseConfig } from '../../../../src/config/config.js';
import { GENERIC_PROFILE } from '../../../../src/core/host-profile.js';
import { defineTool } from '../../../../src/mcp/define-tool.js';
import { describeTools } from '../../../../src/mcp/surface/describe-tools.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { aCorpus } from '../../../support/a-corpus.js';
import { aReader, permissionsOf } from '../../../support/a-reader.js';

const common = {
  title: 'Test',
  input: z.strictObject({}),
  output: z.strictObject({}),
  isCore: false,
  permission: 'read' as const,
  budget: { bytes: 1_000, tokens: 1_000 },
  rendering: { full: () => '', summary: () => '' },
};
const fixed = defineTool({ ...common, name: 'kb.fixed', description: 'Fixed.', feature: 'kb' });
const follows = defineTool({
  ...common,
  name: 'follows',
  description: 'Unused.',
  feature: 'docs',
  listedFor: (corpus) => ({
    description: `Search ${corpus?.description ?? 'something'} like kb.fixed.`,
    inputSchema: { type: 'object', description: corpus?.generation ?? 'none' },
  }),
});
const forOperators = defineTool({
  ...common,
  name: 'operators.only',
  description: 'Only.',
  feature: 'always',
  permission: 'operator',
  input: z.strictObject({ diagnostic_debug: z.boolean(), query: z.string() }),
});
const surface = resolveSurface([fixed, follows, forOperators], parseConfig({}), {});
const agent = aReader();

describe('describeTools', () => {
  it('lists a tool with corpus content if its definition says so', () => {
    const [, tool] = describeTools(surface, agent, aCorpus({ description: 'the harbour' }));
    expect(tool).toMatchObject({
      description: 'Search the harbour like kb.fixed.',
      inputSchema: { type: 'object', description: 'index:1' },
    });
  });

  it("lists that tool without corpus content if the corpus can't be read", () => {
    const [, tool] = describeTools(surface, agent, null);
    expect(tool).toMatchObject({ inputSchema: { description: 'none' } });
  });

  it('lists the other tools the same for every corpus', () => {
    const [one] = describeTools(surface, agent, aCorpus());
    const [other] = describeTools(surface, agent, null);
    expect(one).toEqual(other);
  });

  it('spells tools in descriptions for the host', () => {
    const [, tool] = describeTools(
      surface,
      { ...agent, host: { ...GENERIC_PROFILE, names: 'underscore' } },
      aCorpus(),
    );
    expect(tool?.description).toContain('kb_fixed');
  });

  it('shows operator tools only to operators', () => {
    const names = (isOperator: boolean): string[] =>
      describeTools(surface, aReader({ permissions: permissionsOf(isOperator) }), null).map(
        ({ name }) => name,
      );
    expect(names(false)).toEqual(['kb.fixed', 'follows']);
    expect(names(true)).toEqual(['kb.fixed', 'follows', 'operators.only']);
  });

  it('shows operator arguments only to operators', () => {
    const open = resolveSurface([{ ...forOperators, permission: 'read' }], parseConfig({}), {});
    const argumentsFor = (isOperator: boolean): string[] =>
      describeTools(open, aReader({ permissions: permissionsOf(isOperator) }), null).flatMap(
        ({ inputSchema }) => Object.keys(Object(inputSchema['properties'])),
      );
    expect(argumentsFor(false)).toEqual(['query']);
    expect(argumentsFor(true)).toEqual(['diagnostic_debug', 'query']);
  });
});
