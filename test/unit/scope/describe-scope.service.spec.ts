import { noteSources } from '../../../src/config/index-sources.js';
import { BackendsConfig } from '../../../src/config/settings/backends.config.js';
import { IndexConfig } from '../../../src/config/settings/index.config.js';
import type { ScopeDescription } from '../../../src/scope/describe-scope.schemas.js';
import { DescribeScopeService } from '../../../src/scope/describe-scope.service.js';
import { anIndex, type TestIndex } from '../../support/an-index.js';
import { aCall } from '../../support/builders.js';
import { testFolder } from '../../support/test-folder.js';

const SCOPE = { projectId: 'docs', environment: 'prod' };
let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex({
    'guides/disk.md': '# Disks\n\nA disk.\n\n## Mount\n\nMount it.\n',
    'secret/plan.md': '---\nrepository: vault\n---\nThe plan.\n',
  });
});
const notes = testFolder();
afterAll(() => {
  docs.remove();
  notes.remove();
});

const service = (backends: Partial<BackendsConfig> = {}) =>
  new DescribeScopeService(
    docs.index,
    { secret: 's'.repeat(32), isLasting: true },
    Object.assign(new BackendsConfig(), backends),
    Object.assign(new IndexConfig(), { file: notes.file('i.sqlite') }),
  );
const describeScope = async (scope = {}, backends = {}) =>
  (await service(backends).describe(aCall({ scope: { ...SCOPE, ...scope } }))).output;

describe('list', () => {
  it('ends with a page without documents, also if more were counted', async () => {
    const { call, first } = { call: aCall({ scope: { ...SCOPE } }), first: { count: 1, cursor: null } };
    const { next_cursor } = (await service().list(call, first)).output;
    jest.spyOn(docs.index, 'documents').mockResolvedValueOnce({ generation: 'g', documents: [] });
    const { output } = await service().list(call, { count: 1, cursor: next_cursor ?? null });
    expect(output).toMatchObject({ listed: [], next_cursor: null, partial: false });
  });
});

describe('describe', () => {
  it('lists the sources of visible repositories, with the time when each was last read', async () => {
    const at = '2026-03-01T12:00:00.000Z';
    noteSources(notes.file('i.sqlite'), [
      { name: 'guides', repository: 'docs', checked_at: at, problem: null },
      { name: 'plans', repository: 'vault', checked_at: at, problem: 'no route to host' },
      { name: 'other', repository: 'elsewhere', checked_at: null, problem: null },
    ]);
    const guides = { name: 'guides', checked_at: at };
    const plans = { name: 'plans', checked_at: at, failing: true };
    expect((await describeScope()).sources).toEqual([guides, plans]);
    expect((await describeScope({ repositories: ['docs'] })).sources).toEqual([guides]);
    expect(noteSources(notes.file('i.sqlite'), [])).toEqual(['guides', 'plans', 'other']);
    expect((await describeScope()).sources).toBeUndefined();
  });

  it('counts visible documents and sections, most sections first', async () => {
    expect(await describeScope()).toEqual({
      project_id: 'docs',
      environment: 'prod',
      doc_tags: [
        { name: 'guides', documents: 1, sections: 2 },
        { name: 'secret', documents: 1, sections: 1 },
      ],
      repositories: [
        { name: 'docs', documents: 1, sections: 2 },
        { name: 'vault', documents: 1, sections: 1 },
      ],
      documents: 2,
      sections: 3,
      indexed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      index_bytes: docs.bytes(),
      engines: ['sqlite'],
      partial: false,
      limit_reason: 'none',
    });
  });

  it('omits the index size for a caller with a limited scope', async () => {
    const caller = { scopeLimit: { doc_tags: ['guides'] } };
    const { output } = await service().describe(aCall({ scope: { ...SCOPE, docTags: ['guides'] }, caller }));
    expect(output).toMatchObject({ documents: 1, index_bytes: 0 });
  });

  it.each<[Partial<BackendsConfig>, string[]]>([
    [{ sections: 'sqlite', graph: 'sqlite' }, ['sqlite']],
    [{ sections: 'sqlite', graph: 'none' }, ['sqlite']],
    [{ sections: 'sqlite', graph: 'neo4j' }, ['sqlite', 'neo4j']],
    [{ sections: 'qdrant', graph: 'sqlite' }, ['qdrant', 'sqlite']],
    [{ sections: 'qdrant', graph: 'none' }, ['qdrant']],
    [{ sections: 'qdrant', graph: 'neo4j' }, ['qdrant', 'neo4j']],
  ])('names the engines of %j', async (backends, engines) => {
    expect((await describeScope({}, backends)).engines).toEqual(engines);
  });

  it.each([{ docTags: ['guides'] }, { repositories: ['docs'] }])(
    'neither counts nor names anything outside %j',
    async (scope) => {
      expect(await describeScope(scope)).toMatchObject({
        doc_tags: [{ name: 'guides' }],
        repositories: [{ name: 'docs' }],
        documents: 1,
        sections: 2,
      });
    },
  );
});

