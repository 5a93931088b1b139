import type { IndexedDocument } from '../../src/core/indexed-document.js';
import { anIndexedDocument, aQuery, FILLERS, idsOf, type QueryParts } from '../support/indexed-documents.js';
import { subjectOfEachTest } from '../support/section-subject.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** How every `SectionIndex` ranks sections, and how many it returns. */
export function sectionRankingContract(name: string, make: () => Promise<SectionIndexSubject>): void {
  describe(`${name} is a SectionIndex`, () => {
    const { subject, find } = subjectOfEachTest(make);

    describe('ranking', () => {
      it('ranks sections with more occurrences of a word higher', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a-once.md', texts: ['The kestrel flies over the wide meadow today.'] }),
          anIndexedDocument({
            path: 'z-often.md',
            texts: ['A kestrel met a kestrel near the kestrel nest.'],
          }),
          ...FILLERS,
        );
        expect(await find('kestrel')).toEqual(['z-often.md', 'a-once.md']);
      });

      it('ranks sections with more occurrences higher even if most sections contain the word', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a-once.md', texts: ['The kestrel flies over the wide meadow today.'] }),
          anIndexedDocument({
            path: 'z-often.md',
            texts: ['A kestrel met a kestrel near the kestrel nest.'],
          }),
          anIndexedDocument({ path: 'never.md', texts: ['The osprey hunts above the quiet lake.'] }),
        );
        expect(await find('kestrel')).toEqual(['z-often.md', 'a-once.md']);
      });

      it('ranks the section with the rarer of two words first', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'common-1.md', texts: ['The harbour is open.'] }),
          anIndexedDocument({ path: 'common-2.md', texts: ['The harbour is shut.'] }),
          anIndexedDocument({ path: 'rare.md', texts: ['The kestrel is open.'] }),
          anIndexedDocument({ path: 'other-1.md', texts: ['Nothing to see here at all.'] }),
          anIndexedDocument({ path: 'other-2.md', texts: ['Nor is there over there.'] }),
        );
        expect((await find('kestrel harbour'))[0]).toBe('rare.md');
      });

      it('weighs a heading more than the body', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', title: 'Page', texts: ['Notes on kestrel and on meadow.'] }),
          anIndexedDocument({ path: 'z.md', title: 'Kestrel', texts: ['Notes on other and on meadow.'] }),
          ...FILLERS,
        );
        expect(await find('kestrel')).toEqual(['z.md', 'a.md']);
      });

      it('finds a section by the headings above it and by its file name', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', headingPath: ['Kestrels', 'Food'], texts: ['They eat voles.'] }),
          anIndexedDocument({ path: 'kestrel-nests.md', texts: ['High up.'] }),
          anIndexedDocument({ path: 'other.md', texts: ['Nothing.'] }),
        );
        expect((await find('kestrel')).sort()).toEqual(['a.md', 'kestrel-nests.md']);
      });

      it('puts a page first whose title is the question, by its present title', async () => {
        const page = (title: string) =>
          anIndexedDocument({
            path: 'z.md',
            title,
            headingPath: ['Synopsis'],
            texts: ['Name it.'],
            hash: title,
          });
        const other = anIndexedDocument({ path: 'a.md', texts: ['Old name, new name, old name, new name.'] });
        const named = async (question: string): Promise<string[]> => {
          const { candidates } = await subject.index.search(aQuery(question));
          return candidates.flatMap(({ document, shares }) => (shares['named'] ? [document.path] : []));
        };
        await subject.publish(page('Old name'), other, ...FILLERS);
        expect(await named('old name')).toEqual(['z.md']);
        await subject.publish(page('New name'), other, ...FILLERS);
        expect(await named('old name')).toEqual([]);
        expect(await named('new name')).toEqual(['z.md']);
      });

      it.each([
        ['--fold', 'Pass --fold once.', '--fold-away', 'fold'],
        ['.ORE', 'For .ORE only.', 'Ore', 'ore settings'],
        ['4.5.6', 'Since 4.5.6 it rings.', '4.5.60', '5 of 4, 6 of 4'],
        ['OAR_RACK', 'Read OAR_RACK first.', 'OAR_RACK_SIZE', 'oar rack, oar rack'],
        ['/oars/left', 'See /oars/left.', '/oars/left/blade', 'left oars'],
        ['keel::beam', 'A keel::beam.', 'keel::beam::end', 'keel beam'],
      ])('puts the section first that has %s unbroken', async (identifier, exact, longer, parts) => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: [`Set ${longer}, then ${longer}, then ${longer}.`] }),
          anIndexedDocument({ path: 'b.md', title: parts, texts: [`${parts}. ${parts}. ${parts}.`] }),
          anIndexedDocument({ path: 'z.md', texts: [`The meadow is wide and the lake is quiet. ${exact}`] }),
          ...FILLERS,
        );
        expect((await find(identifier))[0]).toBe('z.md');
      });

      it('breaks ties by section id', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'm.md', texts: ['The kestrel sits.'] }),
          anIndexedDocument({ path: 'z.md', texts: ['The kestrel hunts.'] }),
          anIndexedDocument({ path: 'a.md', texts: ['The kestrel flies.'] }),
        );
        expect(await find('kestrel')).toEqual(['a.md', 'm.md', 'z.md']);
      });

      it('breaks ties by section id before it cuts the list, for any order of documents', async () => {
        const late = anIndexedDocument({ path: 'a.md', texts: ['The kestrel sits.'] });
        const early = anIndexedDocument({ path: 'z.md', texts: ['The kestrel hunts.'] });
        await subject.publish(early);
        await subject.publish(early, late);
        expect(await find('kestrel', { limit: 1 })).toEqual(['a.md']);
        const filtered = { limit: 1, filter: { docTags: ['docs'] } };
        expect(await find('kestrel', filtered)).toEqual(['a.md']);
      });

      it('scores best first, rounded to four places, higher for better', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'once.md', texts: ['The kestrel flies over the wide meadow today.'] }),
          anIndexedDocument({ path: 'often.md', texts: ['A kestrel met a kestrel near the kestrel nest.'] }),
          ...FILLERS,
        );
        const { candidates } = await subject.index.search(aQuery('kestrel'));
        const scores = candidates.map(({ lexical }) => lexical);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(scores.map((score) => Number(score.toFixed(4)))).toEqual(scores);
        expect(Math.min(...scores)).toBeGreaterThan(0);
      });

      it('gives the same answer to the same query', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['kestrel one', 'kestrel two', 'kestrel kestrel'] }),
        );
        const first = {
          ...(await subject.index.search(aQuery('kestrel one two'))),
          timings: expect.anything(),
        };
        expect(await subject.index.search(aQuery('kestrel one two'))).toEqual(first);
      });

      it('gives the same answer if it was built in one run or in several', async () => {
        const a = anIndexedDocument({
          path: 'a.md',
          texts: ['A kestrel in the meadow.', 'A kestrel at sea.'],
        });
        const b = anIndexedDocument({ path: 'b.md', texts: ['The kestrel kestrel eats.', 'An owl sleeps.'] });
        const old = anIndexedDocument({
          path: 'a.md',
          texts: ['The kestrel meadow was other.'],
          hash: 'old',
        });
        await subject.publish(b, anIndexedDocument({ path: 'gone.md', texts: ['kestrel kestrel owl'] }));
        await subject.publish(b, old);
        await subject.publish(b, a);
        const grown = await subject.index.search(aQuery('kestrel meadow owl'));
        await subject.replace(a, b);
        const built = await subject.index.search(aQuery('kestrel meadow owl'));
        expect(idsOf(grown)).toEqual(idsOf(built));
        expect(grown.documentFrequency).toEqual(built.documentFrequency);
      });

      it('gives the same scores after any number of changes', async () => {
        const hit = anIndexedDocument({ path: 'a.md', texts: ['A kestrel in the meadow.'] });
        const changed = (hash: string): IndexedDocument =>
          anIndexedDocument({ path: 'b.md', texts: ['An owl in the meadow.'], hash });
        await subject.publish(hit, changed('1'), ...FILLERS);
        const before = await subject.index.search(aQuery('kestrel'));
        await subject.publish(hit, changed('2'), ...FILLERS);
        await subject.publish(hit, changed('3'), ...FILLERS);
        const after = await subject.index.search(aQuery('kestrel'));
        expect(after.candidates).toEqual(before.candidates);
      });

      it('returns the section and its document as they were written', async () => {
        const written = anIndexedDocument({
          path: 'a folder/ä#b.md',
          texts: ['Text with "quotes",\n\n| a | b |\n|---|---|\nand \u{1F600} kestrel.'],
          headingPath: ['Top', 'A "b" > c'],
          docTag: 'täg',
        });
        await subject.publish(written);
        const [candidate] = (await subject.index.search(aQuery('kestrel'))).candidates;
        expect(candidate?.section).toEqual(written.sections[0]);
        expect(candidate?.document).toEqual(written.facts);
      });
    });

    describe('limit', () => {
      it('returns only the best sections', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', texts: ['A kestrel and so much else besides it here.'] }),
          anIndexedDocument({ path: 'b.md', texts: ['kestrel kestrel kestrel'] }),
          anIndexedDocument({ path: 'c.md', texts: ['kestrel kestrel and more'] }),
          ...FILLERS,
        );
        expect(await find('kestrel', { limit: 2 })).toEqual(['b.md', 'c.md']);
      });

      it('returns the best sections of a document up to the limit, and counts the others', async () => {
        await subject.publish(
          anIndexedDocument({
            path: 'a.md',
            texts: ['kestrel and more', 'kestrel kestrel', 'kestrel too so'],
          }),
          anIndexedDocument({ path: 'b.md', texts: ['A kestrel and so much else besides it here.'] }),
          ...FILLERS,
        );
        const answer = await subject.index.search(aQuery('kestrel', { perDocument: 1, limit: 2 }));
        expect(idsOf(answer)).toEqual(['a.md#s2', 'b.md']);
        expect(answer.dropped).toEqual({ sameDocument: 2, nearDuplicate: 0 });
        expect(answer.matched).toBe(4);
      });

      it('raises the limit per document if few documents match, until the list is full', async () => {
        const texts = (word: string, count: number) =>
          Array.from({ length: count }, (_, i) => `${word} ${i} kestrel`);
        await subject.publish(
          anIndexedDocument({ path: 'large.md', texts: texts('One', 9) }),
          anIndexedDocument({ path: 'small.md', texts: texts('Other', 2) }),
          ...FILLERS,
        );
        const countOf = async (parts: QueryParts): Promise<number> =>
          (await subject.index.search(aQuery('kestrel', { perDocument: 2, ...parts }))).candidates.length;
        expect(await countOf({})).toBe(4);
        expect(await countOf({ fillTo: 4 })).toBe(4);
        expect(await countOf({ fillTo: 5 })).toBe(6);
        expect(await countOf({ fillTo: 100 })).toBe(11);
        expect(await countOf({ fillTo: 100, limit: 7 })).toBe(7);
      });

      it('counts only visible sections', async () => {
        await subject.publish(
          anIndexedDocument({ path: 'a.md', docTag: 'hidden', texts: ['kestrel kestrel kestrel'] }),
          anIndexedDocument({ path: 'b.md', docTag: 'seen', texts: ['A kestrel and so much else besides.'] }),
        );
        expect(await find('kestrel', { limit: 1, scope: { docTags: ['seen'] } })).toEqual(['b.md']);
      });
    });
  });
}
