import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate, SectionIndex } from '../../src/core/ports/section-index.port.js';
import { KIND_KEY } from '../../src/core/section.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { copyShare, corpusFolder, drawQueries } from '../support/corpora.js';
import { aQuery, type QueryParts } from '../support/indexed-documents.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const VERSIONS = ['v7.4', 'v7.5'] as const;
const folder = testFolder();
const docs = folder.file('docs');
const markdownIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();

/** A line of prose that an editor might change. */
const PROSE = /^[A-Z].{40,}[.]$/gm;
const amended = (text: string): string =>
  text.replace(PROSE, (line) => `${line} Since 7.5 on every platform.`);
const rewritten = (text: string): string =>
  text.replace(PROSE, 'Everything about this was written anew for 7.5, in words of its own.');

/** A third of the corpus contains all its kinds of pages. */
const SHARE = 3;

/** The same pages twice; in the newer copy, one of ten pages is edited and one rewritten. */
function layOut(): void {
  const corpus = corpusFolder('powershell', folder.file('made'));
  for (const version of VERSIONS) copyShare(corpus, join(docs, version), SHARE);
  for (const [at, name] of markdownIn(join(docs, 'v7.5')).entries()) {
    const edit = at % 10 === 3 ? amended : at % 10 === 7 ? rewritten : null;
    const file = join(docs, 'v7.5', name);
    if (edit) writeFileSync(file, edit(readFileSync(file, 'utf8')));
  }
}

const manifest = (taxonomy: string): string =>
  [
    ...['project: docs', taxonomy, 'documents:'],
    ...VERSIONS.map((v) => `  - { match: ['${v}/**'], metadata: { version: ${v.slice(1)} } }`),
  ].join('\n');

/** A section's path without its version. */
const placeOf = (id: string): string => id.slice(id.indexOf('/'));
const repeatedIds = (ids: readonly string[]): string[] => {
  const places = ids.map(placeOf);
  return places.filter((place, at) => places.indexOf(place) !== at);
};
const repeated = (candidates: readonly Candidate[]): string[] =>
  repeatedIds(candidates.map(({ section }) => section.id));

/** General questions, and the titles of edited pages. */
const QUESTIONS = [
  ...['how do I read a file line by line', 'error handling', 'remote session', 'string comparison operators'],
  ...['install modules', 'parameters', 'examples', 'pipeline input', 'what is new', 'environment variables'],
];

