import { RELATIONS } from '../../../src/core/graph-model.js';
import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import type { GraphStore } from '../../../src/core/ports/graph-store.port.js';
import type { PublishReport } from '../../../src/core/ports/index-writer.port.js';
import { aHeading, aLink, aMention, aPage } from '../../support/graphs.js';
import { EVERYTHING } from '../../support/indexed-documents.js';
import type { GraphStoreSubject } from './graph-subject.js';
import { ALL_NODES, BOTH, named, PORT, START } from './linked-pages.js';
import { aWalk, testedGraph } from './tested-graph.js';

/** How publishing changes a graph, and the states of an index. */
export function publishingContract(make: () => Promise<GraphStoreSubject>): void {
  const { current, eachHasItsOwn, describeOne, walk, reached } = testedGraph(make);

  describe('publishing', () => {
    eachHasItsOwn();

    /** Everything visible of these documents. */
    const wholeOf = async (graph: GraphStore, documents: readonly IndexedDocument[]) => {
      const seeds = documents.map(({ facts }) => `${facts.path}#_document`);
      const { nodes, edges: all, isCut } = await graph.walk(aWalk({ seeds, maxHops: 7 }));
      const described = await graph.describe(
        EVERYTHING,
        nodes.map(({ id }) => id),
        true,
      );
      return { nodes, all, isCut, described: described.nodes };
    };
    const expectSameAsFromNothing = async (
      report: PublishReport,
      ...documents: readonly IndexedDocument[]
    ) => {
      const other = await current().buildElsewhere(...documents);
      expect(await wholeOf(current().graph, documents)).toEqual(await wholeOf(other.graph, documents));
      expect(report.graph).toEqual(other.report.graph);
    };
    const [guide, reference] = BOTH as [IndexedDocument, IndexedDocument];

    it('does not show staged documents', async () => {
      await current().publish(guide);
      const before = await wholeOf(current().graph, [guide]);
      await current().stageOnly(reference, aPage('new.md', { mentions: [aMention('PORT')] }));
      expect(await wholeOf(current().graph, [guide])).toEqual(before);
      expect(await describeOne('ref.md')).toBeNull();
    });

    it('names the generation in every answer, a new one after each publish', async () => {
      const { generation } = await current().publish(guide);
      expect(await current().graph.describe(EVERYTHING, [], false)).toEqual({ generation, nodes: [] });
      expect(await walk({ seeds: [] })).toMatchObject({ generation });
      const next = await current().publish(guide, reference);
      expect(next.generation).not.toBe(generation);
      expect(await walk({ seeds: [] })).toMatchObject({ generation: next.generation });
    });

    it('keeps generation and graph if nothing has changed', async () => {
      const first = await current().publish(...BOTH);
      expect(await current().publish(...BOTH)).toEqual({ ...first });
    });

    it('is the same after adding a document as after a build from scratch', async () => {
      await current().publish(guide);
      expect(await reached({ seeds: ['guide.md'], relations: ['REFERENCES'], direction: 'out' })).toEqual([]);
      await expectSameAsFromNothing(await current().publish(...BOTH), ...BOTH);
      expect(await reached({ seeds: ['guide.md#use'], relations: ['REFERENCES'], direction: 'out' })).toEqual(
        ['ref.md#port'],
      );
    });

    it('is the same after removing a document as after a build from scratch', async () => {
      await current().publish(...BOTH);
      await expectSameAsFromNothing(await current().publish(guide), guide);
      expect(await describeOne('ref.md#port')).toBeNull();
      expect(await describeOne(PORT)).toMatchObject({ sections: 1 });
    });

    it('forgets an entity with the last section that mentions it', async () => {
      await current().publish(...BOTH);
      await expectSameAsFromNothing(await current().publish(reference), reference);
      expect(await describeOne(START)).toBeNull();
    });

    it('is the same after changing a document as after a build from scratch', async () => {
      const changed = aPage(
        'ref.md',
        {
          headings: [
            aHeading('ref.md#_preamble', { sections: [0] }),
            aHeading('ref.md#other', { anchor: 'other', sections: [1] }),
          ],
          mentions: [aMention('HOST', { section: 1 })],
          links: [aLink('guide.md#use', { section: 1 })],
        },
        { texts: ['Eta.', 'Theta.'] },
      );
      await current().publish(...BOTH);
      const documents = [guide, named(changed, '#_preamble', '#other')];
      await expectSameAsFromNothing(await current().publish(...documents), ...documents);
    });

    it('leads a link to the heading once it exists, and to the page again when it is removed', async () => {
      const from = aPage('a.md', { links: [aLink('b.md#later')] });
      const without = aPage('b.md');
      const heading = aHeading('b.md', { anchor: 'later', sections: [0] });
      const withIt = aPage('b.md', { headings: [heading] });
      const target = () => reached({ seeds: ['a.md'], relations: ['REFERENCES'], direction: 'out' });
      await current().publish(from, without);
      expect(await target()).toEqual(['b.md#_document']);
      await expectSameAsFromNothing(await current().publish(from, withIt), from, withIt);
      expect(await target()).toEqual(['b.md']);
      await expectSameAsFromNothing(await current().publish(from, without), from, without);
      expect(await target()).toEqual(['b.md#_document']);
    });

    it('is the same for any order of documents', async () => {
      const third = aPage('third.md', {
        links: [aLink('guide.md'), aLink('ref.md')],
        mentions: [aMention('PORT')],
      });
      await current().publish(third);
      await current().publish(third, reference);
      const report = await current().publish(guide, third, reference);
      await expectSameAsFromNothing(report, guide, reference, third);
    });

    it('includes documents that a killed run had staged', async () => {
      await current().publish(guide);
      await current().stageOnly(reference);
      await expectSameAsFromNothing(await current().publish(...BOTH), ...BOTH);
    });
  });

  describe('the report of a publish', () => {
    eachHasItsOwn();

    it('counts nodes by label', async () => {
      const { graph } = await current().publish(...BOTH);
      expect(graph.nodes).toMatchObject({ Document: 2, Section: 6, Heading: 1, Step: 2 });
    });

    it('counts the edges of every relation', async () => {
      const { graph } = await current().publish(...BOTH);
      const outward = await Promise.all(ALL_NODES.map((id) => walk({ seeds: [id], direction: 'out' })));
      const types = outward.flatMap((each) => each.edges.map(({ type }) => type));
      const counts = RELATIONS.map((relation) => [
        relation,
        types.filter((type) => type === relation).length,
      ]);
      expect(graph.edges).toEqual(Object.fromEntries(counts));
    });

    it('counts new mentions and entities', async () => {
      const { graph: before } = await current().publish(aPage('a.md'), aPage('b.md'));
      const mentions = [aMention('firstThing'), aMention('secondThing')];
      const { graph: after } = await current().publish(
        aPage('a.md', { mentions }),
        aPage('b.md', { mentions }),
      );
      const more = (key: 'Entity', of: typeof after) => of.nodes[key] ?? 0;
      expect(more('Entity', after) - more('Entity', before)).toBe(2);
      expect((after.edges['MENTIONS'] ?? 0) - (before.edges['MENTIONS'] ?? 0)).toBe(4);
    });

    it('names links to missing pages and headings', async () => {
      const links = [aLink('gone.md'), aLink('b.md#gone'), aLink('https://example.com/x'), aLink('b.md')];
      const { graph } = await current().publish(aPage('a.md', { links }), aPage('b.md'));
      expect(graph).toMatchObject({ unresolved: 2, examples: ['a.md: b.md#gone', 'a.md: gone.md'] });
    });

    it('does not name links to the title of a page, even if no section starts with it', async () => {
      const links = [aLink('b.md#all-about-it'), aLink('b.md#All_About_It'), aLink('b.md#about-it')];
      const page = aPage('b.md', {}, { title: 'All about it', texts: ['One.', 'Two.'] });
      const { graph } = await current().publish(aPage('a.md', { links }), page);
      expect(graph).toMatchObject({ unresolved: 1, examples: ['a.md: b.md#about-it'] });
    });

    it('names at most twenty unresolved links', async () => {
      const links = Array.from({ length: 30 }, (_, i) => aLink(`gone-${String(i).padStart(2, '0')}.md`));
      const { graph } = await current().publish(aPage('a.md', { links }));
      expect(graph.unresolved).toBe(30);
      expect(graph.examples).toEqual(links.slice(0, 20).map(({ href }) => `a.md: ${href}`));
    });

    it('does not name links that a later document resolves', async () => {
      const from = aPage('a.md', { links: [aLink('b.md')] });
      expect((await current().publish(from)).graph.unresolved).toBe(1);
      expect((await current().publish(from, aPage('b.md'))).graph).toMatchObject({
        unresolved: 0,
        examples: [],
      });
    });
  });

  describe('the state of the index', () => {
    eachHasItsOwn();

    it('is index_missing if no index exists', async () => {
      const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_missing' };
      await expect(describeOne('a.md')).rejects.toMatchObject(expected);
      await expect(walk({ seeds: ['a.md'] })).rejects.toMatchObject(expected);
    });

    it('is index_missing after the index was deleted, and normal when it is back', async () => {
      await current().publish(aPage('a.md'));
      await describeOne('a.md');
      await current().remove();
      await expect(describeOne('a.md')).rejects.toMatchObject({ reason: 'index_missing' });
      await current().publish(aPage('a.md'));
      expect(await describeOne('a.md')).toMatchObject({ id: 'a.md' });
    });

    it('is index_incompatible if another version built it', async () => {
      await current().publish(aPage('a.md'));
      await current().ageIdentity();
      await expect(walk({ seeds: ['a.md'] })).rejects.toMatchObject({ reason: 'index_incompatible' });
    });

    it.each([{ projectId: 'another' }, { environment: 'dev' }])(
      'is index_incompatible for another project or environment: %j',
      async (scope) => {
        await current().publish(aPage('a.md'));
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' };
        await expect(describeOne('a.md', scope)).rejects.toMatchObject(expected);
        await expect(walk({ seeds: ['a.md'], scope })).rejects.toMatchObject(expected);
      },
    );

    it('finishes running calls before it closes', async () => {
      await current().publish(aPage('a.md'));
      const underWay = [describeOne('a.md'), describeOne('a.md')];
      await current().graph.close();
      expect((await Promise.all(underWay)).map((node) => node?.id)).toEqual(['a.md', 'a.md']);
    });
  });
}
