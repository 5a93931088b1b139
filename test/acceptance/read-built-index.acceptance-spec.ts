import { NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { BuiltIndex } from '../../src/ingest/built-index.js';
import { readBuiltGraph } from '../../src/sqlite/graph/read-built-graph.js';
import { withBuiltIndex } from '../../src/sqlite/index/read-built-index.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';
import { latentCorpus } from '../contract/latent-corpus.js';
import { testFolder } from '../support/build-index.js';
import { anIndexedDocument, presentOf, SETTINGS } from '../support/indexed-documents.js';

describe('withBuiltIndex', () => {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const embedder = embedderNamed('lsa');
  const kind = { description: null, collapse: null, isResource: true, resourceValues: [] };
  const corpus = { ...NOTHING_DECLARED, taxonomy: { kind } };

  const publish = async (...documents: readonly IndexedDocument[]): Promise<void> => {
    const writer = new SqliteIndexWriter(file, embedder, Date.now);
    await writer.begin({ ...SETTINGS, corpus }, true);
    await writer.stage(documents);
    await writer.publish(presentOf(documents));
    await writer.close();
  };
  const read = <T>(look: (built: BuiltIndex) => T): Promise<T> =>
    withBuiltIndex({ file, profile: embedder.profile, readGraph: readBuiltGraph }, async (built) =>
      look(built),
    );

  afterAll(() => folder.remove());

  it('lists documents by path with their sections in order, including empty sections', async () => {
    await publish(
      anIndexedDocument({ path: 'b.md', texts: ['One.', 'Two.'], metadata: { kind: 'guide' } }),
      anIndexedDocument({ path: 'a.md', texts: [] }),
    );
    const documents = await read((built) => [...built.documents()]);
    expect(documents).toMatchObject([
      { facts: { path: 'a.md' }, isOffered: false, sections: [] },
      {
        facts: { path: 'b.md', metadata: { kind: 'guide' } },
        hash: 'hash of One.,Two.',
        isOffered: true,
        sections: [
          { section: { id: 'b.md#s1', text: 'One.' } },
          { section: { id: 'b.md#s2', text: 'Two.' } },
        ],
      },
    ]);
  });

  it('reads terms by field, acronyms, frequencies and lengths', async () => {
    const texts = ['Latent semantic analysis (LSA).', 'An owl.'];
    await publish(anIndexedDocument({ path: 'a.md', title: 'Kestrels', texts }));
    await read((built) => {
      const [first] = [...built.documents()].flatMap(({ sections }) => sections);
      expect(first?.terms()).toEqual({
        title: ['kestrel'],
        headings: [],
        file: ['a', 'md', 'amd'],
        body: ['latent', 'semant', 'analysi', 'lsa'],
      });
      expect(first?.acronyms).toEqual([{ short: 'LSA', long: 'latent semantic analysis' }]);
      expect(new Map(built.vocabulary()).get('kestrel')).toBe(2);
      expect(new Map(built.vocabulary()).get('owl')).toBe(1);
      expect(built.averageLength).toBe(7);
      expect(built.sectionCount).toBe(2);
      expect(built.declaration).toEqual(corpus);
    });
  });

  it('reads vectors and their space if the index has them', async () => {
    await publish(anIndexedDocument());
    expect(await read(({ space, documents }) => [space, [...documents()][0]?.sections[0]?.vector])).toEqual([
      null,
      null,
    ]);
    await publish(...latentCorpus(58));
    const [space, lengths] = await read((built) => {
      const sections = [...built.documents()].flatMap((document) => document.sections);
      return [built.space, new Set(sections.map(({ vector }) => vector?.length))] as const;
    });
    expect(space?.length).toBeGreaterThan(1_000);
    expect(lengths.size).toBe(1);
  });

  it('reads one generation while the next is published', async () => {
    await publish(anIndexedDocument({ path: 'a.md', texts: ['Old.'] }));
    await withBuiltIndex({ file, profile: embedder.profile, readGraph: readBuiltGraph }, async (built) => {
      await publish(anIndexedDocument({ path: 'b.md', texts: ['New.'] }));
      expect([...built.documents()].map(({ facts }) => facts.path)).toEqual(['a.md']);
    });
  });

  it('fails with index_missing without an index', async () => {
    const source = { file: folder.file('none.sqlite'), profile: embedder.profile, readGraph: readBuiltGraph };
    await expect(withBuiltIndex(source, async () => null)).rejects.toMatchObject({ reason: 'index_missing' });
  });
});