describe('a taxonomy of versions over two copies of one corpus', () => {
  let index: SectionIndex;
  let titles: readonly string[];
  const find = async (text: string, parts: QueryParts = {}): Promise<readonly Candidate[]> => {
    const scope = { projectId: 'docs' };
    return (await index.search(aQuery(text, { scope, limit: 10, perDocument: 1_000, ...parts }))).candidates;
  };
  const build = async (taxonomy: string): Promise<void> => {
    writeFiles(docs, { '.pith.yaml': manifest(taxonomy) });
    await buildIndex(docs, folder.file('index.sqlite'));
  };

  beforeAll(async () => {
    layOut();
    titles = markdownIn(join(docs, 'v7.5'))
      .filter((_, at) => at % 10 === 3 || at % 10 === 7)
      .filter((_, at) => at % 4 === 0)
      .map((name) => name.replace(/^.*\//, '').replace(/\.md$/, '').replaceAll(/[-_]/g, ' '));
    index = makePort('sections', new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
  }, 600_000);

  afterAll(async () => {
    await index.close();
    folder.remove();
  });

  describe('that collapses versions', () => {
    beforeAll(() => build('taxonomy: { version: { collapse: true } }'), 600_000);

    it('indexes both versions', async () => {
      const { taxonomy } = await index.corpus({
        ...{ projectId: 'docs', environment: 'prod', docTags: null, repositories: null },
      });
      // Beside the key that pages get by their kind.
      const declared = taxonomy.filter(({ key }) => key !== KIND_KEY);
      expect(declared).toEqual([{ key: 'version', description: null, values: ['7.4', '7.5'] }]);
    });

    it('never returns one section in two versions on any page', async () => {
      for (const text of [...QUESTIONS, ...titles]) {
        const first = await find(text);
        expect([text, repeated(first)]).toEqual([text, []]);
        expect([text, repeated(await find(text, { limit: 1_000 }))]).toEqual([text, []]);
      }
    }, 600_000);

    describe('over MCP', () => {
      const RANDOM = 200;
      const PAGES = 3;
      let client: TestClient;
      let queries: readonly string[];

      interface Page {
        readonly hits: readonly { readonly chunk_id: string; readonly metadata: { version: string } }[];
        readonly next_cursor: string | null;
      }

      const structured = async <T>(tool: string, args: Record<string, unknown>): Promise<T> => {
        const { structuredContent, isError } = await client.call(tool, args);
        if (isError) throw new Error(JSON.stringify(structuredContent));
        return structuredContent as T;
      };

      /** The hits of a number of pages, as one list. */
      async function pages(args: Record<string, unknown>): Promise<Page['hits']> {
        const hits: Page['hits'][number][] = [];
        let cursor: string | null = null;
        for (let page = 0; page < PAGES && (page === 0 || cursor !== null); page++) {
          const next: Record<string, unknown> = cursor === null ? {} : { cursor };
          const found: Page = await structured<Page>('search_docs', { ...args, ...next });
          hits.push(...found.hits);
          cursor = found.next_cursor;
        }
        return hits;
      }

      beforeAll(async () => {
        queries = drawQueries(join(docs, 'v7.5'), RANDOM, 12);
        const env = { PITH_RATE_PER_MINUTE: '0' };
        const file = folder.file('index.sqlite');
        client = await connectClient({ era: 'v1', transport: 'stdio', index: file, env });
        await client.listTools();
      }, 60_000);

      afterAll(() => client.close());

      it(`never returns one section in two versions on ${PAGES} pages of search_docs, for ${RANDOM} queries`, async () => {
        const twice: [string, readonly string[]][] = [];
        const full: string[] = [];
        for (const query of queries) {
          const ids = (await pages({ query })).map(({ chunk_id }) => chunk_id);
          if (ids.length === PAGES * 10) full.push(query);
          if (repeatedIds(ids).length > 0) twice.push([query, repeatedIds(ids)]);
        }
        expect(twice).toEqual([]);
        expect(full.length).toBeGreaterThan(RANDOM / 2);
      }, 600_000);

      it('returns only the requested version', async () => {
        for (const [at, query] of queries.slice(0, RANDOM / 4).entries()) {
          const version = at % 2 === 0 ? '7.4' : '7.5';
          const hits = await pages({ query, version });
          expect([query, hits.filter(({ metadata }) => metadata.version !== version)]).toEqual([query, []]);
          expect([query, repeatedIds(hits.map(({ chunk_id }) => chunk_id))]).toEqual([query, []]);
        }
      }, 600_000);

      it('never returns one section in two versions with kb.search', async () => {
        for (const query of queries) {
          const options = { max_per_doc: 5 };
          const { results } = await structured<{ results: { section_id: string }[] }>('kb.search', {
            ...{ query, top_k: 20, page_size: 20, options },
          });
          const ids = results.map(({ section_id }) => section_id);
          expect([query, repeatedIds(ids)]).toEqual([query, []]);
        }
      }, 600_000);

      it('never quotes one section in two versions, whatever the parts of a question', async () => {
        const twice: [readonly string[], readonly string[]][] = [];
        for (let at = 0; at + 2 < queries.length; at += 2) {
          const parts = queries.slice(at, at + 3);
          const keywords = (queries[(at + 7) % queries.length] ?? '').split(' ').slice(0, 3);
          const args = { question: parts.join(', '), parts, keywords, max_quotes: 12 };
          const { quotes } = await structured<{ quotes: { section_id: string }[] }>(
            'kb.retrieve_evidence',
            args,
          );
          const ids = [...new Set(quotes.map(({ section_id }) => section_id))];
          if (repeatedIds(ids).length > 0) twice.push([parts, repeatedIds(ids)]);
        }
        expect(twice).toEqual([]);
      }, 600_000);
    });

    it('fills pages with one version if a filter selects it', async () => {
      const pages = await Promise.all(
        QUESTIONS.map((text) => find(text, { filter: { metadata: { version: '7.4' } } })),
      );
      expect(new Set(pages.flat().map(({ document }) => document.metadata['version']))).toEqual(
        new Set(['7.4']),
      );
      expect(pages.filter((page) => page.length === 10).length).toBeGreaterThan(QUESTIONS.length / 4);
    }, 600_000);
  });

  describe('without a collapse setting', () => {
    beforeAll(() => build('taxonomy: { version: {} }'), 600_000);

    it('returns one section in two versions only if it was rewritten', async () => {
      const pages = markdownIn(join(docs, 'v7.5'));
      const anew = new Set(pages.filter((_, at) => at % 10 === 7).map((name) => `/${name}`));
      for (const text of [...QUESTIONS, ...titles]) {
        const twice = repeated(await find(text)).map((place) => decodeURI(place).replace(/#.*/, ''));
        expect([text, twice.filter((place) => !anew.has(place))]).toEqual([text, []]);
      }
    }, 600_000);
  });

  describe('that keeps versions apart', () => {
    beforeAll(() => build('taxonomy: { version: { collapse: false } }'), 600_000);

    it('returns both versions of a page', async () => {
      const pages = await Promise.all(QUESTIONS.map((text) => find(text)));
      expect(pages.flatMap(repeated).length).toBeGreaterThan(0);
    }, 600_000);
  });
});
