import { RELATIONS } from '../../../src/core/graph-model.js';
import { aHeading, aLink, aPage } from '../../support/graphs.js';
import type { GraphStoreSubject } from './graph-subject.js';
import { ALL_NODES, BOTH, PORT, START } from './linked-pages.js';
import { testedGraph } from './tested-graph.js';

/** Which relations lead where. */
export function relationsContract(make: () => Promise<GraphStoreSubject>): void {
  const { current, eachHasItsOwn, allShare, walk, reached, edges } = testedGraph(make);

  describe('walking one relation', () => {
    allShare(...BOTH);

    it.each([
      [
        'HAS_CHUNK',
        'out',
        'guide.md',
        [
          'guide.md#_preamble',
          'guide.md#setup',
          'guide.md#setup/disk',
          'guide.md#setup/disk/_part-2',
          'guide.md#use',
        ],
      ],
      ['HAS_CHUNK', 'in', 'guide.md#setup', ['guide.md#_document']],
      ['NEXT_CHUNK', 'out', 'guide.md#setup/disk', ['guide.md#setup/disk/_part-2']],
      ['NEXT_CHUNK', 'in', 'guide.md#setup/disk', ['guide.md#_preamble']],
      ['NEXT_CHUNK', 'both', 'guide.md#setup', []],
      ['NEXT_CHUNK', 'out', 'guide.md#use', []],
      ['PARENT_OF', 'out', 'guide.md', ['guide.md#_preamble', 'guide.md#setup', 'guide.md#use']],
      ['PARENT_OF', 'out', 'guide.md#setup', ['guide.md#setup/disk', 'guide.md#setup/disk/_part-2']],
      ['PARENT_OF', 'in', 'guide.md#setup/disk', ['guide.md#setup']],
      ['PARENT_OF', 'in', 'guide.md#setup', ['guide.md#_document']],
      ['CONTAINS_STEP', 'out', 'guide.md#use', ['guide.md#use/_step-1', 'guide.md#use/_step-2']],
      ['CONTAINS_STEP', 'in', 'guide.md#use/_step-2', ['guide.md#use']],
      ['REFERENCES', 'out', 'guide.md', ['ref.md#_document']],
      ['REFERENCES', 'in', 'guide.md', ['ref.md#_document', 'ref.md#port']],
      ['REFERENCES', 'out', 'guide.md#use', ['ref.md#port']],
      ['REFERENCES', 'out', 'guide.md#_preamble', ['ref.md#_document']],
      ['REFERENCES', 'in', 'guide.md#use', ['guide.md#setup/disk']],
      ['REFERENCES', 'in', 'ref.md#port', ['guide.md#use']],
      ['RELATED_TO', 'out', 'guide.md#setup/disk', ['ref.md#port']],
      ['RELATED_TO', 'in', 'ref.md#port', ['guide.md#setup/disk']],
      ['RELATED_TO', 'out', 'guide.md', ['ref.md#_document']],
      ['MENTIONS', 'out', 'guide.md#use', [PORT, START]],
      ['MENTIONS', 'in', START, ['guide.md#_preamble', 'guide.md#use']],
      ['DEFINES', 'out', 'guide.md#use', [START]],
      ['DEFINES', 'in', PORT, ['ref.md#port']],
    ] as const)('follows %s, direction %s, from %s', async (relation, direction, seed, expected) => {
      expect(await reached({ seeds: [seed], relations: [relation], direction })).toEqual(expected);
    });

    it('gives the same edges from both ends, for each relation', async () => {
      const seen = async (direction: 'in' | 'out') =>
        (await Promise.all(ALL_NODES.map((id) => edges({ seeds: [id], direction })))).flat().sort();
      const outward = await seen('out');
      expect(await seen('in')).toEqual(outward);
      expect(new Set(outward).size).toBe(outward.length);
      expect(new Set(outward.map((edge) => edge.split(' ')[1]))).toEqual(new Set(RELATIONS));
    });

    it('weights link and mention edges by their count, and structural edges by 1', async () => {
      expect(await edges({ seeds: ['guide.md#_preamble'], direction: 'out' })).toEqual([
        'guide.md#_preamble NEXT_CHUNK guide.md#setup/disk 1',
        'guide.md#_preamble REFERENCES ref.md#_document 2',
        'guide.md#_preamble MENTIONS entity:startserver 2',
      ]);
    });

    it('merges all links with the same relation between two documents into one edge', async () => {
      const relations = ['REFERENCES', 'RELATED_TO'] as const;
      expect(await edges({ seeds: ['guide.md'], relations, direction: 'out' })).toEqual([
        'guide.md#_document REFERENCES ref.md#_document 3',
        'guide.md#_document RELATED_TO ref.md#_document 1',
      ]);
    });

    it('finds no neighbours for an empty list of relations', async () => {
      expect(await walk({ seeds: ['guide.md'], relations: [] })).toMatchObject({
        nodes: [{ id: 'guide.md#_document', distance: 0 }],
        edges: [],
        isCut: false,
      });
    });
  });

  describe('links', () => {
    eachHasItsOwn();

    const relations = ['REFERENCES', 'RELATED_TO'] as const;
    const linked = (seed: string) => reached({ seeds: [seed], relations, direction: 'out' });

    it('lead to the document if its heading does not exist', async () => {
      await current().publish(aPage('a.md', { links: [aLink('b.md#gone')] }), aPage('b.md'));
      expect(await linked('a.md')).toEqual(['b.md#_document']);
    });

    it.each(['gone.md', 'https://example.com/b.md', 'mailto:b@example.com', 'javascript:void 0'])(
      'make no edge if they do not point to an indexed page: %j',
      async (href) => {
        await current().publish(aPage('a.md', { links: [aLink(href)] }), aPage('b.md'));
        expect(await linked('a.md')).toEqual([]);
      },
    );

    it('make no edge from a section or document to itself', async () => {
      await current().publish(
        aPage('a.md', {
          headings: [aHeading('a.md', { anchor: 'top', sections: [0] })],
          links: [aLink('#top'), aLink('a.md#top')],
        }),
      );
      expect(await linked('a.md')).toEqual([]);
      expect(await linked('a.md#_document')).toEqual([]);
    });

    it('lead to the first part of a long section', async () => {
      await current().publish(...BOTH, aPage('c.md', { links: [aLink('guide.md#disk')] }));
      expect(await linked('c.md')).toEqual(['guide.md#setup/disk']);
    });

    it('lead to a heading without text', async () => {
      await current().publish(...BOTH, aPage('c.md', { links: [aLink('guide.md#setup')] }));
      expect(await linked('c.md')).toEqual(['guide.md#setup']);
    });

    it('make edges of both relations if one link is in the text and another under "See also"', async () => {
      const links = [aLink('b.md'), aLink('./b.md', { isSeeAlso: true })];
      await current().publish(aPage('a.md', { links }), aPage('b.md'));
      expect(await edges({ seeds: ['a.md'], relations, direction: 'out' })).toEqual([
        'a.md REFERENCES b.md#_document 1',
        'a.md RELATED_TO b.md#_document 1',
      ]);
    });
  });
}
