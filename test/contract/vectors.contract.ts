import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { Candidate, SearchAnswer } from '../../src/core/ports/section-index.port.js';
import { anIndexedDocument, aQuery, type QueryParts } from '../support/indexed-documents.js';
import { latentCorpus, latentDocument, WARRANTIES } from './latent-corpus.js';
import type { SectionIndexSubject } from './section-index.contract.js';

const CORPUS = [...WARRANTIES, ...latentCorpus(58)];

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ section }) => section.id);
const vectorsOf = ({ candidates }: SearchAnswer): (number | null)[] => candidates.map(({ vector }) => vector);
const scoresOf = ({ candidates }: SearchAnswer): number[] => candidates.map(({ score }) => score);
/** The part of an answer that depends neither on the index's time of creation nor on the duration of the search. */
const answered = (answer: SearchAnswer): object => ({ ...answer, generation: '', timings: null });

/** How every `SectionIndex` ranks by vectors of an embedder that is fitted to its documents. */
export function vectorsContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} ranks by vectors`, () => {
    let subject: SectionIndexSubject;
    const search = (text: string, parts?: QueryParts): Promise<SearchAnswer> =>
      subject.index.search(aQuery(text, parts));
    /** One section, searched by its words, with its cosine to these words. */
    const sectionOf = async (id: string, text: string): Promise<Candidate | undefined> =>
      (await search(text, { filter: { sectionIds: [id] } })).candidates[0];

    const subjectOfEachTest = (): void => {
      beforeEach(async () => {
        subject = await make();
      });
      afterEach(() => subject.dispose());
    };

    describe('according to the request', () => {
      // These tests only read. Fitting vectors takes most of the time of this contract.
      beforeAll(async () => {
        subject = await make();
        await subject.publish(...CORPUS);
      });
      afterAll(() => subject.dispose());

      it('ranks a section that uses a synonym of a word of the question above unrelated ones', async () => {
        const byWords = await search('warranty for trucks', { rankedBy: 'lexical' });
        const byBoth = await search('warranty for trucks', { rankedBy: 'both' });
        const warranties = (answer: SearchAnswer) => idsOf(answer).filter((id) => !id.startsWith('note'));
        expect(warranties(byWords)).toEqual(['a-other.md', 'z-lorry.md']);
        expect(warranties(byBoth)).toEqual(['z-lorry.md', 'a-other.md']);
      });

      it('orders by cosine in a search by vectors only', async () => {
        const answer = await search('warranty for trucks', { rankedBy: 'vector' });
        const cosines = vectorsOf(answer).map(Number);
        expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
        expect(scoresOf(answer)).toEqual([...scoresOf(answer)].sort((a, b) => b - a));
      });

      it('orders by words in a lexical search, and reports no cosines', async () => {
        const answer = await search('warranty for trucks', { rankedBy: 'lexical' });
        expect(answer.candidates.length).toBeGreaterThan(2);
        expect(vectorsOf(answer).filter((vector) => vector !== null)).toEqual([]);
      });

      it.each<[NonNullable<QueryParts['rankedBy']>]>([['lexical'], ['vector'], ['both']])(
        'returns the best first, with scores of 0 or more and four places: %s',
        async (rankedBy) => {
          const scores = scoresOf(await search('warranty truck cargo diesel', { rankedBy }));
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
          expect(scores.map((score) => Math.max(0, Number(score.toFixed(4))))).toEqual(scores);
        },
      );

      it('reports cosines from -1 to 1, with four places', async () => {
        const cosines = vectorsOf(await search('warranty truck cargo diesel')).map(Number);
        expect(cosines.length).toBeGreaterThan(2);
        expect(cosines.map((cosine) => Math.max(-1, Math.min(1, Number(cosine.toFixed(4)))))).toEqual(
          cosines,
        );
      });

      it('does not change which sections words find, nor their lexical scores', async () => {
        const byWords = await search('warranty for trucks', { rankedBy: 'lexical' });
        const byBoth = await search('warranty for trucks', { rankedBy: 'both' });
        const lexical = ({ candidates }: SearchAnswer) =>
          candidates.map((candidate) => `${candidate.section.id} ${candidate.lexical}`).sort();
        expect(lexical(byBoth)).toEqual(lexical(byWords));
      });

      it('respects scope, filter and limit', async () => {
        const outside = { scope: { docTags: ['none'] } };
        expect(idsOf(await search('truck', outside))).toEqual([]);
        expect(idsOf(await search('truck cargo', { filter: { pathPrefix: 'note-0' } }))).toHaveLength(2);
        expect(idsOf(await search('truck cargo', { limit: 1 }))).toHaveLength(1);
      });

      it('gives the same answer to the same question', async () => {
        expect(answered(await search('warranty truck'))).toEqual(answered(await search('warranty truck')));
      });
    });

    describe('in another index', () => {
      subjectOfEachTest();
      beforeEach(() => subject.publish(...CORPUS));

      it('gives the same answer for the same documents', async () => {
        const first = await search('warranty truck cargo');
        await subject.replace(...CORPUS);
        expect(answered(await search('warranty truck cargo'))).toEqual(answered(first));
      });

      it('gives the same answer for any order of documents', async () => {
        const first = await search('warranty truck cargo');
        await subject.replace(...CORPUS.toReversed());
        expect(answered(await search('warranty truck cargo'))).toEqual(answered(first));
      });
    });

    describe('with enough documents', () => {
      subjectOfEachTest();

      it('has no vectors below 50', async () => {
        await subject.publish(...latentCorpus(49));
        const answer = await search('truck cargo');
        expect(answer.candidates.length).toBeGreaterThan(0);
        expect(vectorsOf(answer).filter((vector) => vector !== null)).toEqual([]);
      });

      it('ranks by words below 50, even if vectors are requested', async () => {
        await subject.publish(...latentCorpus(49));
        const byVector = await search('truck cargo', { rankedBy: 'vector' });
        expect(byVector.candidates).toEqual(
          (await search('truck cargo', { rankedBy: 'lexical' })).candidates,
        );
      });

      it('has vectors from 50 on', async () => {
        await subject.publish(...latentCorpus(50));
        expect(vectorsOf(await search('truck cargo'))).not.toContain(null);
      });

      it('gets vectors as it grows, the same as if it had been built in one run', async () => {
        await subject.publish(...latentCorpus(40));
        await subject.publish(...latentCorpus(58));
        const grown = await search('truck cargo highway');
        await subject.replace(...latentCorpus(58));
        expect(answered(grown)).toEqual(answered(await search('truck cargo highway')));
        expect(vectorsOf(grown)).not.toContain(null);
      });

      it('loses vectors as it shrinks, and gets them again', async () => {
        await subject.publish(...latentCorpus(58));
        await subject.publish(...latentCorpus(49));
        expect(vectorsOf(await search('truck')).filter((vector) => vector !== null)).toEqual([]);
        await subject.publish(...latentCorpus(58));
        expect(vectorsOf(await search('truck'))).not.toContain(null);
      });
    });

    describe('after a change', () => {
      const rename = (path: string, like: IndexedDocument): IndexedDocument =>
        anIndexedDocument({ path, title: like.facts.title, texts: like.sections.map(({ text }) => text) });

      subjectOfEachTest();
      beforeEach(() => subject.publish(...CORPUS));

      it("ranks by words if the space knows none of the question's terms", async () => {
        await subject.publish(...CORPUS, anIndexedDocument({ path: 'orphan.md', texts: ['An orphan.'] }));
        const answer = await search('orphan', { rankedBy: 'vector' });
        expect(idsOf(answer)).toEqual(['orphan.md']);
        expect(vectorsOf(answer).filter((vector) => vector !== null)).toEqual([]);
      });

      it('has a vector of a new document', async () => {
        await subject.publish(...CORPUS, rename('new.md', latentDocument(1)));
        const [was, is] = [await sectionOf('note-1.md#s2', 'truck'), await sectionOf('new.md#s2', 'truck')];
        expect(is?.vector).toEqual(expect.any(Number));
        expect(is?.vector).toBe(was?.vector);
      });

      it("has the vector of a document's changed text", async () => {
        const changed = rename('note-9.md', latentDocument(1));
        const others = CORPUS.filter(({ facts }) => facts.path !== 'note-9.md');
        await subject.publish(...others, changed);
        const [like, is] = [
          await sectionOf('note-1.md#s2', 'truck'),
          await sectionOf('note-9.md#s2', 'truck'),
        ];
        expect(is?.vector).toEqual(expect.any(Number));
        expect(is?.vector).toBe(like?.vector);
      });

      it('does not change the vectors of other documents', async () => {
        const before = await sectionOf('note-1.md#s2', 'truck cargo');
        await subject.publish(...CORPUS, latentDocument(58));
        await subject.publish(...CORPUS);
        expect((await sectionOf('note-1.md#s2', 'truck cargo'))?.vector).toBe(before?.vector);
      });

      it('does not give the vector of a deleted document to a later one', async () => {
        const others = CORPUS.slice(0, -1);
        await subject.publish(...others);
        await subject.publish(...others, rename('late.md', latentDocument(1)));
        const [like, is] = [await sectionOf('note-1.md#s2', 'truck'), await sectionOf('late.md#s2', 'truck')];
        expect(is?.vector).toBe(like?.vector);
      });

      it('finds every section once', async () => {
        await subject.publish(...CORPUS.slice(3), latentDocument(60));
        await subject.publish(...CORPUS);
        const ids = idsOf(await search('truck lorry cargo warranty diesel'));
        expect(new Set(ids).size).toBe(ids.length);
      });

      const onComets = (number: number): IndexedDocument =>
        anIndexedDocument({
          path: `comet-${number}.md`,
          title: `Comet ${number}`,
          texts: [1, 2, 3, 4].map((part) => `A comet, its perihelion and tail${part} tail${number}.`),
        });

      it('knows no new words until the index has grown by a fifth', async () => {
        await subject.publish(...CORPUS, onComets(1), onComets(2));
        expect(vectorsOf(await search('perihelion')).filter((vector) => vector !== null)).toEqual([]);
      });

      it('fits again after the index has grown by a fifth', async () => {
        const comets = Array.from({ length: 15 }, (_, i) => onComets(i));
        await subject.publish(...CORPUS, ...comets);
        const vectors = vectorsOf(await search('perihelion'));
        expect(vectors.length).toBeGreaterThan(0);
        expect(vectors).not.toContain(null);
        const grown = await search('truck perihelion');
        await subject.replace(...CORPUS, ...comets);
        expect(answered(await search('truck perihelion'))).toEqual(answered(grown));
      });

      it('fits again after the index has shrunk by more than a fifth', async () => {
        const rest = [...WARRANTIES, ...latentCorpus(49)];
        const more = Array.from({ length: 40 }, (_, i) => onComets(i));
        await subject.publish(...rest, ...more);
        await subject.publish(...rest);
        const shrunk = await search('truck cargo');
        await subject.replace(...rest);
        expect(answered(shrunk)).toEqual(answered(await search('truck cargo')));
      });
    });
  });
}
