import type { SearchAnswer } from '../../src/core/ports/section-index.port.js';
import { anIndexedDocument, aQuery } from '../support/indexed-documents.js';
import type { QueryParts } from '../support/indexed-documents.js';
import type { WordModel } from '../support/word-model.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** What the model of the subject must be taught: that these are the same; it weighs 2. */
export const TAUGHT = { browser: 'crossorigin', refuses: 'crossorigin', cors: 'crossorigin' };

/** A subject whose index and writer have a model round them. */
export interface RecallSubject extends Pick<SectionIndexSubject, 'index' | 'publish' | 'dispose'> {
  readonly model: WordModel;
}

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ section }) => section.id);

const PAGES = [
  anIndexedDocument({ path: 'cors.md', texts: ['Switch CORS on.'], docTag: 'web' }),
  anIndexedDocument({ path: 'disk.md', texts: ['The domain of disks is wide.'], docTag: 'store' }),
  anIndexedDocument({ path: 'ship.md', texts: ['Ships lie in the harbour.'], docTag: 'store' }),
];

/** How every `SectionIndex` finds sections by the vectors of a model. */
export function recallContract(name: string, make: () => Promise<RecallSubject>): void {
  describe(`${name} finds by a model's vectors`, () => {
    let subject: RecallSubject;
    const search = (text: string, parts?: QueryParts): Promise<SearchAnswer> =>
      subject.index.search(aQuery(text, parts));

    beforeEach(async () => {
      subject = await make();
      await subject.publish(...PAGES);
    });
    afterEach(() => subject.dispose());

    it('finds a section that shares no word with the question', async () => {
      const answer = await search('browser refuses domain');
      expect(idsOf(answer)[0]).toBe('cors.md');
      expect(answer.candidates[0]).toMatchObject({ lexical: 0, vector: expect.any(Number) });
    });

    it('finds sections where the index holds no word of the question', async () => {
      expect(idsOf(await search('browser refuses'))[0]).toBe('cors.md');
    });

    it('adds up words and vectors, each told by its name', async () => {
      const { candidates, fusion } = await search('browser refuses domain');
      const disk = candidates.find(({ section }) => section.id === 'disk.md');
      expect(fusion.params).toMatchObject({ words: 1, vector: 2 });
      expect(disk?.shares).toMatchObject({ words: 1, vector: expect.any(Number) });
    });

    it.each<[string, QueryParts]>([
      ['scope', { scope: { docTags: ['store'] } }],
      ['filter', { filter: { docTags: ['store'] } }],
      ['path', { filter: { pathPrefix: 'ship' } }],
      ['sections', { filter: { sectionIds: ['ship.md'] } }],
    ])('finds nothing beyond the %s', async (_, parts) => {
      const ids = idsOf(await search('browser refuses domain', parts));
      expect(ids).not.toContain('cors.md');
      expect(ids).toContain('ship.md');
    });

    it('finds nothing by vectors when words alone rank, and asks no model', async () => {
      const before = subject.model.textsAsked();
      expect(idsOf(await search('browser refuses domain', { rankedBy: 'lexical' }))).toEqual(['disk.md']);
      expect(subject.model.textsAsked()).toBe(before);
    });

    it('answers by words and says so where the model is down, and by both once it is back', async () => {
      subject.model.isDown = true;
      const without = await search('browser refuses domain');
      expect(idsOf(without)).toEqual(['disk.md']);
      expect(without.degraded).toEqual(['vector']);
      expect(without.candidates[0]?.vector).toBeNull();
      subject.model.isDown = false;
      const again = await search('browser refuses domain');
      expect(idsOf(again)[0]).toBe('cors.md');
      expect(again.degraded ?? []).toEqual([]);
    });

    it('forgets a section that went, and finds one that came', async () => {
      await subject.publish(...PAGES.slice(1));
      expect(idsOf(await search('browser refuses domain'))).not.toContain('cors.md');
      await subject.publish(...PAGES);
      expect(idsOf(await search('browser refuses domain'))[0]).toBe('cors.md');
    });

    it('tells of what it found, when asked to explain', async () => {
      const { hits = [] } = await search('browser refuses domain', { explain: true });
      expect(hits.find(({ sectionId }) => sectionId === 'cors.md')).toMatchObject({
        fate: 'candidate',
        lexical: 0,
      });
    });
  });
}
