import { BackendUnavailableError, DeadlineExceededError } from '../../../src/core/errors.js';
import type { SectionIndex } from '../../../src/core/ports/section-index.port.js';
import { limitScope, type Scope, type ScopeRequest } from '../../../src/core/scope.js';
import { CorpusDirectory } from '../../../src/search-docs/corpus-directory.js';
import { aCorpus, aKey } from '../../support/a-corpus.js';
import { aDocument, aScope, FixedIndex } from '../../support/builders.js';

const missing = new BackendUnavailableError('No index.', { reason: 'index_missing', hint: 'Index.' });

function aDirectory(parts: Partial<SectionIndex>, waitMs = 1_000): CorpusDirectory {
  const index = Object.assign(new FixedIndex([]), parts);
  return new CorpusDirectory(index, async () => aScope(), waitMs);
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => aDocument({ path: `${1000 + i}.md`, title: `Page ${i}` }));

/** Documents as an index pages through them. */
function paged(documents: ReturnType<typeof numbered>): Partial<SectionIndex> {
  return {
    resources: async (_scope, after, limit) => ({
      generation: 'index:1',
      documents: documents.filter(({ path }) => path > (after ?? '')).slice(0, limit),
    }),
  };
}

describe('CorpusDirectory', () => {
  it('returns the paths that begin with a text, and none without an index', async () => {
    const directory = aDirectory(paged(numbered(30)));
    expect(await directory.pathsFrom('102', 3, {})).toEqual(['1020.md', '1021.md', '1022.md']);
    expect(await directory.pathsFrom('', 1, {})).toEqual(['1000.md']);
    expect(await directory.pathsFrom('3', 3, {})).toEqual([]);
    const broken = aDirectory({ resources: () => Promise.reject(missing) });
    expect(await broken.pathsFrom('1', 3, {})).toEqual([]);
  });

  it('returns the facts of the index', async () => {
    const directory = aDirectory({ corpus: async () => aCorpus({ description: 'harbour' }) });
    expect(await directory.facts({})).toMatchObject({ description: 'harbour' });
  });

  it.each([
    ['is missing', missing],
    ['is broken in an unknown way', new Error('disk I/O error')],
  ])('answers if the index %s', async (_, error) => {
    const directory = aDirectory({ corpus: () => Promise.reject(error) });
    expect(await directory.facts({})).toBeNull();
  });

  it('does not wait for a busy index, and returns the last known facts', async () => {
    const answers = [Promise.resolve(aCorpus()), new Promise<never>(() => undefined)];
    const directory = aDirectory({ corpus: () => answers.shift() ?? Promise.reject(missing) }, 10);
    await directory.facts({});
    expect(await directory.facts({})).toEqual(aCorpus());
  });

  it.each([
    ['answers', async () => aCorpus(), aCorpus()],
    ['fails', () => Promise.reject<never>(missing), null],
  ])('keeps no timer after the index %s', async (_, corpus, expected) => {
    jest.useFakeTimers();
    try {
      const asking = aDirectory({ corpus }).facts({});
      expect(jest.getTimerCount()).toBe(1);
      expect(await asking).toEqual(expected);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('gives a caller with a limit the facts of its own scope, without the texts of the manifest', async () => {
    const prompt = { name: 'p', title: null, description: null, arguments: [], messages: [] };
    const texts = { description: 'harbour', instructions: 'Ask.', prompts: [prompt] };
    const scope = async (limit: ScopeRequest) => limitScope(aScope(), limit);
    const corpus = async ({ docTags }: Scope) =>
      aCorpus({ ...texts, taxonomy: [aKey({ values: docTags ?? ['all'], description: 'a or b' })] });
    const directory = new CorpusDirectory(Object.assign(new FixedIndex([]), { corpus }), scope, 1_000);
    expect(await directory.facts({})).toMatchObject(texts);
    expect(await directory.facts({ doc_tags: ['a'] })).toMatchObject({
      ...{ description: null, instructions: null, prompts: [] },
      taxonomy: [{ values: ['a'], description: null }],
    });
  });

  it('returns no texts to a caller without visible documents', async () => {
    const corpus = async () => aCorpus({ description: 'harbour', instructions: 'Ask.' });
    const index = Object.assign(new FixedIndex([]), { corpus });
    const directory = new CorpusDirectory(index, async () => aScope({ docTags: [] }), 1_000);
    expect(await directory.facts({ project_id: 'other' })).toMatchObject({
      description: null,
      instructions: null,
    });
  });

  it('never returns the last facts of another limit', async () => {
    const answers = [Promise.resolve(aCorpus()), new Promise<never>(() => undefined)];
    const directory = aDirectory({ corpus: () => answers.shift() ?? Promise.reject(missing) }, 10);
    await directory.facts({});
    expect(await directory.facts({ doc_tags: ['a'] })).toBeNull();
  });

  it('lists documents page by page, each once', async () => {
    const directory = aDirectory(paged(numbered(250)));
    const pages = [];
    for (let cursor: string | undefined, i = 0; i < 3; i++) {
      const page = await directory.resources(cursor, {});
      pages.push(page.resources);
      cursor = page.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
    expect(new Set(pages.flat().map(({ uri }) => uri)).size).toBe(250);
  });

  it('has no cursor on the last page', async () => {
    expect(await aDirectory(paged(numbered(100))).resources(undefined, {})).not.toHaveProperty('nextCursor');
  });

  it('describes a document', async () => {
    const path = 'a b/ä#1.md';
    const document = aDocument({ path, title: 'Ä', updatedAt: '2025-12-01T00:00:00.000Z' });
    expect((await aDirectory(paged([document])).resources(undefined, {})).resources).toEqual([
      {
        uri: 'docs:///a%20b/%C3%A4%231.md',
        name: path,
        title: 'Ä',
        mimeType: 'text/markdown',
        annotations: { audience: ['user', 'assistant'], lastModified: '2025-12-01T00:00:00.000Z' },
      },
    ]);
  });

  it.each([
    ['is missing', missing],
    ['takes too long', new DeadlineExceededError('Late.', { reason: 'qdrant', hint: '' })],
  ])('lists nothing if the index %s', async (_, error) => {
    const directory = aDirectory({ resources: () => Promise.reject(error) });
    expect(await directory.resources(undefined, {})).toEqual({ resources: [] });
  });

  it.each(['', 'x', 'YWZ0ZXI', Buffer.from('other:a').toString('base64url')])(
    'refuses the cursor %j',
    async (cursor) => {
      await expect(aDirectory(paged([])).resources(cursor, {})).rejects.toMatchObject({
        reason: 'cursor_invalid',
      });
    },
  );
});
