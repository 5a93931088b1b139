import fc from 'fast-check';
import { type CorpusDeclaration, NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { ExplainedHit, SearchAnswer } from '../../src/core/ports/section-index.port.js';
import { anIndexedDocument, aQuery, type QueryParts } from '../support/indexed-documents.js';
import type { SectionIndexSubject } from './section-index.contract.js';

const WORDS = ['kestrel', 'harbour', 'meadow', 'owl', 'lantern', 'voles', 'nest', 'river', 'stone', 'wind'];
const MORE = Array.from({ length: 120 }, (_, i) => `filler${String.fromCharCode(97 + (i % 26))}${i}`);

/** The part of an answer that must be the same with and without explanation. */
const unexplained = (answer: SearchAnswer): string =>
  JSON.stringify({ ...answer, hits: undefined, timings: null });
const sumOf = ({ shares }: Pick<ExplainedHit, 'shares'>): number =>
  Object.values(shares).reduce((sum, share) => sum + share, 0);
/** The candidates in their order: a newer version has the place of the section that it stands for. */
function byPlace(hits: readonly ExplainedHit[]): string[] {
  const place = (id: string): number =>
    hits.findIndex(
      ({ sectionId, fate, instead }) => sectionId === id || (fate === 'near_duplicate' && instead === id),
    );
  return withFate(hits, 'candidate').sort((a, b) => place(a) - place(b));
}

const withFate = (hits: readonly ExplainedHit[], fate: ExplainedHit['fate']): string[] =>
  hits.filter((hit) => hit.fate === fate).map(({ sectionId }) => sectionId);

const collapsing: CorpusDeclaration = {
  ...NOTHING_DECLARED,
  taxonomy: { version: { description: null, collapse: true, isResource: false, resourceValues: [] } },
};

const sentence = fc
  .array(fc.constantFrom(...WORDS, ...MORE), { minLength: 3, maxLength: 12 })
  .map((words) => `${words.join(' ')}.`);
/** Some documents have versions; some have more sections than a list takes from one document. */
const someDocuments = fc
  .array(
    fc.record({
      texts: fc.array(sentence, { minLength: 1, maxLength: 12 }),
      title: fc.constantFrom('Kestrel', 'Page', 'Harbour meadow'),
      docTag: fc.constantFrom('one', 'two'),
      versions: fc.constantFrom(1, 1, 2, 3),
    }),
    { minLength: 3, maxLength: 45 },
  )
  .map((made) =>
    made.flatMap(({ versions, ...parts }, i) =>
      Array.from({ length: versions }, (_, version) =>
        anIndexedDocument({
          ...parts,
          path: `${version}/page-${i}.md`,
          metadata: { version: String(version) },
          hash: JSON.stringify([version, parts]),
        }),
      ),
    ),
  );
const someQuery = fc.record({
  text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')),
  limit: fc.constantFrom(1, 2, 5, 20, 60, 300),
  perDocument: fc.constantFrom(1, 2, 3, 100),
  rankedBy: fc.constantFrom('lexical' as const, 'vector' as const, 'both' as const),
  filter: fc.constantFrom({}, {}, { docTags: ['one'] }),
});

/** How every `SectionIndex` explains its ranking. */
export function explainedSearchContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} explains a search`, () => {
    let subject: SectionIndexSubject;
    const search = (text: string, parts?: QueryParts): Promise<SearchAnswer> =>
      subject.index.search(aQuery(text, parts));
    const explain = async (text: string, parts?: QueryParts): Promise<readonly ExplainedHit[]> =>
      (await search(text, { ...parts, explain: true })).hits ?? [];

    beforeEach(async () => {
      subject = await make();
    });

    afterEach(() => subject.dispose());

    it('only on request, but always reports durations', async () => {
      await subject.publish(anIndexedDocument({ texts: ['A kestrel.'] }));
      const answer = await search('kestrel');
      expect(answer).not.toHaveProperty('hits');
      expect(Object.keys(answer.timings).sort()).toEqual(['fusion', 'lexical', 'vector']);
      expect(Math.min(...Object.values(answer.timings))).toBeGreaterThanOrEqual(0);
      expect(await search('kestrel', { explain: false })).not.toHaveProperty('hits');
    });

    it('has no explanation for words that do not occur', async () => {
      await subject.publish(anIndexedDocument({ texts: ['A kestrel.'] }));
      expect(await explain('osprey')).toEqual([]);
      expect(await explain('', { terms: [] })).toEqual([]);
    });

    it('names the best section of a document as the replacement for its other sections', async () => {
      await subject.publish(
        anIndexedDocument({
          path: 'a.md',
          texts: ['kestrel and so much more', 'kestrel kestrel', 'kestrel'],
        }),
        anIndexedDocument({ path: 'b.md', texts: ['A kestrel and so much else besides it here.'] }),
      );
      const hits = await explain('kestrel', { perDocument: 1 });
      const best = hits[0]?.sectionId ?? '';
      expect(hits.filter(({ fate }) => fate === 'same_document').map(({ instead }) => instead)).toEqual([
        best,
        best,
      ]);
      expect(withFate(hits, 'candidate')).toEqual([best, 'b.md']);
    });

    it('names the section that a near-duplicate repeats', async () => {
      const text = 'The kestrel hovers over the meadow until a vole stirs in the grass below it.';
      await subject.publish(
        anIndexedDocument({ path: '1/a.md', texts: [text] }),
        anIndexedDocument({ path: '2/a.md', texts: [text] }),
      );
      expect(await explain('kestrel')).toMatchObject([
        { sectionId: '1/a.md', fate: 'near_duplicate', instead: '2/a.md' },
        { sectionId: '2/a.md', fate: 'candidate', instead: null },
      ]);
    });

    it('explains hits below the end of the list, even beyond those that are compared', async () => {
      const pages = Array.from({ length: 130 }, (_, i) =>
        anIndexedDocument({ path: `p${i}.md`, texts: [`kestrel ${MORE[i % 120]} ${'and more '.repeat(i)}`] }),
      );
      await subject.publish(...pages, anIndexedDocument({ path: 'none.md', texts: ['An owl.'] }));
      const hits = await explain('kestrel', { limit: 5 });
      expect(hits).toHaveLength(130);
      expect(withFate(hits, 'candidate')).toEqual(hits.slice(0, 5).map(({ sectionId }) => sectionId));
      expect(withFate(hits, 'below_list')).toHaveLength(125);
    });

    it('does not reveal sections outside scope and filters, or tags', async () => {
      await subject.publish(
        anIndexedDocument({ path: 'a.md', docTag: 'one', texts: ['kestrel a'] }),
        anIndexedDocument({ path: 'b.md', docTag: 'two', texts: ['kestrel b'] }),
        anIndexedDocument({ path: 'c.md', docTag: 'two', texts: ['kestrel c'] }),
      );
      const hits = await explain('kestrel', {
        scope: { docTags: ['two'] },
        filter: { paths: ['c.md', 'a.md'] },
      });
      expect(hits).toMatchObject([{ sectionId: 'c.md', docTag: 'two' }]);
      expect(hits).toHaveLength(1);
    });

    it('does not change the answer, for any documents and question', async () => {
      const law = async (
        documents: readonly IndexedDocument[],
        queries: readonly (QueryParts & { text: string })[],
      ) => {
        await subject.declare(collapsing, ...documents);
        for (const { text, ...parts } of queries) {
          const plain = await search(text, parts);
          const explained = await search(text, { ...parts, explain: true });
          const hits = explained.hits ?? [];
          expect(unexplained(explained)).toBe(unexplained(plain));
          expect(byPlace(hits)).toEqual(plain.candidates.map(({ section }) => section.id));
          expect(withFate(hits, 'near_duplicate')).toHaveLength(plain.dropped.nearDuplicate);
          expect(withFate(hits, 'same_document').length).toBeGreaterThanOrEqual(plain.dropped.sameDocument);
          expect(hits.length).toBeGreaterThanOrEqual(plain.matched);
          expect(new Set(hits.map(({ sectionId }) => sectionId)).size).toBe(hits.length);
          const scores = hits.map(({ score }) => score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
          for (const found of [...hits, ...plain.candidates])
            expect(Math.abs(sumOf(found) - found.score)).toBeLessThan(0.0002);
          const stands = new Set(hits.map(({ sectionId }) => sectionId));
          for (const { fate, instead } of hits) {
            const isReplaced = fate === 'same_document' || fate === 'near_duplicate';
            expect(instead !== null && stands.has(instead)).toBe(isReplaced);
          }
        }
      };
      await fc.assert(
        fc.asyncProperty(someDocuments, fc.array(someQuery, { minLength: 6, maxLength: 10 }), law),
        { numRuns: 15 },
      );
    });
  });
}
