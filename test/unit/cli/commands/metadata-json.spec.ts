import { metadataJson } from '../../../../src/cli/commands/index.command.js';
import { NOTHING_DECLARED } from '../../../../src/core/corpus-declaration.js';
import type { Inventory } from '../../../../src/sqlite/index/read-inventory.js';

const EMBEDDER = { name: 'lsa-1', dimensions: 64, weight: 1, recalls: false };
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const anInventory = (overrides: Partial<Inventory> = {}): Inventory => ({
  ...{ generation: 'index:1', projectId: 'docs', environment: 'prod', indexedAt: '2026-01-01T00:00:00.000Z' },
  ...{ sections: 3, hasVectors: false, declaration: NOTHING_DECLARED, taxonomy: [] },
  documents: [{ path: 'a.md', title: 'A' }],
  ...overrides,
});

describe('metadataJson', () => {
  it('contains facts about every index', () => {
    expect(metadataJson(anInventory(), EMBEDDER, null)).toEqual({
      metadata_version: '1.1.0',
      corpus_description: 'Documentation corpus',
      taxonomy: {},
      stats: {
        ...{ total_chunks: 3, total_files: 1, indexed_at: '2026-01-01T00:00:00.000Z', source_commit: null },
      },
      embedding: null,
      files: { 'a.md': { title: 'A' } },
    });
  });

  it('contains the keys, values and prompts of the manifest', () => {
    const key = { description: 'Of it.', collapse: true, isResource: false, resourceValues: ['2'] };
    const prompt = { name: 'ask', title: null, description: null, arguments: [] };
    const inventory = anInventory({
      hasVectors: true,
      taxonomy: [
        { key: 'language', description: null, values: ['go'] },
        { key: 'version', description: 'Of it.', values: ['1', '2'] },
      ],
      declaration: {
        ...{ description: 'Handbook', instructions: 'Search first.' },
        taxonomy: { version: key },
        prompts: [{ ...prompt, messages: [{ role: 'user', template: 'Hello.' }] }],
      },
    });
    expect(metadataJson(inventory, EMBEDDER, COMMIT)).toMatchObject({
      corpus_description: 'Handbook',
      taxonomy: {
        language: { values: ['go'] },
        version: {
          ...{ description: 'Of it.', values: ['1', '2'], vector_collapse: true },
          properties: { '2': { mcp_resource: true } },
        },
      },
      stats: { source_commit: COMMIT },
      embedding: { provider: 'pith', model: 'lsa-1', dimensions: 64 },
      prompts: [{ name: 'ask', arguments: [], template: 'Hello.' }],
      mcpServerInstructions: 'Search first.',
    });
  });
});
