import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embedderNamed } from '../../src/adapters/embedding/embedder-named.js';
import { InProcessSectionIndex } from '../../src/adapters/sqlite/in-process-section-index.js';
import type { Candidate } from '../../src/kb/section-index.port.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { corpusFolder, copyCorpus } from '../support/corpora.js';
import { aQuery } from '../support/indexed-documents.js';
import type { QueryParts } from '../support/indexed-documents.js';
import { writeFiles } from '../support/write-files.js';

const VERSIONS = ['v7.4', 'v7.5'] as const;
const folder = testFolder();
const docs = folder.file('docs');
const markdownIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();

/** A line of prose, as an editor would touch it. */
const PROSE = /^[A-Z].{40,}[.]$/gm;
const amended = (text: string): string =>
  text.replace(PROSE, (line) => `${line} Since 7.5 on every platform.`);
const rewritten = (text: string): string =>
  text.replace(PROSE, 'Everything about this was written anew for 7.5, in words of its own.');

/** The same pages twice; of every ten in the newer copy one is amended and one written anew. */
function layOut(): void {
  const corpus = corpusFolder('powershell', folder.file('made'));
  for (const version of VERSIONS) copyCorpus(corpus, join(docs, version));
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

/** What stands at the same place of every version. */
const placeOf = ({ section }: Candidate): string => section.id.slice(section.id.indexOf('/'));
const repeated = (candidates: readonly Candidate[]): string[] => {
  const places = candidates.map(placeOf);
  return places.filter((place, at) => places.indexOf(place) !== at);
};

/** What readers ask for: general questions, and the titles of pages that were edited. */
const QUESTIONS = [
  ...['how do I read a file line by line', 'error handling', 'remote session', 'string comparison operators'],
  ...['install modules', 'parameters', 'examples', 'pipeline input', 'what is new', 'environment variables'],
];

describe('a taxonomy of versions over two copies of one corpus', () => {
  let index: InProcessSectionIndex;
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
    index = new InProcessSectionIndex(folder.file('index.sqlite'), embedderNamed('lsa'));
  }, 600_000);

  afterAll(async () => {
    await index.close();
    folder.remove();
  });

  describe('that collapses', () => {
    beforeAll(() => build('taxonomy: { version: { collapse: true } }'), 600_000);

    it('knows both versions', async () => {
      const { taxonomy } = await index.corpus({
        ...{ projectId: 'docs', environment: 'prod', docTags: null, repositories: null },
      });
      expect(taxonomy).toEqual([{ key: 'version', description: null, values: ['7.4', '7.5'] }]);
    });

    it('never shows one section in two versions, on the first page or any other', async () => {
      for (const text of [...QUESTIONS, ...titles]) {
        const first = await find(text);
        expect([text, repeated(first)]).toEqual([text, []]);
        expect([text, repeated(await find(text, { limit: 1_000 }))]).toEqual([text, []]);
      }
    }, 600_000);

    it('shows one version only where it is asked for, and fills pages with it', async () => {
      const pages = await Promise.all(
        QUESTIONS.map((text) => find(text, { filter: { metadata: { version: '7.4' } } })),
      );
      expect(new Set(pages.flat().map(({ document }) => document.metadata['version']))).toEqual(
        new Set(['7.4']),
      );
      expect(pages.filter((page) => page.length === 10).length).toBeGreaterThan(QUESTIONS.length / 4);
    }, 600_000);
  });

  describe('of which nothing is said', () => {
    beforeAll(() => build('taxonomy: { version: {} }'), 600_000);

    it('shows one section in two versions only where it was written anew', async () => {
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

    it('shows both versions of a page', async () => {
      const pages = await Promise.all(QUESTIONS.map((text) => find(text)));
      expect(pages.flatMap(repeated).length).toBeGreaterThan(0);
    }, 600_000);
  });
});
