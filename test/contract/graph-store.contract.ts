import { RELATIONS } from '../../src/core/graph-model.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { GraphNode, GraphQuery, GraphStore } from '../../src/core/ports/graph-store.port.js';
import type { PublishReport } from '../../src/core/ports/index-writer.port.js';
import type { Scope } from '../../src/core/scope.js';
import { pageOfWalk } from '../../src/graph/walk-graph.js';
import { searchTerms } from '../../src/text/search-terms.js';
import { aHeading, aLink, aMention, aPage, aStep, someTexts } from '../support/graphs.js';
import { EVERYTHING } from '../support/indexed-documents.js';

/** A graph of one adapter that a test can fill, damage and read. */
export interface GraphStoreSubject {
  /** Reads it; stays open until the subject is disposed. */
  readonly graph: GraphStore;
  /** Publishes exactly these documents as the next generation. */
  readonly publish: (...documents: readonly IndexedDocument[]) => Promise<PublishReport>;
  /** Stages documents, as a run that was killed before it published. */
  readonly stageOnly: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Publishes the documents as a new graph and opens it; closed with the subject. */
  readonly buildElsewhere: (...documents: readonly IndexedDocument[]) => Promise<{
    readonly graph: GraphStore;
    readonly report: PublishReport;
  }>;
  /** Changes its version to an unknown one. */
  readonly ageIdentity: () => void | Promise<void>;
  /** Deletes the index. */
  readonly remove: () => void | Promise<void>;
  readonly dispose: () => Promise<void>;
}

type WalkParts = Partial<Omit<GraphQuery, 'scope'>> & { readonly scope?: Partial<Scope> };

/** One hop along every relation from a node, and back. */
const aWalk = ({ scope, ...parts }: WalkParts): GraphQuery => ({
  seeds: [],
  relations: RELATIONS,
  direction: 'both',
  maxHops: 1,
  fanOut: 500,
  limit: 2_000,
  ...parts,
  scope: { ...EVERYTHING, ...scope },
});

/** A page that links to this many others, and those pages. */
function pagesLinkedFrom(path: string, count: number): IndexedDocument[] {
  const names = Array.from({ length: count }, (_, i) => `${path}-${String(i).padStart(3, '0')}.md`);
  return [aPage(path, { links: names.map((name) => aLink(name)) }), ...names.map((name) => aPage(name))];
}

/** This many pages that mention an entity. */
function pagesThatName(name: string, count: number): IndexedDocument[] {
  return Array.from({ length: count }, (_, i) =>
    aPage(`names-${String(i).padStart(3, '0')}.md`, { mentions: [aMention(name)] }),
  );
}

/** Two documents with everything that a graph can contain, linked in both directions. */
const GUIDE = aPage(
  'guide.md',
  {
    headings: [
      aHeading('guide.md#_preamble', { title: 'Guide', level: 1, anchor: 'guide', sections: [0] }),
      aHeading('guide.md#setup', { title: 'Setup', anchor: 'setup' }),
      aHeading('guide.md#setup/disk', {
        title: 'Disk',
        level: 3,
        anchor: 'disk',
        parent: 'guide.md#setup',
        sections: [1, 2],
      }),
      aHeading('guide.md#use', { title: 'Use', anchor: 'use', sections: [3] }),
    ],
    steps: [aStep('Stop it.', { section: 3 }), aStep('Start it.', { section: 3, number: 2 })],
    links: [
      aLink('ref.md', { section: 0 }),
      aLink('./ref.md', { section: 0 }),
      aLink('#use', { section: 1 }),
      aLink('ref.md#port', { section: 3 }),
      aLink('ref.md#port', { section: 1, isSeeAlso: true }),
    ],
    mentions: [
      aMention('startServer', { section: 0, count: 2 }),
      aMention('PORT', { section: 3, type: 'EnvironmentVariable' }),
      aMention('startServer()', { section: 3, isDefined: true }),
    ],
  },
  { title: 'The guide', texts: ['Alpha.', 'Beta.', 'Gamma.', 'Delta.'], docTag: 'guide' },
);
const REFERENCE = aPage(
  'ref.md',
  {
    headings: [
      aHeading('ref.md#_preamble', { title: 'Ref', level: 1, anchor: 'ref', sections: [0] }),
      aHeading('ref.md#port', { title: 'Port', anchor: 'port', sections: [1] }),
    ],
    links: [aLink('guide.md', { section: 1 })],
    mentions: [aMention('PORT', { section: 1, type: 'EnvironmentVariable', count: 3, isDefined: true })],
  },
  { title: 'The reference', texts: ['Epsilon.', 'Zeta.'], docTag: 'reference', repository: 'other' },
);
/** With ids as `sectionDocument` makes them. */
function named(document: IndexedDocument, ...ids: readonly string[]): IndexedDocument {
  const { facts } = document;
  const sections = document.sections.map((section, i) => ({ ...section, id: `${facts.path}${ids[i]}` }));
  return { ...document, sections };
}
const BOTH = [
  named(GUIDE, '#_preamble', '#setup/disk', '#setup/disk/_part-2', '#use'),
  named(REFERENCE, '#_preamble', '#port'),
];
const PORT = 'entity:port';
const START = 'entity:startserver';
/** Every node of `BOTH`. */
/** Titles and headings of these pages are entities, too; they have their own suite. */
const TITLES = new Set(
  ['guide', 'the guide', 'setup', 'disk', 'use', 'ref', 'the reference', 'page'].map(
    (title) => `entity:${searchTerms(title).join(' ')}`,
  ),
);

