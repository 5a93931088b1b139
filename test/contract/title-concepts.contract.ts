import type { Scope } from '../../src/core/scope.js';
import { anIndexedDocument, type DocumentParts, EVERYTHING } from '../support/indexed-documents.js';
import type { GraphStoreSubject } from './graph-store/graph-subject.js';

const RUSH = { path: 'rush.md', title: 'Rush (band)', texts: ['A rock band of three.'] };
const PEART = { path: 'peart.md', title: 'Neil Peart', texts: ['He was the drummer of Rush for decades.'] };
const LEE = { path: 'lee.md', title: 'Geddy Lee', texts: ['He sang, and Neil Peart wrote the words.'] };

/** Titles as entities that other documents mention, and the bridges between sections that follow from them. */
export function titleConceptsContract(name: string, make: () => Promise<GraphStoreSubject>): void {
  describe(`${name} knows titles`, () => {
    let subject: GraphStoreSubject;
    beforeEach(async () => (subject = await make()));
    afterEach(() => subject.dispose());

    const publish = (...documents: readonly DocumentParts[]): Promise<unknown> =>
      subject.publish(...documents.map(anIndexedDocument));
    const bridges = async (ids: readonly string[], scope: Partial<Scope> = {}): Promise<string[]> =>
      (await subject.graph.bridges({ ...EVERYTHING, ...scope }, ids)).bridges.map(
        ({ source, target }) => `${source} > ${target}`,
      );
    const ALL = ['rush.md', 'peart.md', 'lee.md'];

    it('links a section that names a title to the sections under it', async () => {
      await publish(RUSH, PEART, LEE);
      expect(await bridges(ALL)).toEqual(['lee.md > peart.md', 'peart.md > rush.md']);
    });

    it('links only the given sections', async () => {
      await publish(RUSH, PEART, LEE);
      expect(await bridges(['rush.md', 'lee.md'])).toEqual([]);
    });

    it('links nothing for sections that do not exist', async () => {
      await publish(RUSH);
      expect(await bridges(['nothing.md'])).toEqual([]);
    });

    it('makes the title an entity that one document defines and the other mentions', async () => {
      await publish(RUSH, PEART, LEE);
      const { edges } = await subject.graph.walk({
        scope: EVERYTHING,
        seeds: ['neil peart'],
        relations: ['MENTIONS', 'DEFINES'],
        direction: 'in',
        maxHops: 1,
        fanOut: 50,
        limit: 50,
      });
      expect(edges.map(({ source, type }) => `${source} ${type}`)).toEqual([
        'lee.md MENTIONS',
        'peart.md MENTIONS',
        'peart.md DEFINES',
      ]);
    });

    it('adds titles of new documents, and forgets those of removed ones', async () => {
      await publish(LEE);
      expect(await bridges(ALL)).toEqual([]);
      await publish(LEE, PEART);
      expect(await bridges(ALL)).toEqual(['lee.md > peart.md']);
      await publish(LEE, { ...PEART, title: 'The drummer', hash: 'other' });
      expect(await bridges(ALL)).toEqual([]);
    });

    it('does not treat a heading of many documents as a title', async () => {
      const others = ['a', 'b', 'c'].map((each) => ({ path: `${each}.md`, title: 'Neil Peart' }));
      await publish(LEE, PEART, ...others);
      expect(await bridges([...ALL, 'a.md'])).toEqual([]);
    });

    it('ignores a title that more than ten sections name', async () => {
      const fans = Array.from({ length: 11 }, (_, i) => ({
        path: `fan${i}.md`,
        title: `Fan of the number ${i}`,
        texts: [`The fan ${i} likes Neil Peart.`],
      }));
      await publish(PEART, ...fans.slice(0, 10));
      expect(await bridges(['peart.md', 'fan0.md'])).toEqual(['fan0.md > peart.md']);
      await publish(PEART, ...fans);
      expect(await bridges(['peart.md', 'fan0.md'])).toEqual([]);
    });

    it('updates the number of documents in which a title occurs', async () => {
      const named = { path: 'named.md', title: 'Named', texts: ['Neil Peart drums. Neil Peart writes.'] };
      const second = { path: 'again.md', title: 'Neil Peart', texts: ['Another page on him.'] };
      await publish(PEART, named);
      await publish(PEART, named, second);
      const grown = await bridges(['peart.md', 'named.md', 'again.md']);
      const whole = await subject.buildElsewhere(...[PEART, named, second].map(anIndexedDocument));
      const { bridges: atOnce } = await whole.graph.bridges(EVERYTHING, ['peart.md', 'named.md', 'again.md']);
      expect(grown).toEqual(atOnce.map(({ source, target }) => `${source} > ${target}`));
      expect(grown).toEqual(['named.md > again.md', 'named.md > peart.md']);
    });

    it('uses a name that all spellings of a title share, and does not reveal a spelling from outside the scope', async () => {
      await publish(
        { path: 'seen.md', title: 'Deploy server', docTag: 'docs' },
        { path: 'hidden.md', title: 'Deployed Servers', docTag: 'secret' },
      );
      const scope = { ...EVERYTHING, docTags: ['docs'] };
      const { nodes } = await subject.graph.describe(scope, ['deploy server', 'Deployed Servers'], false);
      expect(nodes).toMatchObject([{ title: 'Deploy server', sections: 1 }, { title: 'Deploy server' }]);
      expect(JSON.stringify(nodes)).not.toMatch(/deployed servers/i);
    });

    it('links nothing outside the scope, and does not reveal titles there', async () => {
      await publish(RUSH, { ...PEART, docTag: 'secret' }, LEE);
      const docTags = ['docs'];
      expect(await bridges(ALL, { docTags })).toEqual([]);
      const { nodes } = await subject.graph.describe({ ...EVERYTHING, docTags }, ['neil peart'], false);
      expect(nodes).toEqual([null]);
    });
  });
}
