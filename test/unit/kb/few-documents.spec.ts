import { NO_FILTER } from '../../../src/core/ports/section-index.port.js';
import { planQuery } from '../../../src/kb/search/plan-query.js';
import { rankLimits } from '../../../src/kb/search/rank-matches.js';
import { rankParts } from '../../../src/kb/search/rank-parts.js';
import { PassageNaming } from '../../../src/scratch/passages.service.js';
import { DEFAULT_HITS } from '../../../src/search-docs/search-docs.schemas.js';
import { SearchDocsService } from '../../../src/search-docs/search-docs.service.js';
import { anIndex, type TestIndex } from '../../support/an-index.js';
import { aCall } from '../../support/builders.js';

const NUMBERS = Array.from({ length: 60 }, (_, i) => `number${i * 7919}`);
/** One file with sixty sections on valves. */
const HANDBOOK = `# Handbook\n\n${NUMBERS.map((n) => `## Valve ${n}\n\nThe valve ${n} holds the pressure of ${n}.\n`).join('\n')}`;

let few: TestIndex;
let many: TestIndex;
beforeAll(async () => {
  few = await anIndex({ 'handbook.md': HANDBOOK, 'other.md': '# Ships\n\nA ship leaves the harbour.\n' });
  const pages = NUMBERS.map((n) => [
    `${n}.md`,
    `# Valve ${n}\n\nThe valve ${n}.\n\n## Use\n\nTurn valve ${n}.\n`,
  ]);
  many = await anIndex(Object.fromEntries(pages));
});
afterAll(() => Promise.all([few.remove(), many.remove()]));

const call = () => aCall({ scope: { projectId: 'docs', environment: 'prod' } });

describe('search_docs on a corpus of one large file', () => {
  it('pages through all matches', async () => {
    const service = new SearchDocsService(
      { index: few.index, graph: null },
      new PassageNaming('s'.repeat(32), 'scheme'),
    );
    const found: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
      const input = { query: 'valve pressure', limit: DEFAULT_HITS, ...(cursor === null ? {} : { cursor }) };
      const { output } = await service.search(call(), input);
      expect(output.hits.length).toBeGreaterThan(0);
      found.push(...output.hits.map(({ chunk_id }) => chunk_id));
      cursor = output.next_cursor;
    }
    expect(new Set(found).size).toBe(60);
    expect(found).toHaveLength(60);
  });
});

describe('rankLimits', () => {
  const documentsOf = async (
    { index }: TestIndex,
    sections: number,
    asked: number | null,
    byDefault: number,
  ) => {
    const options = {
      filter: NO_FILTER,
      limits: rankLimits(sections, asked, byDefault),
      mode: 'auto' as const,
    };
    const plan = planQuery({ text: 'valve', keywords: [], parts: [], rewrite: true });
    const [ranking] = await rankParts(call(), { index, graph: null }, { ...plan, ...options });
    return (ranking?.candidates ?? []).map(({ document }) => document.path);
  };

  it('fills a list from one file, unless a limit was requested', async () => {
    expect(await documentsOf(few, 8, null, 3)).toHaveLength(8);
    expect(await documentsOf(few, 5, null, 1)).toHaveLength(5);
    expect(await documentsOf(few, 8, 2, 3)).toHaveLength(2);
  });

  it('keeps the default limit if enough documents match', async () => {
    const paths = await documentsOf(many, 20, null, 1);
    expect(paths).toHaveLength(20);
    expect(new Set(paths).size).toBe(20);
  });
});
