import { aLink, aMention, aPage, someTexts } from '../../support/graphs.js';
import type { GraphStoreSubject } from './graph-subject.js';
import { ALL_NODES, BOTH, pagesLinkedFrom, pagesThatName, PORT, START } from './linked-pages.js';
import { testedGraph } from './tested-graph.js';

/** The order and the limits of walks. */
export function walkingContract(make: () => Promise<GraphStoreSubject>): void {
  const { current, eachHasItsOwn, walk, reached, edges } = testedGraph(make);

  describe('the order of a walk', () => {
    eachHasItsOwn();

    it('has the seeds first, in the given order, each once', async () => {
      await current().publish(...BOTH);
      const seeds = ['ref.md#port', 'guide.md', 'nothing.md', 'guide.md#_document', 'ref.md#port'];
      const { nodes } = await walk({ seeds, relations: ['DEFINES'] });
      expect(nodes).toEqual([
        { id: 'ref.md#port', distance: 0 },
        { id: 'guide.md#_document', distance: 0 },
        { id: PORT, distance: 1 },
      ]);
    });

    it('is breadth first, by relation, outward edges first', async () => {
      await current().publish(...BOTH);
      expect(await reached({ seeds: ['guide.md#use'] })).toEqual([
        'guide.md#_document',
        'guide.md#setup/disk/_part-2',
        'guide.md#use/_step-1',
        'guide.md#use/_step-2',
        'ref.md#port',
        'guide.md#setup/disk',
        PORT,
        START,
      ]);
    });

    it('has heavier edges first, then document order, then ids', async () => {
      const heavy = [aLink('t.md'), aLink('./t.md'), aLink('../docs/t.md')];
      const target = aPage('docs/t.md', {}, { texts: ['One.'] });
      const links = (section: number) => heavy.slice(0, 1).map((link) => ({ ...link, section }));
      const a = aPage('docs/a.md', { links: [...links(0), ...links(1)] }, { texts: ['One.', 'Two.'] });
      const b = aPage('docs/b.md', { links: [...links(0)] }, { texts: ['One.', 'Two.'] });
      const c = aPage(
        'docs/c.md',
        { links: heavy.map((link) => ({ ...link, section: 1 })) },
        { texts: ['One.', 'Two.'] },
      );
      await current().publish(a, b, c, target);
      const relations = ['REFERENCES'] as const;
      expect(await edges({ seeds: ['docs/t.md#_document'], relations, direction: 'in' })).toEqual([
        'docs/c.md#_document REFERENCES docs/t.md#_document 3',
        'docs/c.md#s2 REFERENCES docs/t.md#_document 3',
        'docs/a.md#_document REFERENCES docs/t.md#_document 2',
        'docs/a.md#s1 REFERENCES docs/t.md#_document 1',
        'docs/b.md#_document REFERENCES docs/t.md#_document 1',
        'docs/b.md#s1 REFERENCES docs/t.md#_document 1',
        'docs/a.md#s2 REFERENCES docs/t.md#_document 1',
      ]);
    });

    it('has entities by weight, then by id', async () => {
      const mentions = [aMention('zebra'), aMention('apple'), aMention('mango', { count: 2 })];
      await current().publish(aPage('a.md', { mentions }));
      expect(await reached({ seeds: ['a.md'], relations: ['MENTIONS'] })).toEqual([
        'entity:mango',
        'entity:apple',
        'entity:zebra',
      ]);
    });

    it('is the same each time', async () => {
      await current().publish(...BOTH);
      const query = { seeds: ['guide.md', START], maxHops: 3 };
      const first = JSON.stringify(await walk(query));
      expect(JSON.stringify(await walk(query))).toBe(first);
    });
  });

  describe('the limits of a walk', () => {
    eachHasItsOwn();

    const chain = Array.from({ length: 9 }, (_, i) => aPage(`p${i}.md`, { links: [aLink(`p${i + 1}.md`)] }));
    const relations = ['REFERENCES'] as const;

    it.each([1, 2, 7])('goes the given number of hops: %d', async (maxHops) => {
      await current().publish(...chain);
      const { nodes } = await walk({ seeds: ['p0.md#_document'], relations, direction: 'out', maxHops });
      expect(nodes.at(-1)).toEqual({ id: `p${maxHops}.md#_document`, distance: maxHops });
      expect(nodes).toHaveLength(maxHops + 1);
    });

    it('reports the distance from the nearest seed', async () => {
      await current().publish(...chain);
      const { nodes } = await walk({
        seeds: ['p0.md#_document', 'p3.md#_document'],
        relations,
        direction: 'out',
        maxHops: 2,
      });
      expect(nodes.map(({ id, distance }) => `${id[1]}:${distance}`)).toEqual([
        '0:0',
        '3:0',
        '1:1',
        '4:1',
        '2:2',
        '5:2',
      ]);
    });

    it('takes the best neighbours of each relation and direction', async () => {
      await current().publish(...pagesLinkedFrom('hub.md', 5), ...BOTH);
      expect(await reached({ seeds: ['hub.md#_document'], relations, direction: 'out', fanOut: 2 })).toEqual([
        'hub.md-000.md#_document',
        'hub.md-001.md#_document',
      ]);
      expect(await reached({ seeds: ['guide.md#use'], fanOut: 1 })).toEqual([
        'guide.md#_document',
        'guide.md#setup/disk/_part-2',
        'guide.md#use/_step-1',
        'ref.md#port',
        'guide.md#setup/disk',
        PORT,
        START,
      ]);
    });

    it('takes up to two thousand neighbours of a seed', async () => {
      await current().publish(aPage('long.md', {}, { texts: someTexts(1_900) }));
      const query = { seeds: ['long.md'], relations: ['PARENT_OF'], direction: 'out' } as const;
      expect(await walk({ ...query, fanOut: 2_000 })).toMatchObject({
        isCut: false,
        nodes: { length: 1_901 },
      });
    });

    it('ends at the limit, and reports that there was more', async () => {
      await current().publish(...pagesLinkedFrom('hub.md', 5));
      const query = { seeds: ['hub.md#_document'], relations, direction: 'out' } as const;
      expect(await walk({ ...query, limit: 4 })).toMatchObject({ isCut: true, nodes: { length: 5 } });
      expect(await walk({ ...query, limit: 5 })).toMatchObject({ isCut: false, nodes: { length: 6 } });
    });

    it('has only edges between reached nodes', async () => {
      await current().publish(...BOTH);
      const { nodes, edges: all } = await walk({ seeds: ['guide.md'], maxHops: 3, limit: 4 });
      const ids = new Set(nodes.map(({ id }) => id));
      expect(all.length).toBeGreaterThan(0);
      expect(all.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([]);
    });

    it('has each edge once, even if it was found from both ends', async () => {
      await current().publish(...BOTH);
      const all = await edges({ seeds: ALL_NODES, maxHops: 3 });
      expect(new Set(all).size).toBe(all.length);
    });

    it('ignores unknown seeds', async () => {
      await current().publish(...BOTH);
      expect(await walk({ seeds: ['nothing.md', 'entity:nothing'] })).toMatchObject({
        nodes: [],
        edges: [],
        isCut: false,
      });
    });
  });

  describe('hubs', () => {
    eachHasItsOwn();

    const relations = ['MENTIONS'] as const;

    it('continues through nodes with a hundred links', async () => {
      await current().publish(...pagesThatName('PORT', 100));
      const query = { seeds: ['names-000.md'], relations, maxHops: 2 };
      expect(await reached(query)).toHaveLength(100);
    });

    it('reaches nodes with more links, and stops there', async () => {
      await current().publish(...pagesThatName('PORT', 101));
      expect(await reached({ seeds: ['names-000.md'], relations, maxHops: 3 })).toEqual(['entity:port']);
    });

    it('starts from such a node if it is a seed', async () => {
      await current().publish(...pagesThatName('PORT', 101));
      expect(await reached({ seeds: ['entity:port'], relations })).toHaveLength(101);
    });

    it('counts only links that the scope allows', async () => {
      const [hidden, ...rest] = pagesThatName('PORT', 101);
      const facts = { ...aPage('names-000.md').facts, docTag: 'hidden' };
      await current().publish(...rest, { ...(hidden ?? aPage('x.md')), facts });
      const scope = { docTags: ['docs'] };
      expect(await reached({ seeds: ['names-001.md'], relations, maxHops: 2, scope })).toHaveLength(100);
    });

    it('counts nodes, not links: a page may link to another one more than a hundred times', async () => {
      const texts = someTexts(101);
      const links = texts.map((_, section) => aLink('b.md', { section }));
      await current().publish(
        aPage('start.md', { links: [aLink('a.md')] }),
        aPage('a.md', { links }, { texts }),
        aPage('b.md'),
      );
      expect(
        await reached({
          seeds: ['start.md#_document'],
          relations: ['REFERENCES'],
          direction: 'out',
          maxHops: 2,
        }),
      ).toEqual(['a.md#_document', 'b.md#_document']);
    });

    it('counts each relation separately', async () => {
      const [page, ...targets] = pagesLinkedFrom('a.md', 120);
      const links = targets.map(({ facts }, i) => aLink(facts.path, { isSeeAlso: i % 2 === 0 }));
      await current().publish(
        aPage('start.md', { links: [aLink('a.md')] }),
        aPage(page?.facts.path ?? '', { links }),
        ...targets,
      );
      const query = { relations: ['REFERENCES', 'RELATED_TO'], direction: 'out', maxHops: 2 } as const;
      expect(await reached({ seeds: ['start.md#_document'], ...query })).toHaveLength(121);
    });
  });
}
