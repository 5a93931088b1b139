import { pageOfWalk } from '../../../src/graph/walk-graph.js';
import { aLink, aMention, aPage } from '../../support/graphs.js';
import type { GraphStoreSubject } from './graph-subject.js';
import { ALL_NODES, BOTH, pagesLinkedFrom, PORT, START } from './linked-pages.js';
import { aWalk, testedGraph } from './tested-graph.js';

/** Pages of walks, and what a scope hides. */
export function scopeContract(make: () => Promise<GraphStoreSubject>): void {
  const { current, eachHasItsOwn, allShare, describeAll, describeOne, walk, reached, edges } =
    testedGraph(make);

  describe('expanding', () => {
    allShare(...BOTH);
    const around = aWalk({ seeds: ['guide.md', 'nothing.md', 'startServer'], maxHops: 2 });
    const page = { offset: 3, size: 4, withSnippet: true };

    it('returns the requested page of the walk from the same seeds', async () => {
      const { listed, edges: shown, total, isCut } = await current().graph.expand(around, page);
      const whole = await current().graph.walk(around);
      expect({ listed, edges: shown, total }).toEqual(pageOfWalk(whole, page));
      expect([listed.length, isCut]).toEqual([4, whole.isCut]);
    });

    it('describes the listed nodes, the ends of their edges, and the seeds', async () => {
      const { seeds, listed, edges: shown, nodes } = await current().graph.expand(around, page);
      const ends = shown.flatMap(({ source, target }) => [source, target]);
      const ids = [...new Set([...listed.map(({ id }) => id), ...ends])].sort();
      const inOrder = [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(inOrder).toEqual(await describeAll(ids, {}, true));
      expect(seeds).toEqual(await describeAll(around.seeds, {}, true));
    });

    it('describes every kind of node like describe', async () => {
      const all = aWalk({ seeds: ['guide.md'], maxHops: 7 });
      const { nodes } = await current().graph.expand(all, { offset: 0, size: 500, withSnippet: false });
      expect([...nodes]).toEqual(await describeAll(nodes.map(({ id }) => id)));
      expect(nodes.map(({ id }) => id)).toEqual(expect.arrayContaining(ALL_NODES));
    });
  });

  describe('scope', () => {
    const GUIDES = { docTags: ['guide'] };
    const visible = ALL_NODES.filter((id) => !id.startsWith('ref.md'));

    eachHasItsOwn(...BOTH);

    it.each([
      ['doc tag', GUIDES],
      ['repository', { repositories: ['repo'] }],
      ['both', { ...GUIDES, repositories: ['repo', 'other'] }],
    ])('describes nothing of another %s', async (_, scope) => {
      const nodes = await describeAll([...ALL_NODES, 'ref.md'], scope);
      expect(nodes.flatMap((node) => node?.id ?? [])).toEqual(visible);
    });

    it('reaches nothing outside, from any node', async () => {
      const ids = await reached({ seeds: ALL_NODES, maxHops: 7, scope: GUIDES });
      expect(ids.filter((id) => !visible.includes(id))).toEqual([]);
      const all = await edges({ seeds: ALL_NODES, maxHops: 7, scope: GUIDES });
      expect(all.filter((edge) => edge.includes('ref.md'))).toEqual([]);
    });

    it('does not expand to nodes outside, and counts only nodes inside', async () => {
      const query = aWalk({ seeds: ['guide.md', 'ref.md'], maxHops: 7, scope: GUIDES });
      const found = await current().graph.expand(query, { offset: 0, size: 500, withSnippet: true });
      expect(JSON.stringify(found)).not.toContain('ref.md');
      const port = (await describeAll([PORT], GUIDES))[0];
      expect([found.seeds[1], found.nodes.find(({ id }) => id === PORT)]).toEqual([null, port]);
    });

    it('does not start from nodes outside', async () => {
      expect(await walk({ seeds: ['ref.md', 'ref.md#port'], scope: GUIDES })).toMatchObject({ nodes: [] });
    });

    it('does not pass through nodes outside', async () => {
      const hidden = { docTag: 'hidden' };
      await current().publish(
        aPage('a.md', { links: [aLink('between.md')] }),
        aPage('between.md', { links: [aLink('b.md')] }, hidden),
        aPage('b.md'),
      );
      const query = { seeds: ['a.md#_document'], relations: ['REFERENCES'], maxHops: 7 } as const;
      expect(await reached(query)).toContain('b.md#_document');
      expect(await reached({ ...query, scope: { docTags: ['docs'] } })).toEqual([]);
    });

    it('shows an entity only through sections inside, and counts only those', async () => {
      expect(await describeOne(PORT, GUIDES)).toMatchObject({ sections: 1 });
      expect(await describeOne(START, { docTags: ['reference'] })).toBeNull();
      expect(await describeOne('startServer', { docTags: ['reference'] })).toBeNull();
      expect(await reached({ seeds: [START], scope: { docTags: ['reference'] } })).toEqual([]);
    });

    it('uses no name and no type of an entity that only sections outside use', async () => {
      const mention = (name: string) => ({ mentions: [aMention(name, { type: 'Command' })] });
      await current().publish(
        aPage('a.md', { mentions: [aMention('secretName')] }),
        aPage('b.md', mention('SECRET_NAME'), { docTag: 'hidden' }),
        aPage('c.md', mention('SecretName'), { docTag: 'hidden' }),
        aPage('d.md', mention('SecretName'), { docTag: 'hidden' }),
      );
      expect(await describeOne('SecretName', { docTags: ['docs'] })).toMatchObject({
        title: 'secretName',
        label: 'Symbol',
        sections: 1,
      });
      expect(await describeOne('SECRET_NAME', { docTags: ['docs'] })).toBeNull();
    });

    it('finds a visible entity that has the same name as a hidden document', async () => {
      await current().publish(
        aPage('port', {}, { docTag: 'hidden' }),
        aPage('a.md', { mentions: [aMention('port')] }),
      );
      expect(await describeOne('port', { docTags: ['docs'] })).toMatchObject({ id: PORT });
    });

    it('does not reveal that a walk would continue into hidden nodes', async () => {
      const hidden = pagesLinkedFrom('hub.md', 5).map((page) =>
        page.facts.path === 'hub.md' ? page : { ...page, facts: { ...page.facts, docTag: 'hidden' } },
      );
      await current().publish(...hidden);
      const scope = { docTags: ['docs'] };
      const { isCut, nodes } = await walk({
        seeds: ['hub.md#_document'],
        relations: ['REFERENCES'],
        limit: 1,
        scope,
      });
      expect([isCut, nodes.length]).toEqual([false, 1]);
    });

    it.each([{ docTags: [] }, { repositories: [] }, { repositories: ['none'] }])(
      'finds nothing if nothing is allowed: %j',
      async (scope) => {
        expect(await describeAll(ALL_NODES, scope)).toEqual(ALL_NODES.map(() => null));
        expect(await walk({ seeds: ALL_NODES, scope })).toMatchObject({ nodes: [], edges: [] });
      },
    );
  });
}
