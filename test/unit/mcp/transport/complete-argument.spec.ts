import type { CorpusLists } from '../../../../src/mcp/corpus-lists.js';
import { completeArgument, valuesLike } from '../../../../src/mcp/transport/complete-argument.js';
import type { ShownCorpus } from '../../../../src/mcp/transport/shown-corpus.js';
import { aCall } from '../../../support/builders.js';

const { caller } = aCall();
const prompt = {
  ...{ name: 'ask', title: null, description: null, messages: [] },
  arguments: [{ name: 'product', description: null, isRequired: true }],
};
const taxonomy = [
  { key: 'product', description: null, values: ['anchor', 'Crane', 'cargo', 'sea crane'] },
  { key: 'team', description: null, values: ['blue'] },
];

function completing(params: object, { isShown = true, hidden = [] as string[] } = {}): Promise<object> {
  const corpus = {
    facts: async () => ({
      generation: '1',
      description: null,
      instructions: null,
      taxonomy,
      prompts: [prompt],
    }),
    pathsFrom: async (start: string, most: number) =>
      Array.from({ length: most }, (_, i) => `${start}${i}.md`),
  } as unknown as CorpusLists;
  const shown = {
    showsDocuments: async () => isShown,
    hiddenTemplates: async () => hidden,
  } as unknown as ShownCorpus;
  return completeArgument(params, { caller, corpus, shown, others: ['pith://scratch/'] });
}

const ofPrompt = (argument: object, name = 'ask') => ({ ref: { type: 'ref/prompt', name }, argument });
const ofTemplate = (uri: string, name = 'path') => ({
  ref: { type: 'ref/resource', uri },
  argument: { name, value: 'guides/' },
});

describe('valuesLike', () => {
  it('puts values that begin with the text first, without regard to case', () => {
    expect(valuesLike(['anchor', 'Crane', 'cargo', 'sea crane'], 'cra')).toEqual({
      values: ['Crane', 'sea crane'],
      total: 2,
      hasMore: false,
    });
  });

  it('returns at most 100 values and leaves very long ones out', () => {
    const many = Array.from({ length: 150 }, (_, i) => `value ${i}`);
    const { values, total, hasMore } = valuesLike([...many, 'v'.repeat(1_001)], '');
    expect([values.length, total, hasMore]).toEqual([100, 150, true]);
  });
});

describe('completeArgument', () => {
  it('suggests the values of the metadata key that has the name of the argument', async () => {
    expect(await completing(ofPrompt({ name: 'product', value: 'c' }))).toMatchObject({
      completion: { values: ['Crane', 'cargo', 'anchor', 'sea crane'] },
    });
  });

  it('suggests nothing for a key that the prompt has no argument for', async () => {
    expect(await completing(ofPrompt({ name: 'team', value: '' }))).toMatchObject({
      completion: { values: [] },
    });
  });

  it('does not know prompts and templates that the caller is not shown', async () => {
    const argument = { name: 'product', value: '' };
    await expect(completing(ofPrompt(argument, 'other'))).rejects.toThrow("no prompt 'other'");
    await expect(completing(ofPrompt(argument), { isShown: false })).rejects.toThrow("no prompt 'ask'");
    await expect(completing(ofTemplate('docs:///{+path}'), { hidden: ['docs:///'] })).rejects.toThrow(
      'not found',
    );
    await expect(completing(ofTemplate('other://{x}'))).rejects.toThrow('not found');
  });

  it('suggests paths of documents, at most 100', async () => {
    expect(await completing(ofTemplate('docs:///{+path}'))).toMatchObject({
      completion: { values: { length: 100, 0: 'guides/0.md' }, hasMore: true },
    });
    expect(await completing(ofTemplate('pith://scratch/{session_id}/{passage_id}'))).toMatchObject({
      completion: { values: [] },
    });
  });

  it('refuses a value that is too long', async () => {
    await expect(completing(ofPrompt({ name: 'product', value: 'x'.repeat(1_001) }))).rejects.toThrow();
  });
});
