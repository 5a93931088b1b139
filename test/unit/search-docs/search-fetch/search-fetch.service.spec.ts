import { RankSources } from '../../../../src/kb/search/rank-parts.js';
import { renderWithin } from '../../../../src/mcp/rendering/render-within.js';
import type { FetchDocumentOutput } from '../../../../src/search-docs/search-fetch/search-fetch.schemas.js';
import { SearchFetchService } from '../../../../src/search-docs/search-fetch/search-fetch.service.js';
import { anIndex, type TestIndex } from '../../../support/an-index.js';
import { aCall } from '../../../support/builders.js';

const PARTS = Array.from(
  { length: 12 },
  (_, i) => `## Part ${i}\n\nText of part ${i} about ${'quays '.repeat(20)}`,
);

const FILES = {
  'berths.md':
    '---\nurl: https://docs.example.com/berths\nmetadata:\n  level: high\n---\n# Berths\n\nShips.\n\n## Waiting list\n\nWaiting ships get a berth.\n\n## Waiting fee\n\nWaiting ships pay.',
  'a b/tides.md': '# Tides\n\nWaiting for the tide.',
  'long.md': `# Long\n\n${PARTS.join('\n\n')}`,
  'secret.md': '---\ndoc_tag: secret\n---\n# Secret\n\nWaiting ships are secret.',
};

describe('SearchFetchService', () => {
  let fixture: TestIndex;
  let service: SearchFetchService;

  beforeAll(async () => {
    fixture = await anIndex(FILES);
    service = new SearchFetchService(new RankSources(fixture.index, null));
  });

  afterAll(() => fixture.remove());

  const call = (docTags: string[] | null = null) => aCall({ scope: { projectId: 'docs', docTags } });
  const search = async (query: string) => (await service.search(call(), { query })).output.results;
  const fetch = async (id: string, bytes = 100_000): Promise<FetchDocumentOutput> => {
    const reply = await service.fetch(call(), { id });
    const asResult = (output: unknown) => ({ content: [], structuredContent: output, _meta: {} });
    return renderWithin(reply, { bytes, tokens: 100_000 }, asResult).output;
  };

  it('lists each document once, with its best section, a title and an address', async () => {
    const results = await search('waiting list of ships');
    expect(results[0]).toEqual({
      id: 'berths.md#waiting-list',
      title: 'Berths > Waiting list',
      url: 'https://docs.example.com/berths#waiting-list',
    });
    expect(results.map(({ id }) => id.replace(/#.*/, ''))).toEqual(
      expect.arrayContaining(['berths.md', 'a%20b/tides.md', 'secret.md']),
    );
    expect(new Set(results.map(({ id }) => id.replace(/#.*/, ''))).size).toBe(results.length);
  });

  it('gives the URI of a document that has no address', async () => {
    const [found] = await search('tide');
    expect(found).toMatchObject({ id: 'a%20b/tides.md', url: 'docs:///a%20b/tides.md' });
  });

  it('returns an empty list if nothing matches', async () => {
    expect(await search('zeppelin')).toEqual([]);
  });

  it('returns the whole document of a section, with its metadata', async () => {
    expect(await fetch('berths.md#waiting-list')).toEqual({
      id: 'berths.md#waiting-list',
      title: 'Berths',
      text: '# Berths\n\nShips.\n\n## Waiting list\n\nWaiting ships get a berth.\n\n## Waiting fee\n\nWaiting ships pay.\n',
      url: 'https://docs.example.com/berths#waiting-list',
      metadata: { level: 'high', path: 'berths.md', updated_at: expect.stringMatching(/Z$/) },
    });
  });

  it('begins a document that is too long with the section of the id, and says how to read on', async () => {
    const { text, metadata } = await fetch('long.md#part-3', 1_200);
    expect(text).toMatch(/^# Long\n\n## Part 3\n/);
    const next = metadata['continues_with'];
    expect(next).toMatch(/^long\.md#part-\d+$/);
    expect(text).toMatch(
      new RegExp(`\\(Sections 4 to \\d+ of 12\\. To read on, call \`fetch\` with the id '${next}'\\.\\)\\n$`),
    );
  });

  it('reads a long document to its end, without gaps', async () => {
    const read: string[] = [];
    for (let id: string | undefined = 'long.md'; id !== undefined;) {
      const { text, metadata } = await fetch(id, 1_200);
      read.push(...(text.match(/^## Part \d+$/gm) ?? []));
      id = metadata['continues_with'];
    }
    expect(read).toEqual(PARTS.map((_, i) => `## Part ${i}`));
  });

  it('shows the end of a document, which needs no further call', async () => {
    const { text, metadata } = await fetch('long.md#part-11', 1_200);
    expect(text).toMatch(/\(Sections 12 to 12 of 12\.\)\n$/);
    expect(metadata).not.toHaveProperty('continues_with');
  });

  it('answers for a hidden document as for one that does not exist', async () => {
    const refusal = (id: string) =>
      service.fetch(call(['other']), { id }).then(
        () => null,
        ({ message, hint, reason, details }) => ({ message, hint, reason, details }),
      );
    const hidden = await refusal('secret.md');
    expect(hidden).toMatchObject({ reason: 'document_not_found' });
    const absent = ['absent.md', 'a\u0000b', '#', ' ', 'x'.repeat(1_024)];
    expect(await Promise.all(absent.map(refusal))).toEqual(absent.map(() => hidden));
  });

  it('finds nothing outside the scope', async () => {
    expect((await service.search(call(['other']), { query: 'waiting' })).output).toEqual({ results: [] });
  });
});
