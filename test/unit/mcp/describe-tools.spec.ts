import { z } from 'zod';
import { parseConfig } from '../../../src/config/config.js';
import { defineTool } from '../../../src/mcp/define-tool.js';
import { describeTools } from '../../../src/mcp/describe-tools.js';
import { GENERIC_PROFILE } from '../../../src/mcp/host-profiles.js';
import { resolveSurface } from '../../../src/mcp/surface.js';
import { aCorpus } from '../../support/a-corpus.js';

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
const surface = resolveSurface([fixed, follows], parseConfig({}), {});

describe('describeTools', () => {
  it('lists a tool by what the corpus holds where its definition says so', () => {
    const [, tool] = describeTools(surface, GENERIC_PROFILE, aCorpus({ description: 'the harbour' }));
    expect(tool).toMatchObject({
      description: 'Search the harbour like kb.fixed.',
      inputSchema: { type: 'object', description: 'index:1' },
    });
  });

  it('lists it without when the corpus can not be read', () => {
    const [, tool] = describeTools(surface, GENERIC_PROFILE, null);
    expect(tool).toMatchObject({ inputSchema: { description: 'none' } });
  });

  it('lists the others the same for every corpus', () => {
    const [one] = describeTools(surface, GENERIC_PROFILE, aCorpus());
    const [other] = describeTools(surface, GENERIC_PROFILE, null);
    expect(one).toEqual(other);
  });

  it('spells tools that the description names as the host has to call them', () => {
    const [, tool] = describeTools(surface, { ...GENERIC_PROFILE, names: 'underscore' }, aCorpus());
    expect(tool?.description).toContain('kb_fixed');
  });
});
