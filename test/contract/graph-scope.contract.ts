import fc from 'fast-check';
import type { Call } from '../../src/core/call.js';
import { RELATIONS } from '../../src/core/graph-model.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { GraphStore } from '../../src/core/ports/graph-store.port.js';
import { type Scope, scopeAllows } from '../../src/core/scope.js';
import type { GraphAnswersService } from '../../src/graph/graph-answers.service.js';
import {
  renderChildren,
  renderEntities,
  renderNeighbours,
  renderNodes,
  renderParents,
  renderPaths,
  renderSections,
} from '../../src/graph/render-graph.js';
import { indexDocument } from '../../src/ingest/index-document.js';
import { PassageNaming } from '../../src/scratch/passages.service.js';
import { aCall, SECRET } from '../support/builders.js';
import { graphAnswers } from '../support/graphs.js';
import { EVERYTHING } from '../support/indexed-documents.js';

/** Another seed gives another hundred corpora. */
const SEED = 20_260_101;
const TITLES = [
  'Kestrel valve',
  'Harbour lock',
  'Granite pump',
  'Willow gate',
  'Lantern room',
  'Meadow fence',
];
const HEADINGS = ['Setup', 'Use', 'Kestrel valve', 'Limits'];
const NAMES = [
  'startServer',
  'StartServer()',
  'MAX_PUMPS',
  '--dry-run',
  'kb.search',
  'KB.Search',
  'pumps.yaml',
];
const PAGES = TITLES.map((_, i) => `p${i}.md`);

const anySlug = fc.constantFrom('', '#setup', '#use', '#kestrel-valve', '#gone');
const anyLink = fc
  .tuple(fc.constantFrom(...PAGES), anySlug)
  .map(([path, slug]) => `[link](./${path}${slug})`);
