import type { GraphNode } from '../../../src/core/ports/graph-store.port.js';
import { aMention, aPage, aStep } from '../../support/graphs.js';
import type { GraphStoreSubject } from './graph-subject.js';
import { BOTH, PORT, START } from './linked-pages.js';
import { testedGraph } from './tested-graph.js';

/** How nodes are described. */
export function describingContract(make: () => Promise<GraphStoreSubject>): void {
  const { current, eachHasItsOwn, allShare, describeAll, describeOne, reached } = testedGraph(make);

  describe('describing', () => {
    allShare(...BOTH);

    it('finds a document by id and by path', async () => {
      const document: GraphNode = {
        id: 'guide.md#_document',
        label: 'Document',
        title: 'The guide',
        level: 0,
        tokens: 0,
        docTag: 'guide',
        repository: 'repo',
        anchor: null,
        sections: null,
        snippet: null,
      };
      expect(await describeAll(['guide.md#_document', 'guide.md'])).toEqual([document, document]);
    });

    it('finds a section with its heading, level, anchor and tokens', async () => {
      expect(await describeOne('guide.md#setup/disk')).toEqual({
        id: 'guide.md#setup/disk',
        label: 'Section',
        title: 'Disk',
        level: 3,
        tokens: expect.any(Number),
        docTag: 'guide',
        repository: 'repo',
        anchor: 'disk',
        sections: null,
        snippet: null,
      });
      expect((await describeOne('guide.md#setup/disk'))?.tokens).toBeGreaterThan(0);
    });

    it('finds every part of a long section', async () => {
      expect(await describeOne('guide.md#setup/disk/_part-2')).toMatchObject({
        label: 'Section',
        title: 'Disk',
        anchor: 'disk',
      });
    });

    it('finds a heading without text', async () => {
      expect(await describeOne('guide.md#setup')).toMatchObject({
        id: 'guide.md#setup',
        label: 'Heading',
        title: 'Setup',
        level: 2,
        tokens: 0,
        anchor: 'setup',
      });
    });

    it('finds a step', async () => {
      expect(await describeOne('guide.md#use/_step-2')).toEqual({
        id: 'guide.md#use/_step-2',
        label: 'Step',
        title: 'Start it.',
        level: null,
        tokens: 0,
        docTag: 'guide',
        repository: 'repo',
        anchor: null,
        sections: null,
        snippet: null,
      });
    });

    it('finds an entity, which has no document', async () => {
      expect(await describeOne(PORT)).toEqual({
        id: PORT,
        label: 'EnvironmentVariable',
        title: 'PORT',
        level: null,
        tokens: 0,
        docTag: null,
        repository: null,
        anchor: null,
        sections: 2,
        snippet: null,
      });
    });

    it.each(['entity:startserver', 'startserver', 'startServer', 'startServer()', '`startServer(port)`'])(
      'accepts any spelling of an entity: %s',
      async (spelling) => {
        expect(await describeOne(spelling)).toMatchObject({ id: START, sections: 2 });
      },
    );

    it('returns one node for each id, in the given order, and null for unknown ids', async () => {
      const ids = ['ref.md#port', 'nothing.md', 'guide.md#use', 'entity:nothing', 'ref.md#port', ''];
      expect((await describeAll(ids)).map((node) => node?.id ?? null)).toEqual([
        'ref.md#port',
        null,
        'guide.md#use',
        null,
        'ref.md#port',
        null,
      ]);
    });

    it.each([
      'guide.md#use/_step-3',
      'guide.md#use/_step-0',
      'guide.md#use/_step-01',
      'guide.md#setup/_step-1',
      'guide.md#_step-1',
    ])('returns null for a step that does not exist: %s', async (id) => {
      expect(await describeOne(id)).toBeNull();
    });

    it('returns the beginning of the text if requested, for nodes with text', async () => {
      const ids = ['guide.md#use', 'guide.md#setup', 'guide.md', PORT];
      const snippets = (await describeAll(ids, {}, true)).map((node) => node?.snippet);
      expect(snippets).toEqual(['Delta.', null, null, null]);
      expect((await describeAll(ids)).map((node) => node?.snippet)).toEqual([null, null, null, null]);
    });
  });

  describe('describing, with ambiguous names', () => {
    eachHasItsOwn();

    it('treats a path as the section with this id', async () => {
      await current().publish(aPage('one.md'));
      expect(await describeAll(['one.md', 'one.md#_document'])).toMatchObject([
        { id: 'one.md', label: 'Section' },
        { id: 'one.md#_document', label: 'Document' },
      ]);
    });

    it('finds a step of a document that consists of one section', async () => {
      await current().publish(aPage('one.md', { steps: [aStep('First.')] }));
      expect(await describeOne('one.md#_step-1')).toMatchObject({ label: 'Step', title: 'First.' });
    });

    it.each([
      ['my pages/a b.md', 'my%20pages/a%20b.md'],
      ['c#.md', 'c%23.md'],
      ['50%20off.md', '50%2520off.md'],
    ])('accepts the path %s plain and percent-encoded', async (plain, encoded) => {
      await current().publish(aPage(plain, {}, { texts: ['One.', 'Two.'] }));
      const id = `${encoded}#_document`;
      expect(await describeAll([plain, encoded, id])).toMatchObject([{ id }, { id }, { id }]);
    });

    it('accepts the id of a section plain and percent-encoded', async () => {
      await current().publish(aPage('a b.md', {}, { texts: ['One.', 'Two.'] }), aPage('c d.md'));
      expect(await describeAll(['a%20b.md#s2', 'a b.md#s2', 'c%20d.md', 'c d.md'])).toMatchObject([
        { id: 'a%20b.md#s2' },
        { id: 'a%20b.md#s2' },
        { id: 'c%20d.md' },
        { id: 'c%20d.md' },
      ]);
    });

    it('truncates snippets to 200 characters on one line', async () => {
      await current().publish(aPage('long.md', {}, { texts: [`One\n\n  two ${'word '.repeat(100)}`] }));
      const { snippet } = (await describeOne('long.md', {}, true)) ?? {};
      expect(snippet).toMatch(/^One two word word/);
      expect(snippet?.length).toBeLessThanOrEqual(200);
    });

    it('uses the name and the type of an entity that most sections use', async () => {
      await current().publish(
        aPage('a.md', { mentions: [aMention('kb.search', { type: 'Command' })] }),
        aPage('b.md', { mentions: [aMention('KB.Search', { type: 'Symbol' })] }),
        aPage('c.md', { mentions: [aMention('KB.Search()', { type: 'Symbol', count: 9 })] }),
        aPage('d.md', { mentions: [aMention('KB.Search', { type: 'Command' })] }),
        aPage('e.md', { mentions: [aMention('kb.search', { type: 'Command' })] }),
        aPage('f.md', { mentions: [aMention('KB.Search', { type: 'Symbol' })] }),
      );
      expect(await describeOne('`kb.search`')).toMatchObject({
        id: 'entity:kb.search',
        label: 'Command',
        title: 'KB.Search',
        sections: 6,
      });
    });

    it('counts a section once, however often it mentions an entity', async () => {
      const mentions = [aMention('PORT'), aMention('$PORT', { count: 4 }), aMention('port')];
      await current().publish(aPage('a.md', { mentions }));
      expect(await describeOne('entity:port')).toMatchObject({ sections: 1 });
    });

    it('describes every node that a walk reaches, for document paths of any length', async () => {
      const path = `${'folder/'.repeat(144)}page.md`;
      await current().publish(aPage(path, { steps: [aStep('First.')] }));
      const ids = await reached({ seeds: [path], maxHops: 2 });
      expect(ids).toHaveLength(2);
      expect(ids.filter((id) => Buffer.byteLength(id) > 1_024)).toEqual([]);
      expect((await describeAll(ids)).map((node) => node?.label)).toEqual(
        expect.arrayContaining(['Document', 'Step']),
      );
    });
  });
}