describe('list', () => {
  const list = async (count: number, cursor: string | null = null, scope = {}) =>
    (await service().list(aCall({ scope: { ...SCOPE, ...scope } }), { count, cursor })).output;

  it('pages through all documents by path instead of listing tags', async () => {
    const pages: ScopeDescription[] = [await list(1)];
    for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor)
      pages.push(await list(1, next));
    expect(pages).toMatchObject([
      {
        documents: 2,
        doc_tags: [],
        repositories: [],
        listed: [{ path: 'guides/disk.md', title: 'Disks', doc_tag: 'guides' }],
        partial: true,
        limit_reason: 'page_size',
      },
      {
        listed: [{ path: 'secret/plan.md', title: 'Plan', doc_tag: 'secret' }],
        next_cursor: null,
        partial: false,
        limit_reason: 'none',
      },
    ]);
  });

  it('lists nothing outside the scope', async () => {
    const { documents, listed, next_cursor } = await list(50, null, { repositories: ['docs'] });
    expect({ documents, listed, next_cursor }).toEqual({
      documents: 1,
      listed: [{ path: 'guides/disk.md', title: 'Disks', doc_tag: 'guides' }],
      next_cursor: null,
    });
    expect((await list(50, null, { docTags: [] })).listed).toEqual([]);
  });

  it('refuses the cursor of another scope', async () => {
    const { next_cursor: cursor = null } = await list(1);
    await expect(list(1, cursor, { docTags: ['guides'] })).rejects.toMatchObject({
      reason: 'cursor_invalid',
    });
  });
});

describe('more than one reply can list', () => {
  const facets = (length: number) =>
    Array.from({ length }, (_, i) => ({ value: `v${i}`, documents: 1, sections: 1 }));
  const describeWith = async (parts: object, untrusted: string[] = []) => {
    const call = aCall({ scope: { ...SCOPE } });
    call.trace.untrusted = new Set(untrusted);
    const facts = await docs.index.facts(call.scope, 1);
    jest.spyOn(docs.index, 'facts').mockResolvedValueOnce({ ...facts, ...parts });
    return (await service().describe(call)).output;
  };

  it.each([
    [50, 'none', false],
    [51, 'page_size', true],
  ])('lists 50 of %i tags: %s', async (count, limit_reason, partial) => {
    const { doc_tags, ...rest } = await describeWith({ docTags: facets(count), repositories: [] });
    expect(doc_tags).toHaveLength(50);
    expect(rest).toMatchObject({ repositories: [], partial, limit_reason });
  });

  it('lists 50 of 51 repositories, and marks those that are not trusted', async () => {
    const { repositories, partial } = await describeWith({ docTags: [], repositories: facets(51) }, ['v1']);
    expect([repositories.length, partial]).toEqual([50, true]);
    expect(repositories.slice(0, 2)).toEqual([
      { name: 'v0', documents: 1, sections: 1 },
      { name: 'v1', documents: 1, sections: 1, trusted: false },
    ]);
  });

  it('names flagged documents with lines and reasons only, and counts all of them', async () => {
    const flags = [{ line: 2, reason: 'hidden', text: 'secret' }];
    const first = [{ path: 'a b.md', caution: { flags } }];
    const { flagged } = await describeWith({ flagged: { count: 4, first }, docTags: [], repositories: [] });
    expect(flagged).toEqual({
      documents: 4,
      first: [{ path: 'a%20b.md', flags: [{ line: 2, reason: 'hidden' }] }],
    });
  });
});
