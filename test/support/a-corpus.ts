import type { CorpusFacts, CorpusPrompt, TaxonomyKey } from '../../src/core/corpus-facts.js';

export function aKey(overrides: Partial<TaxonomyKey> = {}): TaxonomyKey {
  return { key: 'language', description: null, values: ['go', 'python'], ...overrides };
}

export function aCorpus(overrides: Partial<CorpusFacts> = {}): CorpusFacts {
  return {
    generation: 'index:1',
    description: null,
    instructions: null,
    taxonomy: [],
    prompts: [],
    ...overrides,
  };
}

export function aPrompt(overrides: Partial<CorpusPrompt> = {}): CorpusPrompt {
  return {
    name: 'explain',
    title: null,
    description: null,
    arguments: [],
    messages: [{ role: 'user', template: 'Explain.' }],
    ...overrides,
  };
}