const ALL_NODES = [
  'guide.md#_document',
  'guide.md#_preamble',
  'guide.md#setup',
  'guide.md#setup/disk',
  'guide.md#setup/disk/_part-2',
  'guide.md#use',
  'guide.md#use/_step-1',
  'guide.md#use/_step-2',
  'ref.md#_document',
  'ref.md#_preamble',
  'ref.md#port',
  PORT,
  START,
];

/** The behaviour of every `GraphStore`, on any engine. */
export function graphStoreContract(name: string, make: () => Promise<GraphStoreSubject>): void {
  describe(`${name} is a GraphStore`, () => {
    let subject: GraphStoreSubject;
    /** Each test of the group has its own graph. */
    const eachHasItsOwn = (...documents: readonly IndexedDocument[]): void => {
      beforeEach(async () => {
        subject = await make();
        if (documents.length > 0) await subject.publish(...documents);
      });
      afterEach(() => subject.dispose());
    };
    /** The tests of the group only read. */
    const allShare = (...documents: readonly IndexedDocument[]): void => {
      beforeAll(async () => {
        subject = await make();
        await subject.publish(...documents);
      });
      afterAll(() => subject.dispose());
    };

    const describeAll = async (ids: readonly string[], scope: Partial<Scope> = {}, withSnippet = false) =>
      (await subject.graph.describe({ ...EVERYTHING, ...scope }, ids, withSnippet)).nodes;
    const describeOne = async (id: string, scope?: Partial<Scope>, withSnippet?: boolean) =>
      (await describeAll([id], scope, withSnippet))[0];
    const walk = (parts: WalkParts) => subject.graph.walk(aWalk(parts));
    /** Ids except the seeds. */
    const reached = async (parts: WalkParts): Promise<string[]> =>
      (await walk(parts)).nodes
        .filter(({ id, distance }) => distance > 0 && !TITLES.has(id))
        .map(({ id }) => id);
    const edges = async (parts: WalkParts): Promise<string[]> =>
      (await walk(parts)).edges
        .filter(({ target }) => !TITLES.has(target))
        .map(({ source, type, target, weight }) => `${source} ${type} ${target} ${weight}`);

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
        await subject.publish(aPage('one.md'));
        expect(await describeAll(['one.md', 'one.md#_document'])).toMatchObject([
          { id: 'one.md', label: 'Section' },
          { id: 'one.md#_document', label: 'Document' },
        ]);
      });

      it('finds a step of a document that is one section', async () => {
        await subject.publish(aPage('one.md', { steps: [aStep('First.')] }));
        expect(await describeOne('one.md#_step-1')).toMatchObject({ label: 'Step', title: 'First.' });
      });

      it.each([
        ['my pages/a b.md', 'my%20pages/a%20b.md'],
        ['c#.md', 'c%23.md'],
        ['50%20off.md', '50%2520off.md'],
      ])('accepts the path %s plain and percent-encoded', async (plain, encoded) => {
        await subject.publish(aPage(plain, {}, { texts: ['One.', 'Two.'] }));
        const id = `${encoded}#_document`;
        expect(await describeAll([plain, encoded, id])).toMatchObject([{ id }, { id }, { id }]);
      });

      it('accepts the id of a section plain and percent-encoded', async () => {
        await subject.publish(aPage('a b.md', {}, { texts: ['One.', 'Two.'] }), aPage('c d.md'));
        expect(await describeAll(['a%20b.md#s2', 'a b.md#s2', 'c%20d.md', 'c d.md'])).toMatchObject([
          { id: 'a%20b.md#s2' },
          { id: 'a%20b.md#s2' },
          { id: 'c%20d.md' },
          { id: 'c%20d.md' },
        ]);
      });

      it('truncates snippets to 200 characters on one line', async () => {
        await subject.publish(aPage('long.md', {}, { texts: [`One\n\n  two ${'word '.repeat(100)}`] }));
        const { snippet } = (await describeOne('long.md', {}, true)) ?? {};
        expect(snippet).toMatch(/^One two word word/);
        expect(snippet?.length).toBeLessThanOrEqual(200);
      });

      it('uses the name and the type of an entity that most sections use', async () => {
        await subject.publish(
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
        await subject.publish(aPage('a.md', { mentions }));
        expect(await describeOne('entity:port')).toMatchObject({ sections: 1 });
      });

      it('finds every node that walks lead to, with paths of any length', async () => {
        const path = `${'folder/'.repeat(144)}page.md`;
        await subject.publish(aPage(path, { steps: [aStep('First.')] }));
        const ids = await reached({ seeds: [path], maxHops: 2 });
        expect(ids).toHaveLength(2);
        expect(ids.filter((id) => Buffer.byteLength(id) > 1_024)).toEqual([]);
        expect((await describeAll(ids)).map((node) => node?.label)).toEqual(
          expect.arrayContaining(['Document', 'Step']),
        );
      });
    });

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
      ] as const)('%s %s of %s', async (relation, direction, seed, expected) => {
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

      it('weights links and mentions by their number, and structure by one', async () => {
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

      it('finds nothing for no relation', async () => {
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
        await subject.publish(aPage('a.md', { links: [aLink('b.md#gone')] }), aPage('b.md'));
        expect(await linked('a.md')).toEqual(['b.md#_document']);
      });

      it.each(['gone.md', 'https://example.com/b.md', 'mailto:b@example.com', 'javascript:void 0'])(
        'lead nowhere if no page is meant: %j',
        async (href) => {
          await subject.publish(aPage('a.md', { links: [aLink(href)] }), aPage('b.md'));
          expect(await linked('a.md')).toEqual([]);
        },
      );

      it('make no edge from a section or document to itself', async () => {
        await subject.publish(
          aPage('a.md', {
            headings: [aHeading('a.md', { anchor: 'top', sections: [0] })],
            links: [aLink('#top'), aLink('a.md#top')],
          }),
        );
        expect(await linked('a.md')).toEqual([]);
        expect(await linked('a.md#_document')).toEqual([]);
      });

      it('lead to the first part of a long section', async () => {
        await subject.publish(...BOTH, aPage('c.md', { links: [aLink('guide.md#disk')] }));
        expect(await linked('c.md')).toEqual(['guide.md#setup/disk']);
      });

      it('lead to a heading without text', async () => {
        await subject.publish(...BOTH, aPage('c.md', { links: [aLink('guide.md#setup')] }));
        expect(await linked('c.md')).toEqual(['guide.md#setup']);
      });

      it('have both relations if one is in the text and another under "See also"', async () => {
        const links = [aLink('b.md'), aLink('./b.md', { isSeeAlso: true })];
        await subject.publish(aPage('a.md', { links }), aPage('b.md'));
        expect(await edges({ seeds: ['a.md'], relations, direction: 'out' })).toEqual([
          'a.md REFERENCES b.md#_document 1',
          'a.md RELATED_TO b.md#_document 1',
        ]);
      });
    });

    describe('the order of a walk', () => {
      eachHasItsOwn();

      it('has the seeds first, in the given order, each once', async () => {
        await subject.publish(...BOTH);
        const seeds = ['ref.md#port', 'guide.md', 'nothing.md', 'guide.md#_document', 'ref.md#port'];
        const { nodes } = await walk({ seeds, relations: ['DEFINES'] });
        expect(nodes).toEqual([
          { id: 'ref.md#port', distance: 0 },
          { id: 'guide.md#_document', distance: 0 },
          { id: PORT, distance: 1 },
        ]);
      });

      it('is breadth first, by relation, outward edges first', async () => {
        await subject.publish(...BOTH);
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
        await subject.publish(a, b, c, target);
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
        await subject.publish(aPage('a.md', { mentions }));
        expect(await reached({ seeds: ['a.md'], relations: ['MENTIONS'] })).toEqual([
          'entity:mango',
          'entity:apple',
          'entity:zebra',
        ]);
      });

      it('is the same each time', async () => {
        await subject.publish(...BOTH);
        const query = { seeds: ['guide.md', START], maxHops: 3 };
        const first = JSON.stringify(await walk(query));
        expect(JSON.stringify(await walk(query))).toBe(first);
      });
    });

    describe('the limits of a walk', () => {
      eachHasItsOwn();

      const chain = Array.from({ length: 9 }, (_, i) =>
        aPage(`p${i}.md`, { links: [aLink(`p${i + 1}.md`)] }),
      );
      const relations = ['REFERENCES'] as const;

      it.each([1, 2, 7])('goes the given number of hops: %d', async (maxHops) => {
        await subject.publish(...chain);
        const { nodes } = await walk({ seeds: ['p0.md#_document'], relations, direction: 'out', maxHops });
        expect(nodes.at(-1)).toEqual({ id: `p${maxHops}.md#_document`, distance: maxHops });
        expect(nodes).toHaveLength(maxHops + 1);
      });

      it('reports the distance from the nearest seed', async () => {
        await subject.publish(...chain);
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
        await subject.publish(...pagesLinkedFrom('hub.md', 5), ...BOTH);
        expect(
          await reached({ seeds: ['hub.md#_document'], relations, direction: 'out', fanOut: 2 }),
        ).toEqual(['hub.md-000.md#_document', 'hub.md-001.md#_document']);
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
        await subject.publish(aPage('long.md', {}, { texts: someTexts(1_900) }));
        const query = { seeds: ['long.md'], relations: ['PARENT_OF'], direction: 'out' } as const;
        expect(await walk({ ...query, fanOut: 2_000 })).toMatchObject({
          isCut: false,
          nodes: { length: 1_901 },
        });
      });

      it('ends at the limit, and reports that there was more', async () => {
        await subject.publish(...pagesLinkedFrom('hub.md', 5));
        const query = { seeds: ['hub.md#_document'], relations, direction: 'out' } as const;
        expect(await walk({ ...query, limit: 4 })).toMatchObject({ isCut: true, nodes: { length: 5 } });
        expect(await walk({ ...query, limit: 5 })).toMatchObject({ isCut: false, nodes: { length: 6 } });
      });

      it('has only edges between reached nodes', async () => {
        await subject.publish(...BOTH);
        const { nodes, edges: all } = await walk({ seeds: ['guide.md'], maxHops: 3, limit: 4 });
        const ids = new Set(nodes.map(({ id }) => id));
        expect(all.length).toBeGreaterThan(0);
        expect(all.filter(({ source, target }) => !ids.has(source) || !ids.has(target))).toEqual([]);
      });

      it('has each edge once, even if it was found from both ends', async () => {
        await subject.publish(...BOTH);
        const all = await edges({ seeds: ALL_NODES, maxHops: 3 });
        expect(new Set(all).size).toBe(all.length);
      });

      it('ignores unknown seeds', async () => {
        await subject.publish(...BOTH);
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
        await subject.publish(...pagesThatName('PORT', 100));
        const query = { seeds: ['names-000.md'], relations, maxHops: 2 };
        expect(await reached(query)).toHaveLength(100);
      });

      it('reaches nodes with more links, and stops there', async () => {
        await subject.publish(...pagesThatName('PORT', 101));
        expect(await reached({ seeds: ['names-000.md'], relations, maxHops: 3 })).toEqual(['entity:port']);
      });

      it('starts from such a node if it is a seed', async () => {
        await subject.publish(...pagesThatName('PORT', 101));
        expect(await reached({ seeds: ['entity:port'], relations })).toHaveLength(101);
      });

      it('counts only links that the scope allows', async () => {
        const [hidden, ...rest] = pagesThatName('PORT', 101);
        const facts = { ...aPage('names-000.md').facts, docTag: 'hidden' };
        await subject.publish(...rest, { ...(hidden ?? aPage('x.md')), facts });
        const scope = { docTags: ['docs'] };
        expect(await reached({ seeds: ['names-001.md'], relations, maxHops: 2, scope })).toHaveLength(100);
      });

      it('counts nodes, not links: a page may link to another one more than a hundred times', async () => {
        const texts = someTexts(101);
        const links = texts.map((_, section) => aLink('b.md', { section }));
        await subject.publish(
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
        await subject.publish(
          aPage('start.md', { links: [aLink('a.md')] }),
          aPage(page?.facts.path ?? '', { links }),
          ...targets,
        );
        const query = { relations: ['REFERENCES', 'RELATED_TO'], direction: 'out', maxHops: 2 } as const;
        expect(await reached({ seeds: ['start.md#_document'], ...query })).toHaveLength(121);
      });
    });

    describe('expanding', () => {
      allShare(...BOTH);
      const around = aWalk({ seeds: ['guide.md', 'nothing.md', 'startServer'], maxHops: 2 });
      const page = { offset: 3, size: 4, withSnippet: true };

      it('returns the page of the walk from the same seeds', async () => {
        const { listed, edges: shown, total, isCut } = await subject.graph.expand(around, page);
        const whole = await subject.graph.walk(around);
        expect({ listed, edges: shown, total }).toEqual(pageOfWalk(whole, page));
        expect([listed.length, isCut]).toEqual([4, whole.isCut]);
      });

      it('describes these nodes, the ends of their edges, and the seeds', async () => {
        const { seeds, listed, edges: shown, nodes } = await subject.graph.expand(around, page);
        const ends = shown.flatMap(({ source, target }) => [source, target]);
        const ids = [...new Set([...listed.map(({ id }) => id), ...ends])].sort();
        const inOrder = [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1));
        expect(inOrder).toEqual(await describeAll(ids, {}, true));
        expect(seeds).toEqual(await describeAll(around.seeds, {}, true));
      });

      it('describes every kind of node like describe', async () => {
        const all = aWalk({ seeds: ['guide.md'], maxHops: 7 });
        const { nodes } = await subject.graph.expand(all, { offset: 0, size: 500, withSnippet: false });
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

      it('expands to nothing outside, and counts only nodes inside', async () => {
        const query = aWalk({ seeds: ['guide.md', 'ref.md'], maxHops: 7, scope: GUIDES });
        const found = await subject.graph.expand(query, { offset: 0, size: 500, withSnippet: true });
        expect(JSON.stringify(found)).not.toContain('ref.md');
        const port = (await describeAll([PORT], GUIDES))[0];
        expect([found.seeds[1], found.nodes.find(({ id }) => id === PORT)]).toEqual([null, port]);
      });

      it('does not start from nodes outside', async () => {
        expect(await walk({ seeds: ['ref.md', 'ref.md#port'], scope: GUIDES })).toMatchObject({ nodes: [] });
      });

      it('does not pass through nodes outside', async () => {
        const hidden = { docTag: 'hidden' };
        await subject.publish(
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
        await subject.publish(
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
        await subject.publish(
          aPage('port', {}, { docTag: 'hidden' }),
          aPage('a.md', { mentions: [aMention('port')] }),
        );
        expect(await describeOne('port', { docTags: ['docs'] })).toMatchObject({ id: PORT });
      });

      it('does not reveal that a walk would continue into hidden nodes', async () => {
        const hidden = pagesLinkedFrom('hub.md', 5).map((page) =>
          page.facts.path === 'hub.md' ? page : { ...page, facts: { ...page.facts, docTag: 'hidden' } },
        );
        await subject.publish(...hidden);
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
        const other = await subject.buildElsewhere(...documents);
        expect(await wholeOf(subject.graph, documents)).toEqual(await wholeOf(other.graph, documents));
        expect(report.graph).toEqual(other.report.graph);
      };
      const [guide, reference] = BOTH as [IndexedDocument, IndexedDocument];

      it('does not show staged documents', async () => {
        await subject.publish(guide);
        const before = await wholeOf(subject.graph, [guide]);
        await subject.stageOnly(reference, aPage('new.md', { mentions: [aMention('PORT')] }));
        expect(await wholeOf(subject.graph, [guide])).toEqual(before);
        expect(await describeOne('ref.md')).toBeNull();
      });

      it('names the generation in every answer, a new one after each publish', async () => {
        const { generation } = await subject.publish(guide);
        expect(await subject.graph.describe(EVERYTHING, [], false)).toEqual({ generation, nodes: [] });
        expect(await walk({ seeds: [] })).toMatchObject({ generation });
        const next = await subject.publish(guide, reference);
        expect(next.generation).not.toBe(generation);
        expect(await walk({ seeds: [] })).toMatchObject({ generation: next.generation });
      });

      it('keeps generation and graph if nothing has changed', async () => {
        const first = await subject.publish(...BOTH);
        expect(await subject.publish(...BOTH)).toEqual({ ...first });
      });

      it('is the same after adding a document as after a build from scratch', async () => {
        await subject.publish(guide);
        expect(await reached({ seeds: ['guide.md'], relations: ['REFERENCES'], direction: 'out' })).toEqual(
          [],
        );
        await expectSameAsFromNothing(await subject.publish(...BOTH), ...BOTH);
        expect(
          await reached({ seeds: ['guide.md#use'], relations: ['REFERENCES'], direction: 'out' }),
        ).toEqual(['ref.md#port']);
      });

      it('is the same after removing a document as after a build from scratch', async () => {
        await subject.publish(...BOTH);
        await expectSameAsFromNothing(await subject.publish(guide), guide);
        expect(await describeOne('ref.md#port')).toBeNull();
        expect(await describeOne(PORT)).toMatchObject({ sections: 1 });
      });

      it('forgets an entity with the last section that mentions it', async () => {
        await subject.publish(...BOTH);
        await expectSameAsFromNothing(await subject.publish(reference), reference);
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
        await subject.publish(...BOTH);
        const documents = [guide, named(changed, '#_preamble', '#other')];
        await expectSameAsFromNothing(await subject.publish(...documents), ...documents);
      });

      it('leads a link to the heading once it exists, and to the page again when it is removed', async () => {
        const from = aPage('a.md', { links: [aLink('b.md#later')] });
        const without = aPage('b.md');
        const heading = aHeading('b.md', { anchor: 'later', sections: [0] });
        const withIt = aPage('b.md', { headings: [heading] });
        const target = () => reached({ seeds: ['a.md'], relations: ['REFERENCES'], direction: 'out' });
        await subject.publish(from, without);
        expect(await target()).toEqual(['b.md#_document']);
        await expectSameAsFromNothing(await subject.publish(from, withIt), from, withIt);
        expect(await target()).toEqual(['b.md']);
        await expectSameAsFromNothing(await subject.publish(from, without), from, without);
        expect(await target()).toEqual(['b.md#_document']);
      });

      it('is the same for any order of documents', async () => {
        const third = aPage('third.md', {
          links: [aLink('guide.md'), aLink('ref.md')],
          mentions: [aMention('PORT')],
        });
        await subject.publish(third);
        await subject.publish(third, reference);
        const report = await subject.publish(guide, third, reference);
        await expectSameAsFromNothing(report, guide, reference, third);
      });

      it('includes documents that a killed run had staged', async () => {
        await subject.publish(guide);
        await subject.stageOnly(reference);
        await expectSameAsFromNothing(await subject.publish(...BOTH), ...BOTH);
      });
    });

    describe('the report of a publish', () => {
      eachHasItsOwn();

      it('counts nodes by label', async () => {
        const { graph } = await subject.publish(...BOTH);
        expect(graph.nodes).toMatchObject({ Document: 2, Section: 6, Heading: 1, Step: 2 });
      });

      it('counts the edges of every relation', async () => {
        const { graph } = await subject.publish(...BOTH);
        const outward = await Promise.all(ALL_NODES.map((id) => walk({ seeds: [id], direction: 'out' })));
        const types = outward.flatMap((each) => each.edges.map(({ type }) => type));
        const counts = RELATIONS.map((relation) => [
          relation,
          types.filter((type) => type === relation).length,
        ]);
        expect(graph.edges).toEqual(Object.fromEntries(counts));
      });

      it('counts new mentions and entities', async () => {
        const { graph: before } = await subject.publish(aPage('a.md'), aPage('b.md'));
        const mentions = [aMention('firstThing'), aMention('secondThing')];
        const { graph: after } = await subject.publish(
          aPage('a.md', { mentions }),
          aPage('b.md', { mentions }),
        );
        const more = (key: 'Entity', of: typeof after) => of.nodes[key] ?? 0;
        expect(more('Entity', after) - more('Entity', before)).toBe(2);
        expect((after.edges['MENTIONS'] ?? 0) - (before.edges['MENTIONS'] ?? 0)).toBe(4);
      });

      it('names links to missing pages and headings', async () => {
        const links = [aLink('gone.md'), aLink('b.md#gone'), aLink('https://example.com/x'), aLink('b.md')];
        const { graph } = await subject.publish(aPage('a.md', { links }), aPage('b.md'));
        expect(graph).toMatchObject({ unresolved: 2, examples: ['a.md: b.md#gone', 'a.md: gone.md'] });
      });

      it('does not name links to the title of a page, even if no section starts with it', async () => {
        const links = [aLink('b.md#all-about-it'), aLink('b.md#All_About_It'), aLink('b.md#about-it')];
        const page = aPage('b.md', {}, { title: 'All about it', texts: ['One.', 'Two.'] });
        const { graph } = await subject.publish(aPage('a.md', { links }), page);
        expect(graph).toMatchObject({ unresolved: 1, examples: ['a.md: b.md#about-it'] });
      });

      it('names at most twenty of them', async () => {
        const links = Array.from({ length: 30 }, (_, i) => aLink(`gone-${String(i).padStart(2, '0')}.md`));
        const { graph } = await subject.publish(aPage('a.md', { links }));
        expect(graph.unresolved).toBe(30);
        expect(graph.examples).toEqual(links.slice(0, 20).map(({ href }) => `a.md: ${href}`));
      });

      it('does not name links that a later document resolves', async () => {
        const from = aPage('a.md', { links: [aLink('b.md')] });
        expect((await subject.publish(from)).graph.unresolved).toBe(1);
        expect((await subject.publish(from, aPage('b.md'))).graph).toMatchObject({
          unresolved: 0,
          examples: [],
        });
      });
    });

    describe('the state of the index', () => {
      eachHasItsOwn();

      it('is index_missing if there is none', async () => {
        const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_missing' };
        await expect(describeOne('a.md')).rejects.toMatchObject(expected);
        await expect(walk({ seeds: ['a.md'] })).rejects.toMatchObject(expected);
      });

      it('is index_missing after the index was deleted, and normal when it is back', async () => {
        await subject.publish(aPage('a.md'));
        await describeOne('a.md');
        await subject.remove();
        await expect(describeOne('a.md')).rejects.toMatchObject({ reason: 'index_missing' });
        await subject.publish(aPage('a.md'));
        expect(await describeOne('a.md')).toMatchObject({ id: 'a.md' });
      });

      it('is index_incompatible if another version built it', async () => {
        await subject.publish(aPage('a.md'));
        await subject.ageIdentity();
        await expect(walk({ seeds: ['a.md'] })).rejects.toMatchObject({ reason: 'index_incompatible' });
      });

      it.each([{ projectId: 'another' }, { environment: 'dev' }])(
        'is index_incompatible for another project or environment: %j',
        async (scope) => {
          await subject.publish(aPage('a.md'));
          const expected = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible' };
          await expect(describeOne('a.md', scope)).rejects.toMatchObject(expected);
          await expect(walk({ seeds: ['a.md'], scope })).rejects.toMatchObject(expected);
        },
      );

      it('finishes running calls before it closes', async () => {
        await subject.publish(aPage('a.md'));
        const underWay = [describeOne('a.md'), describeOne('a.md')];
        await subject.graph.close();
        expect((await Promise.all(underWay)).map((node) => node?.id)).toEqual(['a.md', 'a.md']);
      });
    });
  });
}
