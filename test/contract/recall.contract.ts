import type { SearchAnswer } from '../../src/core/ports/section-index.port.js';
import { anIndexedDocument, aQuery, type QueryParts } from '../support/indexed-documents.js';
import type { WordModel } from '../support/word-model.js';
import type { SectionIndexSubject } from './section-index.contract.js';

/** The model of the subject must treat these as the same, with weight 2. */
export const TAUGHT = { browser: 'crossorigin', refuses: 'crossorigin', cors: 'crossorigin' };

/** A subject whose index and writer use a model. */
export interface RecallSubject extends Pick<SectionIndexSubject, 'index' | 'publish' | 'dispose'> {
  readonly model: WordModel;
}

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ section }) => section.id);

const PAGES = [
  anIndexedDocument({ path: 'cors.md', texts: ['Switch CORS on.'], docTag: 'web' }),
  anIndexedDocument({ path: 'disk.md', texts: ['The domain of disks is wide.'], docTag: 'store' }),
  anIndexedDocument({ path: 'ship.md', texts: ['Ships lie in the harbour.'], docTag: 'store' }),
];

/** How every `SectionIndex` finds sections by a model's vectors. */
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

    it('finds a section that has no word in common with the question', async () => {
      const answer = await search('browser refuses domain');
      expect(idsOf(answer)[0]).toBe('cors.md');
      expect(answer.candidates[0]).toMatchObject({ lexical: 0, vector: expect.any(Number) });
    });

    it('finds sections if the index contains no word of the question', async () => {
      expect(idsOf(await search('browser refuses'))[0]).toBe('cors.md');
    });

    it('adds the scores of words and vectors, and reports both', async () => {
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
    ])('finds nothing outside the %s', async (_, parts) => {
      const ids = idsOf(await search('browser refuses domain', parts));
      expect(ids).not.toContain('cors.md');
      expect(ids).toContain('ship.md');
    });

    it('finds nothing by vectors in a lexical search, and does not call the model', async () => {
      const before = subject.model.textsAsked();
      expect(idsOf(await search('browser refuses domain', { rankedBy: 'lexical' }))).toEqual(['disk.md']);
      expect(subject.model.textsAsked()).toBe(before);
    });

    it('answers by words if the model is down, marked as degraded, and by both when it is back', async () => {
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

    it('forgets a removed section, and finds a new one', async () => {
      await subject.publish(...PAGES.slice(1));
      expect(idsOf(await search('browser refuses domain'))).not.toContain('cors.md');
      await subject.publish(...PAGES);
      expect(idsOf(await search('browser refuses domain'))[0]).toBe('cors.md');
    });

    it('explains its hits on request', async () => {
      const { hits = [] } = await search('browser refuses domain', { explain: true });
      expect(hits.find(({ sectionId }) => sectionId === 'cors.md')).toMatchObject({
        fate: 'candidate',
        lexical: 0,
      });
    });
  });
}