const anyCode = fc.constantFrom(...NAMES).map((name) => `\`${name}\``);
const anyPiece = fc.oneof(anyLink, anyCode, fc.constantFrom(...TITLES, 'and', 'is', '[here](#use)'));
const anyParagraph = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(anyPiece, { minLength: 1, maxLength: 5 }).map((pieces) => `So ${pieces.join(' ')}.`),
  },
  { weight: 1, arbitrary: anyLink.map((link) => `See also: ${link}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyCode, anyLink).map(([code, link]) => `1. Run ${code}.\n2. Read ${link}.`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('##', '###'), fc.constantFrom(...HEADINGS))
      .map((parts) => parts.join(' ')),
  },
);
/** The Markdown of a page; its index in the corpus determines path and title. */
const anyPage = fc.record({
  docTag: fc.constantFrom('alpha', 'beta'),
  repository: fc.constantFrom('one', 'two'),
  paragraphs: fc.array(anyParagraph, { maxLength: 8 }),
});
/**
 * At most three pages: a heading on more than three pages is not a title concept, and that is decided over all documents,
 * visible or not.
 */
const anyCorpus = fc.array(anyPage, { minLength: 2, maxLength: 3 });

const anyScope: fc.Arbitrary<Partial<Scope>> = fc.constantFrom(
  { docTags: ['alpha'] },
  { repositories: ['one'] },
  { docTags: ['alpha'], repositories: ['two'] },
  { docTags: ['alpha', 'beta'], repositories: ['two'] },
);

const anyId = fc.oneof(
  fc.constantFrom(...PAGES),
  fc
    .constantFrom(...PAGES)
    .chain((path) =>
      fc
        .constantFrom(
          '#_document',
          '#_preamble',
          '#setup',
          '#use',
          '#kestrel-valve',
          '#_step-1',
          '#use/_step-1',
        )
        .map((end) => `${path}${end}`),
    ),
  fc.constantFrom(
    ...NAMES,
    'entity:startserver',
    'entity:kb.search',
    'Kestrel valve',
    'entity:kestrel valve',
  ),
);
const someIds = fc.uniqueArray(anyId, { minLength: 1, maxLength: 4 });
const anyRelations = fc.option(fc.uniqueArray(fc.constantFrom(...RELATIONS), { minLength: 1 }), {
  nil: undefined,
});
const anyPageSize = fc.constantFrom(2, 25);

/** One call of a tool: the text and the structured result. */
type Ask = (answers: GraphAnswersService, call: Call) => Promise<readonly [unknown, string]>;

const anyExpand = fc
  .record({
    node_ids: someIds,
    rel_types: anyRelations,
    direction: fc.constantFrom('in' as const, 'out' as const, 'both' as const),
    max_hops: fc.integer({ min: 1, max: 3 }),
    include_snippet: fc.boolean(),
    page_size: anyPageSize,
  })
  .map((input): Ask => async (answers, call) => {
    const { output } = await answers.expand(call, input);
    return [output, renderNeighbours.full(output)];
  });
const anyPaths = fc
  .record({
    a_ids: someIds,
    b_ids: someIds,
    rel_types: anyRelations,
    max_hops: fc.integer({ min: 1, max: 5 }),
    max_paths: fc.constantFrom(1, 10),
  })
  .map((input): Ask => async (answers, call) => {
    const { output } = await answers.paths(call, input);
    return [output, renderPaths.full(output)];
  });
const anyDescribe = fc
  .tuple(someIds, fc.boolean())
  .map(([node_ids, include_snippet]): Ask => async (answers, call) => {
    const { output } = await answers.describe(call, { node_ids, include_snippet });
    return [output, renderNodes.full(output)];
  });
const anyParents = someIds.map((section_ids): Ask => async (answers, call) => {
  const { output } = await answers.parents(call, { section_ids });
  return [output, renderParents.full(output)];
});
const anyChildren = fc
  .tuple(anyId, anyPageSize)
  .map(([parent_id, page_size]): Ask => async (answers, call) => {
    const { output } = await answers.children(call, { parent_id, page_size });
    return [output, renderChildren.full(output)];
  });
const anyEntities = fc
  .tuple(someIds, fc.constantFrom(1, 20))
  .map(([section_ids, max_per_section]): Ask => async (answers, call) => {
    const { output } = await answers.entities(call, { section_ids, max_per_section });
    return [output, renderEntities.full(output)];
  });
const anySections = fc
  .tuple(someIds, fc.constantFrom(1, 20))
  .map(([entity_ids, max_per]): Ask => async (answers, call) => {
    const { output } = await answers.sections(call, { entity_ids, max_per });
    return [output, renderSections.full(output)];
  });
const someCalls = fc.array(
  fc.oneof(anyExpand, anyPaths, anyDescribe, anyParents, anyChildren, anyEntities, anySections),
  { minLength: 8, maxLength: 16 },
);

async function toDocument(
  { docTag, repository, paragraphs }: { docTag: string; repository: string; paragraphs: readonly string[] },
  place: number,
): Promise<IndexedDocument> {
  const front = `---\ndoc_tag: ${docTag}\nrepository: ${repository}\n---`;
  const bytes = Buffer.from([front, `# ${TITLES[place]}`, 'Opening.', ...paragraphs].join('\n\n'));
  const path = PAGES[place] ?? '';
  const file = { kind: 'file', path, absolute: `/docs/${path}`, bytes: bytes.length, mtimeMs: 0 } as const;
  const rules = { docTag: undefined, repository, metadata: {}, declaredKeys: [] };
  return indexDocument({ file, bytes, rules, hash: String(place) });
}

/** Indexes documents from scratch, while `use` reads them. */
export type WithGraphOf = <T>(
  documents: readonly IndexedDocument[],
  use: (graph: GraphStore) => Promise<T>,
) => Promise<T>;

/** Cursors are bound to the index that made them. */
const withoutCursors = (replies: unknown): string =>
  JSON.stringify(replies, null, 1)
    .replace(/"next_cursor": "[\w-]+"/g, '"next_cursor": "CURSOR"')
    .replace(/More: cursor [\w-]+/g, 'More: cursor CURSOR');

/** Tools answer only from visible documents, on every graph. @param runs  number of corpora */
export function graphScopeContract(name: string, withGraphOf: WithGraphOf, runs: number): void {
  const answering = <T>(
    documents: readonly IndexedDocument[],
    work: (answers: GraphAnswersService) => Promise<T>,
  ): Promise<T> =>
    withGraphOf(documents, (graph) => work(graphAnswers(graph, new PassageNaming(SECRET, 'wekadocs'))));

  const repliesOf = (
    documents: readonly IndexedDocument[],
    scope: Partial<Scope>,
    calls: readonly Ask[],
  ): Promise<string> =>
    answering(documents, async (answers) => {
      const replies: unknown[] = [];
      for (const ask of calls)
        replies.push(await ask(answers, aCall({ scope: { ...EVERYTHING, ...scope } })));
      return withoutCursors(replies);
    });

  describe(`the graph tools within a scope, on ${name},`, () => {
    it('answer like an index that contains nothing else', async () => {
      await fc.assert(
        fc.asyncProperty(anyCorpus, anyScope, someCalls, async (pages, scope, calls) => {
          const documents = await Promise.all(pages.map(toDocument));
          const visible = documents.filter(({ facts }) => scopeAllows({ ...EVERYTHING, ...scope }, facts));
          expect(await repliesOf(documents, scope, calls)).toBe(await repliesOf(visible, scope, calls));
        }),
        { numRuns: runs, seed: SEED },
      );
    });

    it('answer the same without a scope as with one that allows everything', async () => {
      await fc.assert(
        fc.asyncProperty(anyCorpus, someCalls, async (pages, calls) => {
          const documents = await Promise.all(pages.map(toDocument));
          const all = { docTags: ['alpha', 'beta'], repositories: ['one', 'two'] };
          expect(await repliesOf(documents, all, calls)).toBe(await repliesOf(documents, {}, calls));
        }),
        { numRuns: Math.ceil(runs / 4), seed: SEED },
      );
    });

    it('know every kind of node id that this test calls them with', async () => {
      const paragraphs = ['So `startServer` [link](./p1.md).', '## Use', '1. Run `startServer`.\n2. Read.'];
      const documents = await Promise.all(
        ['alpha', 'beta'].map((docTag, i) => toDocument({ docTag, repository: 'one', paragraphs }, i)),
      );
      const ids = ['p0.md', 'p1.md#use', 'p1.md#use/_step-1', 'startServer', 'p0.md#_preamble'];
      const replies = await answering(documents, (answers) =>
        answers.describe(aCall({ scope: EVERYTHING }), { node_ids: ids, include_snippet: false }),
      );
      expect(replies.output.nodes.map(({ label }) => label)).toMatchObject([
        'Document',
        'Section',
        'Step',
        expect.any(String),
        'Section',
      ]);
    });
  });
}
